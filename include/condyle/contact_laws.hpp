#pragma once
// How positions enter the contact problem: the laws of ALGORITHMS section 3 that give (b, R).
#include <limits>

namespace condyle {

enum class LawKind {
  rigid,         ///< R = 0; a material with stiffness is compliant
  near_rigid,    ///< SAP 29-30: the stiffest contact that a step of dt resolves; what SAP needs
  softened,      ///< MuJoCo's solref and solimp, in the form that decays with the stated time constant
  softened_crbd  ///< CRBD 106, 110 as printed
};

/// How errors that already exist (overlap at the start, drift) are taken away.
enum class Correction {
  split,      ///< in a position solve of its own, which leaves no velocity behind
  baumgarte,  ///< as part of b: the error's share is left as velocity
  none
};

struct LawOptions {
  LawKind kind = LawKind::rigid;
  Correction correction = Correction::split;
  double gain = 0.2;                  ///< (0, 1]: share of a penetration or limit error removed in a step
  double depenetration_speed = 0.05;  ///< m/s (rad/s), > 0: no error is removed faster
  /// m (rad), >= 0: rigid gaps and errors up to this count as touching; errors are reduced to this (split: once they are
  /// twice as large, overlaps once they are ten times as large)
  double slop = 1e-7;
  double restitution_threshold = 0.01;  ///< m/s, >= 0: slower impacts do not bounce
  double sigma_slip = 1e-3;             ///< near-rigid and compliant friction: R_t = sigma_slip w
  double near_rigid_beta = 1;           ///< SAP's β
  // softened
  double time_constant = 0.02;  ///< s, taken as at least 2 dt
  double damping_ratio = 1;
  double impedance_0 = 0.9, impedance_width = 0.95, width = 1e-3 /* m */, midpoint = 0.5, power = 2;

  void check() const;  ///< throws Error naming the bad field
};

}  // namespace condyle
