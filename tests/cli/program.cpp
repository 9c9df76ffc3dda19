#include "cli/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace condyle::test {

namespace fs = std::filesystem;

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << "exit code " << outcome.code << "\n--- stdout\n" << outcome.out << "--- stderr\n" << outcome.err << "---";
}

namespace {

struct Pipe {
  int read_end = -1, write_end = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  return {ends[0], ends[1]};
}

Pipe make_terminal() {
  Pipe out;
  if (openpty(&out.read_end, &out.write_end, nullptr, nullptr, nullptr) != 0) throw std::runtime_error("openpty");
  fcntl(out.read_end, F_SETFD, FD_CLOEXEC);
  fcntl(out.write_end, F_SETFD, FD_CLOEXEC);
  return out;
}

struct Child {
  pid_t id;
  Pipe out, err;
};

Child launch(const std::string& program, const std::vector<std::string>& arguments, bool terminal) {
  Child child{0, make_pipe(), terminal ? make_terminal() : make_pipe()};
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  child.id = fork();
  if (child.id < 0) throw std::runtime_error("fork");  // a negative id would make kill() reach others
  if (child.id == 0) {
    dup2(child.out.write_end, STDOUT_FILENO);
    dup2(child.err.write_end, STDERR_FILENO);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(child.out.write_end);
  close(child.err.write_end);
  return child;
}

Outcome collect(const Child& child) {
  Outcome outcome;
  pollfd waits[2] = {{child.out.read_end, POLLIN, 0}, {child.err.read_end, POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  for (int open = 2; open > 0;) {
    if (poll(waits, 2, -1) < 0) break;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t n = read(waits[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
        continue;
      }
      close(waits[i].fd);  // at its end; a terminal says so with an error
      waits[i].fd = -1;
      --open;
    }
  }
  int status = 0;
  waitpid(child.id, &status, 0);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace

Outcome start(const std::string& program, const std::vector<std::string>& arguments) {
  return collect(launch(program, arguments, false));
}
Outcome condyle(const std::vector<std::string>& arguments) { return start(CONDYLE_PROGRAM, arguments); }

Outcome condyle_for(double seconds, const std::vector<std::string>& arguments, bool terminal) {
  const Child child = launch(CONDYLE_PROGRAM, arguments, terminal);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  kill(child.id, SIGINT);
  return collect(child);
}

Outcome condyle_with_signal(const std::vector<std::string>& arguments, int signal, const std::string& ready) {
  const Child child = launch(CONDYLE_PROGRAM, arguments, false);
  for (int i = 0; i < 2000 && !exists(ready); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child.id, signal);
  return collect(child);
}

std::string fresh_file(const std::string& ending) {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  static int number = 0;
  std::string name = fmt::format("{}.{}.{}{}", info->test_suite_name(), info->name(), number++, ending);
  std::replace(name.begin(), name.end(), '/', '.');  // in the names of tests with parameters
  const std::string file = std::string(CONDYLE_TEST_OUTPUT) + "/" + name;
  fs::remove_all(file);
  return file;
}

std::string write_file(const std::string& ending, const std::string& text) {
  const std::string file = fresh_file(ending);
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool exists(const std::string& file) { return fs::exists(file); }

nlohmann::json json_of(const std::string& text) {
  const nlohmann::json out = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(out.is_discarded()) << "this is not one JSON value:\n" << text;
  return out;
}

std::vector<std::string> keys_of(const nlohmann::json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

std::string pendulum_urdf() {
  return R"(<?xml version="1.0"?>
<robot name="swing">
  <link name="world"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 -0.5"/><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="world"/><child link="rod"/>
    <origin xyz="0 0 2"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="10" velocity="20"/>
  </joint>
</robot>
)";
}

}  // namespace condyle::test
