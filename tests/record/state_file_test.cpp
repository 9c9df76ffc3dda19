#include <gtest/gtest.h>

#include "record/checksum.hpp"
#include "record/output.hpp"
#include "record/some_recording.hpp"

namespace condyle::testing {
namespace {

std::string code_of(const std::string& file, std::uint64_t identity) {
  try {
    restore(file, identity);
    return "none";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, file) << error.what();
    return error.code();
  }
}

TEST(StateFile, GivesBackEveryBit) {
  const Scene scene = scene_of_free_bodies(2);
  const std::string file = output("state.bin");
  for (const State& x : {some_state(scene, 3), hostile_state(scene), State{}}) {
    save(x, 42, file);
    EXPECT_TRUE(restore(file, 42) == x);
  }
}

TEST(StateFile, BelongsToItsScene) {
  const std::string file = output("foreign.bin");
  save(some_state(scene_of_free_bodies(1), 3), 42, file);
  EXPECT_EQ(code_of(file, 43), "wrong-scene");
}

TEST(StateFile, IsRefusedForEveryChangedBitAndEveryMissingByte) {
  const std::string file = output("broken.bin");
  save(some_state(scene_of_free_bodies(1), 3), 42, file);
  const std::string good = read_bytes(file);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bytes = good;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    write_bytes(file, bytes);
    ASSERT_NE(code_of(file, 42), "none") << "bit " << bit;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_bytes(file, good.substr(0, size));
    ASSERT_NE(code_of(file, 42), "none") << "size " << size;
  }
  write_bytes(file, good + std::string(8, '\0'));
  EXPECT_EQ(code_of(file, 42), "damaged-file");
}

TEST(StateFile, IsRefusedForAbsurdSizesEvenIfTheChecksumIsRight) {
  const std::string file = output("absurd.bin");
  save(some_state(scene_of_free_bodies(1), 3), 42, file);
  const std::string good = read_bytes(file);
  for (const std::uint64_t nq : {std::uint64_t{1} << 61, ~std::uint64_t{0}, ~std::uint64_t{0} - 5, std::uint64_t{8}}) {
    std::string bytes = good;
    std::memcpy(bytes.data() + 24, &nq, sizeof nq);
    const std::uint64_t sum = record::checksum(bytes.data(), bytes.size() - 8);
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, sizeof sum);
    write_bytes(file, bytes);
    EXPECT_EQ(code_of(file, 42), "damaged-file") << nq;
  }
}

TEST(StateFile, ReplacesTheOldOneInOneInstant) {
  const std::string file = output("atomic.bin");
  const Scene scene = scene_of_free_bodies(1);
  save(some_state(scene, 1), 42, file);
  std::filesystem::remove(output("link.bin"));
  std::filesystem::create_symlink("atomic.bin", output("link.bin"));
  std::ifstream old(file, std::ios::binary);
  save(some_state(scene, 2), 42, output("link.bin"));
  EXPECT_TRUE(std::filesystem::is_symlink(output("link.bin")));
  EXPECT_TRUE(restore(file, 42) == some_state(scene, 2));
  std::ostringstream still;
  still << old.rdbuf();
  write_bytes(output("old.bin"), still.str());
  EXPECT_TRUE(restore(output("old.bin"), 42) == some_state(scene, 1)) << "the file was overwritten in place";
}

TEST(StateFile, SaysWhyItCannotBeWrittenOrRead) {
  EXPECT_THROW(save(State{}, 1, output("no/such/folder/x.bin")), Error);
  EXPECT_THROW(save(State{}, 1, CONDYLE_TEST_OUTPUT), Error);
  EXPECT_EQ(code_of(output("absent.bin"), 1), "cannot-read");
  EXPECT_EQ(code_of(CONDYLE_TEST_OUTPUT, 1), "cannot-read");
}

}  // namespace
}  // namespace condyle::testing
