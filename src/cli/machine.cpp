#include "cli/machine.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace condyle::cli {

namespace fs = std::filesystem;

std::vector<LoadedLibrary> loaded_libraries() {
  std::vector<LoadedLibrary> out;
  const auto visit = [](dl_phdr_info* info, std::size_t, void* data) {
    static constexpr std::array<std::string_view, 15> wanted = {
        "libcondyle", "libpinocchio", "libcoal",     "liburdfdom", "libtinyxml2", "libconsole_bridge",
        "libassimp",  "liboctomap",   "libyaml-cpp", "libhdf5",    "libfmt",      "libboost",
        "libstdc++",  "libm.",        "libc."};
    const fs::path path = info->dlpi_name;
    const std::string file = path.filename().string();
    if (std::any_of(wanted.begin(), wanted.end(), [&](std::string_view start) { return file.starts_with(start); }))
      static_cast<std::vector<LoadedLibrary>*>(data)->push_back(
          {file.substr(0, file.find(".so")), path.lexically_normal().string()});
    return 0;
  };
  dl_iterate_phdr(visit, &out);
  std::sort(out.begin(), out.end(), [](const LoadedLibrary& a, const LoadedLibrary& b) { return a.name < b.name; });
  return out;
}

std::vector<std::string> cpu_features() {
  std::vector<std::string> out;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto add = [&](bool has, const char* name) {
    if (has) out.emplace_back(name);
  };
  add(__builtin_cpu_supports("sse4.2"), "sse4.2");
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
#endif
  return out;
}

std::string short_path(const std::string& path) {
  std::error_code problem;
  const fs::path here = fs::current_path(problem);
  if (problem || path.empty() || path.front() != '/') return path;
  const std::string relative = fs::path(path).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

}  // namespace condyle::cli
