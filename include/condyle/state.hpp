#pragma once
#include <condyle/eigen_abi.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace condyle {

/// What a constraint transmitted in the last step: where the next solve begins. Whoever changes q or v by hand may clear
/// them.
struct WarmImpulse {
  std::uint64_t id = 0;                    ///< of the constraint
  std::array<double, 3> impulse{0, 0, 0};  ///< N s (N m s), in the constraint's own axes; unused entries 0
};

/// Everything the next step reads. Copy it to branch a simulation; two equal states have equal futures, bit for bit.
struct State {
  Eigen::VectorXd q;              ///< nq: trees in scene order, then free bodies; poses are x y z, quaternion x y z w
  Eigen::VectorXd v;              ///< nv: velocities in the frames Pinocchio uses (free bodies: body axes, linear first)
  double t = 0;                   ///< s
  std::uint64_t step = 0;         ///< steps taken since the scene's initial state
  std::vector<WarmImpulse> warm;  ///< ascending ids

  /// Bit-for-bit equality (NaN equals itself, 0 and -0 differ).
  bool operator==(const State& other) const;
  bool finite() const;
};

/// 64-bit hash of every bit of the state; the same on every machine.
std::uint64_t hash(const State& state);

/// Writes a state file that restore() reads back bit for bit. `scene_identity` ties it to its scene.
void save(const State& state, std::uint64_t scene_identity, const std::string& file);
/// Throws Error if the file is damaged or belongs to another scene.
State restore(const std::string& file, std::uint64_t scene_identity);

}  // namespace condyle
