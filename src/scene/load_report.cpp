#include <condyle/load_report.hpp>

#include <algorithm>

namespace condyle {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::applied: return "applied";
    case Outcome::ignored: return "ignored";
    case Outcome::assumed: return "assumed";
    case Outcome::error: return "error";
  }
  return "";
}

void LoadReport::add(Outcome outcome, std::string code, Place place, std::string reason) {
  entries.push_back({std::move(place), outcome, std::move(code), std::move(reason)});
}

int LoadReport::count(Outcome outcome) const {
  return static_cast<int>(
      std::count_if(entries.begin(), entries.end(), [&](const auto& e) { return e.outcome == outcome; }));
}

void LoadReport::append(const LoadReport& other) {
  files.insert(files.end(), other.files.begin(), other.files.end());
  entries.insert(entries.end(), other.entries.begin(), other.entries.end());
  meshes.insert(meshes.end(), other.meshes.begin(), other.meshes.end());
}

}  // namespace condyle
