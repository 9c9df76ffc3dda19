#pragma once
// From a residual and a velocity to (b, R): ALGORITHMS section 3. Scalars in, scalars out; solvers never see laws.
#include <condyle/contact_laws.hpp>
#include <condyle/scene.hpp>

namespace condyle {

struct RowLaw {
  double bias = 0, compliance = 0;  ///< b [m/s or rad/s], R [1/kg or 1/(kg m²)]
};

/// What a law may know of a row.
struct RowFacts {
  double residual = 0;  ///< f, or the gap: m or rad
  double velocity = 0;  ///< (J v0) of the row
  double weight = 0;    ///< w of its block
  double diagonal = 0;  ///< G_rr of the row itself
};

/// Loop closures and couplings, on top of the caller's bias.
RowLaw bilateral_law(const LawOptions& options, double dt, const RowFacts& row);

/// Joint limits.
RowLaw limit_law(const LawOptions& options, double dt, const RowFacts& row);

/// Dry friction of joints: b = 0.
RowLaw rubbing_law(const LawOptions& options, double weight);

struct ContactLaw {
  double bias[3] = {0, 0, 0};      ///< t1, t2, n
  double tangent = 0, normal = 0;  ///< R
};
/// `velocity`: J v0 of the three rows; `diagonal`: G_rr of a tangent (the mean of both) and of the normal.
ContactLaw contact_law(const LawOptions& options, const Material& material, double dt, double gap, const double velocity[3],
                       double weight, double tangent_diagonal, double normal_diagonal);

/// Softened laws would brake at a distance: their limits and contacts exist only while they are violated.
inline bool exists(const LawOptions& options, double gap) {
  return gap < 0 || options.kind == LawKind::rigid || options.kind == LawKind::near_rigid;
}

/// Whether penetration of this contact is an error that a position solve may take away, and not what its law lives on.
inline bool penetration_is_error(const LawOptions& options, const Material& material) {
  return options.kind == LawKind::rigid && material.stiffness == unlimited;
}

/// b of one row of the split correction: the share of an error that this step removes, or the room that is left.
double correction_bias(const LawOptions& options, double dt, double gap);

/// MuJoCo's impedance d of a residual.
double impedance(const LawOptions& options, double residual);

}  // namespace condyle
