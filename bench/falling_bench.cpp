// The step of heaps while they fall and pile up, from the first contacts until most of them lie: impacts, sliding, sticking
// and letting go at once. Mean and slowest step, factorizations, the share of the steps by the last method that ran, and how
// the cost grows with the number of bodies; the certificate stands beside the times.
//   falling_bench [SCENE N ...]      box_pile 40 100 300 and sphere_pile 40 100 300
#include <condyle/condyle.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {
using namespace condyle;

constexpr double first_contacts = 0.15, end = 1;  ///< s

/// Mean milliseconds of a step.
double fall(const std::string& name, int n) {
  const Scene scene = load_scene(name, {.parameters = {{"n", std::to_string(n)}}});
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  options.laws = scene.defaults().laws;
  options.account_energy = false;
  Simulator simulator(scene, options);
  State state = scene.initial_state();
  std::map<std::string, int> by;
  double sum = 0, slowest = 0, residual = 0, factorizations = 0, contacts = 0;
  int steps = 0, certified = 0;
  while (state.t < end) {
    const StepReport& report = simulator.step(state);
    if (state.t < first_contacts) continue;
    double ms = 0;
    for (const double us : report.stage_us) ms += 1e-3 * us;
    sum += ms;
    slowest = std::max(slowest, ms);
    residual = std::max(residual, report.residual);
    factorizations += report.factorizations;
    contacts = std::max<double>(contacts, report.contacts);
    certified += report.certified();
    ++by[report.path];
    ++steps;
  }
  fmt::print(
      "{} of {}: {} steps, up to {:.0f} contacts; mean {:.2f} ms a step, slowest {:.1f}; {:.0f} factorizations a step\n",
      name, n, steps, contacts, sum / steps, slowest, factorizations / steps);
  fmt::print("  {} of {} certified, residual at most {:.1e} m/s\n", certified, steps, residual);
  std::vector<std::pair<int, std::string>> ways;
  for (const auto& [path, count] : by) ways.emplace_back(count, path);
  std::sort(ways.rbegin(), ways.rend());
  for (std::size_t k = 0; k < std::min<std::size_t>(5, ways.size()); ++k)
    fmt::print("  {:>5.1f} % by {}\n", 100.0 * ways[k].first / steps, ways[k].second);
  std::fflush(stdout);
  return sum / steps;
}

void grow(const std::string& name, const std::vector<int>& sizes) {
  std::vector<double> means;
  for (const int n : sizes) means.push_back(fall(name, n));
  for (std::size_t k = 1; k < sizes.size(); ++k)
    fmt::print("from {} to {} a step grows with the exponent {:.2f}\n", sizes[k - 1], sizes[k],
               std::log(means[k] / means[k - 1]) / std::log(double(sizes[k]) / sizes[k - 1]));
}
}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int k = 2; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
  if (sizes.empty()) sizes = {40, 100, 300};
  if (argc > 1) {
    grow(argv[1], sizes);
    return 0;
  }
  grow("box_pile", sizes);
  grow("sphere_pile", sizes);
}
