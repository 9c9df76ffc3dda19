// Damages URDF files and reads them: fuzz_urdf COUNT SEED. Fails if anything but condyle::Error escapes, if the two
// readers disagree without an explanation, or if one input takes longer than a second. Input i of seed s is always the
// same, so "fuzz_urdf 1 s+i" repeats it alone.
#include "fuzz/mutate.hpp"

#include <condyle/model.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const char* const pendulum = R"(<?xml version="1.0"?>
<robot name="pendulum" version="1.1">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual name="v"><origin xyz="0 0 1" quat_xyzw="0 0 0 1"/><geometry><box size="1 2 3"/></geometry>
    <material name="red"/></visual></link>
  <link name="arm">
    <inertial><origin xyz="0 0 -0.5" rpy="0 0.1 0"/><mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/></inertial>
    <collision name="c"><origin xyz="0 0 -0.5"/><geometry><capsule radius="0.05" length="1"/></geometry></collision>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="tip"/>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="5"/><dynamics damping="0.1" friction="0.2"/>
    <safety_controller k_velocity="1" soft_lower_limit="-1"/><calibration rising="0"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="tip"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.1" effort="1" velocity="1"/><mimic joint="hinge" multiplier="2" offset="0.1"/></joint>
  <loop_joint name="loop" type="continuous"><axis xyz="0 1 0"/><link1 link="base" xyz="0 0 1" rpy="0 0 0"/>
    <link2 link="tip" xyz="0 0 0" rpy="0 0 0"/></loop_joint>
  <transmission name="t"><joint name="hinge"/><actuator name="m"/></transmission>
  <gazebo><joint name="x" type="ball"><parent>base</parent><child>tip</child></joint></gazebo>
</robot>
)";

const char* const kinds = R"(<robot name="kinds">
  <link name="a"/><link name="b"/><link name="c"/><link name="d"><inertial><mass value="2"/>
  <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><link name="e"/>
  <joint name="ab" type="floating"><parent link="a"/><child link="b"/></joint>
  <joint name="bc" type="planar"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
  <joint name="cd" type="continuous"><parent link="c"/><child link="d"/><axis xyz="0 0 2"/></joint>
  <joint name="de" type="fixed"><parent link="d"/><child link="e"/><origin rpy="1 2 3"/></joint>
</robot>
)";

const std::vector<std::string> tokens = {"<link",
                                         "<joint",
                                         "</link>",
                                         "</joint>",
                                         "<origin",
                                         "<axis",
                                         "<limit",
                                         "<mimic",
                                         "<inertial>",
                                         "</inertial>",
                                         "<mass",
                                         "<inertia",
                                         "<visual>",
                                         "</visual>",
                                         "<collision>",
                                         "</collision>",
                                         "<geometry>",
                                         "</geometry>",
                                         "<box",
                                         "<sphere",
                                         "<capsule",
                                         "<mesh filename=\"x.stl\"/>",
                                         "/>",
                                         ">",
                                         "<",
                                         "\"",
                                         "name=\"base\"",
                                         "name=\"arm\"",
                                         "link=\"base\"",
                                         "link=\"arm\"",
                                         "link=\"tip\"",
                                         "type=\"fixed\"",
                                         "type=\"revolute\"",
                                         "type=\"floating\"",
                                         "xyz=",
                                         "rpy=",
                                         "quat_xyzw=",
                                         "version=\"1.1\"",
                                         "version=\"1.2\"",
                                         "version=\"1\"",
                                         "<!--",
                                         "-->",
                                         "<![CDATA[",
                                         "]]>",
                                         "<?xml version=\"1.0\"?>",
                                         "&amp;",
                                         "&bad;",
                                         "\t",
                                         "\n",
                                         " ",
                                         "<gazebo>",
                                         "</gazebo>",
                                         "<loop_joint",
                                         "effort=",
                                         "velocity=",
                                         "lower=",
                                         "upper=",
                                         "</robot>"};

/// Start and length of each attribute="value" in the text.
std::vector<std::pair<std::size_t, std::size_t>> attributes_of(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t at = text.find("=\""); at != std::string::npos; at = text.find("=\"", at + 2)) {
    const std::size_t start = text.find_last_of(" \t\n<", at), end = text.find('"', at + 2);
    if (start == std::string::npos || end == std::string::npos) break;
    out.emplace_back(start + 1, end - start);
    at = end - 1;
  }
  return out;
}

