#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "record/checksum.hpp"
#include "record/layout.hpp"
#include "record/output.hpp"
#include "record/some_recording.hpp"

namespace condyle::testing {
namespace {

using nlohmann::json;
constexpr std::size_t head_bytes = 64;

const std::string& good_bytes() {
  static const std::string bytes = [] {
    const Scene scene = scene_of_free_bodies(1);
    Recorder recorder(output("good.h5"), scene, {}, {.expected_frames = 9});
    record_steps(recorder, scene, 8);
    recorder.close();
    return read_bytes(output("good.h5"));
  }();
  return bytes;
}

json directory_of(const std::string& bytes) {
  return json::parse(std::string(bytes.c_str() + head_bytes));  // the user block is filled up with zeros
}

json& part_of(json& directory, const std::string& name) {
  for (json& part : directory.at("parts"))
    if (part.at("name") == name) return part;
  throw std::out_of_range(name);
}

/// The good file with another directory, whose checksum is right.
std::string with_directory(const json& directory) {
  const std::string text = directory.dump();
  std::string block(record::user_block, '\0');
  block.replace(head_bytes, text.size(), text);
  record::seal(block, text.size(), true);
  return block + good_bytes().substr(record::user_block);
}

/// Opens the bytes as a recording and reads everything; the Error must name the file and `part`.
void expect_error(const std::string& bytes, const std::string& part, const std::string& code = "damaged-file") {
  const std::string file = output("bad.h5");
  write_bytes(file, bytes);
  try {
    const Recording recording(file);
    for (std::uint64_t i = 0; i < recording.info().frames; ++i) recording.state(i);
    ADD_FAILURE() << "the damage of " << part << " was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.place().file, file) << error.what();
    EXPECT_EQ(error.place().element, part) << error.what();
  }
}

TEST(DamagedRecording, IsRefusedWhenItIsSomethingElse) {
  expect_error("", "head", "not-a-recording");
  expect_error("hello", "head", "not-a-recording");
  expect_error(std::string(100000, '\0'), "head", "not-a-recording");
  expect_error(good_bytes().substr(record::user_block), "head", "not-a-recording");
  EXPECT_THROW(Recording(output("no_such_file.h5")), Error);
  EXPECT_THROW(Recording(CONDYLE_TEST_OUTPUT), Error);
  EXPECT_THROW(Recording("/dev/zero"), Error);
}

TEST(DamagedRecording, IsRefusedWhenItIsAPipeThatNobodyWrites) {
  const std::string pipe = output("pipe");
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(Recording recording(pipe), Error);
}

TEST(DamagedRecording, IsRefusedWhereverItIsCutOff) {
  const std::string& good = good_bytes();
  for (std::size_t size = 0; size < good.size(); size += 1 + good.size() / 300) {
    const std::string file = output("cut.h5");
    write_bytes(file, good.substr(0, size));
    try {
      const Recording recording(file);
      for (std::uint64_t i = 0; i < recording.info().frames; ++i)
        ASSERT_TRUE(recording.state(i) == some_state(scene_of_free_bodies(1), i));
      const json directory = directory_of(good);  // fine only if what was cut off is HDF5's own
      for (const json& part : directory.at("parts")) ASSERT_LE(part.at("at").get<std::size_t>(), size) << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, file);
      EXPECT_FALSE(error.place().element.empty()) << error.what();
    }
  }
}

TEST(DamagedRecording, IsRefusedForAnyChangedBitOfItsDirectory) {
  const std::size_t end = head_bytes + directory_of(good_bytes()).dump().size();
  for (std::size_t at = 0; at < end; at += at < head_bytes ? 1 : 37) {
    if (at >= 56 && at < head_bytes) continue;  // reserved
    std::string bytes = good_bytes();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    write_bytes(output("bit.h5"), bytes);
    if (at == 48) {  // "complete" becomes "not complete": no damage that can be seen
      EXPECT_FALSE(Recording(output("bit.h5")).info().complete);
      continue;
    }
    EXPECT_THROW(Recording recording(output("bit.h5")), Error) << "byte " << at;
  }
}

TEST(DamagedRecording, NamesADatasetThatIsMissing) {
  for (const char* name :
       {"/time", "/step", "/q", "/v", "/control", "/state_hash", "/frames_written", "/scene/description"}) {
    json directory = directory_of(good_bytes());
    part_of(directory, name)["name"] = "/elsewhere";
    expect_error(with_directory(directory), name);
  }
}

TEST(DamagedRecording, NamesADatasetOfWrongTypeOrShape) {
  const json good = directory_of(good_bytes());
  auto changed = [&](const std::string& name, const std::string& key, const json& value) {
    json directory = good;
    part_of(directory, name)[key] = value;
    expect_error(with_directory(directory), name);
  };
  changed("/q", "type", "i32");
  changed("/q", "type", "complex");
  changed("/q", "shape", {9});
  changed("/q", "shape", {8, 7});
  changed("/q", "shape", {9, 7, 1});
  changed("/time", "shape", {10});
  changed("/control", "shape", {9, 5});
  changed("/report/residual", "type", "u64");
  changed("/report/residual", "shape", {3});
  changed("/report/stage_us", "shape", {9, 5});
  changed("/frames_written", "shape", {1});
  json directory = good;
  part_of(directory, "/q")["shape"] = {9, 6};
  expect_error(with_directory(directory), "/scene/description");  // it names seven positions
}

TEST(DamagedRecording, IsRefusedForAbsurdSizesAndPlaces) {
  const json good = directory_of(good_bytes());
  const std::uint64_t huge = ~std::uint64_t{0};
  auto changed = [&](const std::string& name, const std::string& key, const json& value) {
    json directory = good;
    part_of(directory, name)[key] = value;
    expect_error(with_directory(directory), name);
  };
  changed("/q", "shape", {huge, 7});
  changed("/q", "shape", {huge / 8, 8});
  changed("/q", "shape", {9, huge / 9 / 8});
  changed("/q", "at", huge);
  changed("/q", "at", good_bytes().size() - 8);
  changed("/scene/description", "shape", {huge});
  changed("/scene/description", "shape", {std::uint64_t{1} << 40});
  for (const json& strange : {json(-1), json("many"), json(nullptr), json::array({1})}) {
    json directory = good;
    part_of(directory, "/q")["at"] = strange;
    if (strange != -1) expect_error(with_directory(directory), "directory");
    directory = good;
    directory["frames"] = strange;
    if (strange != -1) expect_error(with_directory(directory), "directory");
  }
  expect_error(with_directory(json::array()), "directory");
}

TEST(DamagedRecording, CountsNoMoreFramesThanItHas) {
  json directory = directory_of(good_bytes());
  const auto at = part_of(directory, "/frames_written").at("at").get<std::size_t>();
  for (const std::uint64_t frames : {std::uint64_t{10}, std::uint64_t{8}, ~std::uint64_t{0}}) {
    std::string bytes = good_bytes();
    std::memcpy(bytes.data() + at, &frames, sizeof frames);
    expect_error(bytes, "/frames_written");
  }
}

TEST(DamagedRecording, NamesTheFrameWhoseStateWasChanged) {
  json directory = directory_of(good_bytes());
  for (const auto& [name, row] : {std::pair{"/q", 56}, {"/v", 48}, {"/time", 8}, {"/step", 8}, {"/state_hash", 8}}) {
    std::string bytes = good_bytes();
    bytes[part_of(directory, name).at("at").get<std::size_t>() + static_cast<std::size_t>(5 * row + 3)] ^= 1;
    expect_error(bytes, "frame 5");
  }
}

TEST(DamagedRecording, IsRefusedForADamagedDescription) {
  json directory = directory_of(good_bytes());
  json& part = part_of(directory, "/scene/description");
  const auto at = part.at("at").get<std::size_t>(), size = part.at("shape")[0].get<std::size_t>();
  std::string bytes = good_bytes();
  bytes[at + size / 2] ^= 1;
  expect_error(bytes, "/scene/description");

  for (const std::string& text :
       {std::string("[]"), std::string("{\"name\": 3}"), std::string("{"), std::string(size, '[')}) {
    bytes = good_bytes();
    std::string filled = text + std::string(size - text.size(), ' ');
    bytes.replace(at, size, filled);
    part["sum"] = record::checksum(filled.data(), filled.size());
    const std::string block = with_directory(directory).substr(0, record::user_block);
    expect_error(block + bytes.substr(record::user_block), "/scene/description");
  }
}

}  // namespace
}  // namespace condyle::testing
