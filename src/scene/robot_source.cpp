#include "scene/robot_source.hpp"

#include <condyle/model.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <dlfcn.h>

namespace condyle {

namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&library_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code problem;
  const fs::path path = fs::canonical(info.dli_fname, problem);
  return problem ? std::string() : path.parent_path().string();
}

}  // namespace

std::string program_folder() {
  std::error_code problem;
  const fs::path path = fs::read_symlink("/proc/self/exe", problem);
  return problem ? std::string() : path.parent_path().string();
}

std::vector<std::string> folders_upward(const std::string& start) {
  std::vector<std::string> out;
  for (fs::path at(start); !at.empty(); at = at.parent_path()) {
    out.push_back(at.string());
    if (at == at.parent_path()) break;
  }
  return out;
}

std::string data_folder() {
  constexpr std::string_view sign = "robots/pendulum.urdf";
  if (const char* given = std::getenv("CONDYLE_DATA")) {
    for (const fs::path& folder : {fs::path(given), fs::path(given) / "models"})
      if (is_file(folder / sign)) return folder.string();
    throw Error("no-data", Place{}, fmt::format("CONDYLE_DATA is '{}', where there is no models/{}", given, sign),
                "set it to the folder 'models' of Condyle, or unset it");
  }
  for (const std::string& start : {library_folder(), program_folder()})
    for (const fs::path folder : folders_upward(start))
      for (const char* below : {"models", "share/condyle/models"})
        if (is_file(folder / below / sign)) return (folder / below).string();
  throw Error("no-data", Place{},
              fmt::format("Condyle's own models are not found: no models/{} above the library or the program", sign),
              "set CONDYLE_DATA to the folder 'models' of Condyle");
}

std::string robot_source(const std::string& written, const std::string& folder) {
  if (written.starts_with("robot:")) return find_robot(written.substr(6));
  fs::path path(written);
  if (written.starts_with("condyle:"))
    path = fs::path(data_folder()) / written.substr(8);
  else if (path.is_relative())
    path = (fs::path(folder) / path).lexically_normal();
  if (!is_file(path))
    throw Error("no-file", Place{}, fmt::format("there is no file '{}'", path.string()),
                "paths are relative to the scene file; robots of the installed package are written robot:NAME");
  return path.string();
}

}  // namespace condyle