/// Keeps the XML sound and changes what it says: most edits of bytes never get past the XML reader.
std::string rearrange(condyle::fuzz::Mutator& mutator, std::string text) {
  static const std::vector<std::string> values = {
      "nan",     "inf", "-1",   "0",   "1e-320", "1e99", "1e308",    "1 2 3", "0 0 0",  "1\t2 3", "1 ", " 1",
      "1 2 3 4", "",    "base", "arm", "hinge",  "j",    "revolute", "fixed", "planar", "1.2",    "1.0"};
  const std::size_t edits = 1 + mutator.pick(3);
  for (std::size_t i = 0; i < edits; ++i) {
    const auto attributes = attributes_of(text);
    if (attributes.empty()) return text;
    const auto [start, length] = attributes[mutator.pick(attributes.size())];
    const auto [from, much] = attributes[mutator.pick(attributes.size())];
    const std::string whole = text.substr(start, length), name = whole.substr(0, whole.find('=')),
                      other = text.substr(from, much);
    const std::size_t open = text.rfind('<', start), close = text.find('>', start);
    switch (mutator.pick(5)) {
      case 0: text.replace(start, length, name + "=\"" + values[mutator.pick(values.size())] + "\""); break;
      case 1: text.replace(start, length, name + other.substr(other.find('='))); break;
      case 2: text.erase(start, length); break;
      case 3: text.insert(start, other + " "); break;
      default:
        if (open == std::string::npos || close == std::string::npos || text[close - 1] != '/') break;
        const std::string element = text.substr(open, close - open + 1);
        if (mutator.pick(2))
          text.erase(open, element.size());
        else
          text.insert(text.find('>', from) + 1, element);
    }
  }
  return text;
}

unsigned long long current = 0;  // for the handler of a crash

void crashed(int signal) {
  char line[96];
  const int length =
      std::snprintf(line, sizeof line, "fuzz_urdf: signal %d, repeat with: fuzz_urdf 1 %llu\n", signal, current);
  if (std::fwrite(line, 1, static_cast<std::size_t>(length), stderr)) std::fflush(stderr);
  std::_Exit(1);
}

std::vector<std::string> seeds_of_the_project() {
  std::vector<std::string> out = {pendulum, kinds};
  std::vector<fs::path> files;
  const fs::path folder = fs::path(CONDYLE_SOURCE_DIR) / "models";
  if (fs::exists(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    out.push_back(text.str());
  }
  return out;
}

int complain(const std::string& input, const std::string& why) {
  const std::string file = "fuzz_urdf_" + std::to_string(current) + ".urdf";
  std::ofstream(file, std::ios::binary) << input;
  std::fprintf(stderr, "fuzz_urdf: %s; input saved as %s; repeat with: fuzz_urdf 1 %llu\n", why.c_str(), file.c_str(),
               current);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long long count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  const unsigned long long seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, crashed);
  const std::vector<std::string> seeds = seeds_of_the_project();
  std::map<std::string, int> outcomes;
  int failures = 0;
  for (unsigned long long i = 0; i < count; ++i) {
    current = seed + i;
    condyle::fuzz::Mutator mutator(current);
    const std::string& whole = seeds[mutator.pick(seeds.size())];
    const std::string input = mutator.pick(2) ? rearrange(mutator, whole) : mutator.mutate(whole, tokens);
    const auto start = std::chrono::steady_clock::now();
    std::string outcome = "loads";
    try {
      condyle::read_urdf_text(input, "fuzz.urdf");
    } catch (const condyle::Error& error) {
      outcome = error.code();
      if (outcome == "readers-disagree") failures += complain(input, error.what());
    } catch (const std::exception& error) {
      failures += complain(input, std::string("escaped: ") + error.what());
    } catch (...) {
      failures += complain(input, "something that is no exception escaped");
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (seconds > 1) failures += complain(input, "took " + std::to_string(seconds) + " s");
    ++outcomes[outcome];
  }
  for (const auto& [outcome, number] : outcomes) std::printf("%8d %s\n", number, outcome.c_str());
  return failures == 0 ? 0 : 1;
}
