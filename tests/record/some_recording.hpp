#pragma once
// A scene of free bodies made by hand, states with every kind of number, and the recordings that the tests use.
#include <condyle/recording.hpp>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "scene/scene_data.hpp"

namespace condyle::testing {

inline Scene scene_of_free_bodies(int count, std::uint64_t identity = 0x0123456789ABCDEFull) {
  auto data = std::make_shared<SceneData>();
  data->name = "crates";
  data->identity = identity;
  for (int i = 0; i < count; ++i) {
    FreeBody body;
    body.name = "crate_" + std::to_string(i);
    body.inertial.mass = 1 + i;
    body.inertial.inertia.setIdentity();
    body.velocity.setZero();
    body.q = 7 * i;
    body.v = 6 * i;
    data->free_bodies.push_back(body);
  }
  data->nq = 7 * count;
  data->nv = 6 * count;
  return Scene(data);
}

/// A state that differs in every entry from those of other steps.
inline State some_state(const Scene& scene, std::uint64_t step) {
  State x;
  x.q.resize(scene.nq());
  x.v.resize(scene.nv());
  for (Eigen::Index i = 0; i < x.q.size(); ++i) x.q[i] = std::sin(static_cast<double>(step) + 0.1 * static_cast<double>(i));
  for (Eigen::Index i = 0; i < x.v.size(); ++i) x.v[i] = std::cos(static_cast<double>(step) - 0.1 * static_cast<double>(i));
  x.step = step;
  x.t = 1e-3 * static_cast<double>(step);
  for (std::uint64_t k = 0; k < step % 4; ++k)
    x.warm.push_back({10 * step + k, {0.5 * static_cast<double>(k), -1.0, static_cast<double>(step)}});
  return x;
}

/// Step i has 2 i mod 5 constraints.
inline std::vector<ConstraintRow> some_constraints(std::uint64_t step) {
  std::vector<ConstraintRow> out((2 * step) % 5);
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].id = 100 * step + k;
    out[k].kind = k % 2 ? ConstraintKind::joint_limit : ConstraintKind::contact;
    out[k].body_a = -1;
    out[k].body_b = static_cast<int>(k);
    out[k].point = Eigen::Vector3d(static_cast<double>(step), static_cast<double>(k), 0.25);
    out[k].impulse = Eigen::Vector3d(0, 0, 1e-3 * static_cast<double>(k + 1));
    out[k].mode = ContactMode::stick;
    out[k].gap = -1e-6 * static_cast<double>(k);
  }
  return out;
}

/// Numbers that a careless reader or writer changes.
inline State hostile_state(const Scene& scene) {
  State x = some_state(scene, 7);
  x.q[0] = std::bit_cast<double>(0x7FF8DEADBEEF0001ull);  // a NaN with a payload
  x.q[1] = std::bit_cast<double>(0x7FF0000000000001ull);  // a signalling NaN
  x.q[2] = -0.0;
  x.q[3] = std::numeric_limits<double>::denorm_min();
  x.v[0] = -std::numeric_limits<double>::infinity();
  x.v[1] = std::numeric_limits<double>::max();
  x.v[2] = std::bit_cast<double>(0xFFFFFFFFFFFFFFFFull);
  x.t = -0.0;
  x.step = std::numeric_limits<std::uint64_t>::max();
  return x;
}

inline Eigen::VectorXd some_control(const Scene& scene, std::uint64_t step) {
  return Eigen::VectorXd::LinSpaced(scene.nv(), static_cast<double>(step), static_cast<double>(step) + 1);
}

inline StepReport some_report(std::uint64_t step) {
  const double x = static_cast<double>(step);
  StepReport report;
  report.step = step;
  report.t = 1e-3 * x;
  report.status = static_cast<StepStatus>(step % 3);
  report.residual = 1e-9 * x;
  report.contacts = static_cast<int>(step);
  report.rows = static_cast<int>(3 * step);
  report.iterations = static_cast<int>(5 * step);
  report.factorizations = static_cast<int>(7 * step);
  report.energy = {x + 0.25, x + 0.5, x + 0.75};
  report.energy_change = -x;
  report.limit_violation = 0.1 * x;
  report.penetration = 0.2 * x;
  report.closure_m = 0.3 * x;
  report.closure_rad = 0.4 * x;
  report.slip = 0.5 * x;
  for (int k = 0; k < stage_count; ++k) report.stage_us[static_cast<std::size_t>(k)] = x + 0.01 * k;
  return report;
}

/// Frames 0 (start) to `last`.
inline void record_steps(Recorder& recorder, const Scene& scene, std::uint64_t last) {
  recorder.start(some_state(scene, 0));
  for (std::uint64_t i = 1; i <= last; ++i)
    recorder.add(some_state(scene, i), some_control(scene, i), some_report(i), some_constraints(i));
}

inline std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline void write_bytes(const std::string& file, const std::string& bytes) {
  std::filesystem::remove(file);  // overwriting makes some file systems wait for the disk
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace condyle::testing
