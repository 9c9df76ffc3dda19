#pragma once
// Loop closures, motors and retyped joints beside a URDF, in the form of example-parallel-robots' robot.yaml.
#include <condyle/model.hpp>

#include <string>

namespace condyle {

/// The sidecar to read: options.sidecar, else <stem>.yaml or robot.yaml beside the file if it is one; empty: none.
std::string find_sidecar(const std::string& model_file, const ReadOptions& options);

/// Adds what the sidecar says. Throws `unknown-joint`, `unknown-frame`, `unknown-joint-type`, `bad-sidecar`.
void apply_sidecar(ModelDescription& model, const std::string& sidecar, const ReadOptions& options, LoadReport& report);

/// One entry for each closure with its error at the reference pose.
void judge_closures(const ModelDescription& model, LoadReport& report);

struct ClosureError {
  double length = 0, angle = 0;  ///< m, rad
};

/// How far two frames are apart in the directions that a closure of this kind holds.
ClosureError closure_error(ClosureKind kind, const Pose& a, const Pose& b);

}  // namespace condyle
