// Rules of the house that no compiler checks: which room may include which, who alone sees which library, how long a file
// may be, and that no Pinocchio kernel is compiled into our objects (STACK: it costs minutes, and the wheel has them).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
const fs::path source = CONDYLE_SOURCE_DIR;

const std::vector<std::string> rooms{"linalg",  "cones",   "scene", "dynamics", "collision", "constraints", "problem",
                                     "maximal", "solvers", "step",  "control",  "record",    "cli"};

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<fs::path> files_below(const fs::path& folder, const std::vector<std::string>& endings) {
  std::vector<fs::path> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && std::count(endings.begin(), endings.end(), entry.path().extension().string()))
      out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> out;
  static const std::regex pattern("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
  std::istringstream in(text_of(file));
  for (std::string line; std::getline(in, line);)
    if (std::smatch m; std::regex_search(line, m, pattern)) out.push_back(m[1]);
  return out;
}

std::size_t level(const std::string& room) {
  return static_cast<std::size_t>(std::find(rooms.begin(), rooms.end(), room) - rooms.begin());
}

TEST(House, EveryRoomIncludesOnlyRoomsAboveIt) {
  int seen = 0;
  for (const std::string& room : rooms)
    for (const fs::path& file : files_below(source / "src" / room, {".cpp", ".hpp"}))
      for (const std::string& include : includes_of(file)) {
        const std::string other = include.substr(0, include.find('/'));
        if (level(other) == rooms.size()) continue;
        ++seen;
        EXPECT_LE(level(other), level(room)) << file << " includes " << include;
      }
  EXPECT_GT(seen, 20) << "the test must have found the includes";
}

TEST(House, EveryRoomExistsWithItsName) {
  for (const std::string& room : rooms) EXPECT_TRUE(fs::is_directory(source / "src" / room)) << room;
  for (const auto& entry : fs::directory_iterator(source / "src"))
    if (entry.is_directory()) {
      EXPECT_LT(level(entry.path().filename()), rooms.size()) << entry.path() << " is not a room of the house";
    }
}

TEST(House, EachLibraryIsSeenByTheRoomThatOwnsItAlone) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> owners{
      {"pinocchio/algorithm/", {"dynamics"}},
      {"pinocchio/", {"scene", "dynamics", "collision"}},
      {"coal/", {"collision"}},
      {"cholmod", {"linalg"}},
      {"amd.h", {"linalg"}},
      {"hdf5", {"record", "problem"}},
      {"urdf_parser/", {"scene"}},
      {"tinyxml2", {"scene"}},
      {"yaml-cpp/", {"scene"}},
      {"CLI/", {"cli"}},
      {"assimp/", {"scene"}}};
  for (const fs::path& file : files_below(source / "src", {".cpp", ".hpp"})) {
    const std::string room = fs::relative(file, source / "src").begin()->string();
    for (const std::string& include : includes_of(file))
      for (const auto& [library, allowed] : owners)
        if (include.rfind(library, 0) == 0) {
          EXPECT_TRUE(std::count(allowed.begin(), allowed.end(), room)) << file << " includes " << include;
          break;  // the first, most specific entry decides
        }
  }
  for (const fs::path& file : files_below(source / "include", {".hpp"}))
    for (const std::string& include : includes_of(file))
      EXPECT_TRUE(include.rfind("condyle/", 0) == 0 || include.rfind("Eigen/", 0) == 0 ||
                  include.find('/') == std::string::npos)
          << "public header " << file << " includes " << include;
}

TEST(House, FilesStayShortEnoughToRead) {
  for (const char* folder : {"src", "include", "tests", "bench", "examples"})
    for (const fs::path& file : files_below(source / folder, {".cpp", ".hpp"})) {
      const std::string text = text_of(file);
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 550) << file;
    }
}

TEST(House, NoObjectOfOursContainsAnInstantiatedPinocchioKernel) {
  const std::regex kernel("^[0-9a-f]* *[WV] .*(pinocchio::impl::|Step<)");
  int objects = 0;
  for (const fs::path& object : files_below(CONDYLE_OBJECT_DIR, {".o"})) {
    ++objects;
    FILE* pipe = popen(fmt::format("nm -C '{}'", object.string()).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::array<char, 65536> line;
    while (std::fgets(line.data(), static_cast<int>(line.size()), pipe))
      EXPECT_FALSE(
          std::regex_search(line.data(), line.data() + std::min<std::size_t>(400, std::strlen(line.data())), kernel))
          << object.filename() << ": " << std::string(line.data()).substr(0, 300);
    ASSERT_EQ(pclose(pipe), 0);
  }
  EXPECT_GT(objects, 15) << "the test must have found the objects";
}

TEST(House, FilesForOneInstructionSetLendNothingToOthers) {
  // a weak function that was compiled for AVX may be the one that the linker keeps for all files
  const std::regex shared("^[0-9a-f]* *[WVu] ");
  int objects = 0;
  for (const fs::path& object : files_below(CONDYLE_OBJECT_DIR, {".o"})) {
    if (object.filename().string().rfind("kernels_avx", 0) != 0) continue;
    ++objects;
    FILE* pipe = popen(fmt::format("nm -C '{}'", object.string()).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::array<char, 65536> line;
    while (std::fgets(line.data(), static_cast<int>(line.size()), pipe))
      EXPECT_FALSE(std::regex_search(line.data(), shared)) << object.filename() << ": " << line.data();
    ASSERT_EQ(pclose(pipe), 0);
  }
  EXPECT_EQ(objects, 2);
}

}  // namespace
