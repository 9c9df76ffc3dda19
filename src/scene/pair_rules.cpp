// What two materials make of each other where they touch.
#include <condyle/scene.hpp>

#include <algorithm>
#include <cmath>

namespace condyle {

const char* to_string(PairRules::Friction rule) {
  switch (rule) {
    case PairRules::Friction::harmonic: return "harmonic";
    case PairRules::Friction::minimum: return "minimum";
    case PairRules::Friction::maximum: return "maximum";
    case PairRules::Friction::mean: return "mean";
    case PairRules::Friction::geometric: return "geometric";
    case PairRules::Friction::product: return "product";
  }
  return "";
}

const char* to_string(PairRules::Restitution rule) {
  switch (rule) {
    case PairRules::Restitution::maximum: return "maximum";
    case PairRules::Restitution::minimum: return "minimum";
    case PairRules::Restitution::mean: return "mean";
    case PairRules::Restitution::product: return "product";
  }
  return "";
}

const char* to_string(PairRules::Stiffness rule) {
  switch (rule) {
    case PairRules::Stiffness::series: return "series";
    case PairRules::Stiffness::minimum: return "minimum";
    case PairRules::Stiffness::maximum: return "maximum";
  }
  return "";
}

namespace {

double friction_of(double a, double b, PairRules::Friction rule) {
  switch (rule) {
    case PairRules::Friction::harmonic: return a + b > 0 ? 2 * a * (b / (a + b)) : 0;
    case PairRules::Friction::minimum: return std::min(a, b);
    case PairRules::Friction::maximum: return std::max(a, b);
    case PairRules::Friction::mean: return 0.5 * (a + b);
    case PairRules::Friction::geometric: return std::sqrt(a) * std::sqrt(b);
    case PairRules::Friction::product: return a * b;
  }
  return 0;
}

double restitution_of(double a, double b, PairRules::Restitution rule) {
  switch (rule) {
    case PairRules::Restitution::maximum: return std::max(a, b);
    case PairRules::Restitution::minimum: return std::min(a, b);
    case PairRules::Restitution::mean: return 0.5 * (a + b);
    case PairRules::Restitution::product: return a * b;
  }
  return 0;
}

double stiffness_of(double a, double b, PairRules::Stiffness rule) {
  switch (rule) {
    case PairRules::Stiffness::series: return 1 / (1 / a + 1 / b);  // a rigid side adds 1/inf = 0; two give infinity again
    case PairRules::Stiffness::minimum: return std::min(a, b);
    case PairRules::Stiffness::maximum: return std::max(a, b);
  }
  return unlimited;
}

}  // namespace

Material contact_material(const Material& a, const Material& b, const PairRules& rules) {
  Material out;
  out.friction = a.friction == b.friction && rules.friction != PairRules::Friction::product
                     ? a.friction  // every mean of equal numbers, without its rounding
                     : friction_of(a.friction, b.friction, rules.friction);
  out.restitution = restitution_of(a.restitution, b.restitution, rules.restitution);
  out.stiffness = stiffness_of(a.stiffness, b.stiffness, rules.stiffness);
  // The softer side yields more and so dissipates more; two rigid ones yield alike.
  const double ca = 1 / a.stiffness, cb = 1 / b.stiffness, c = ca + cb;
  const double share = c > 0 ? ca / c : 0.5;
  out.dissipation_time = share * a.dissipation_time + (1 - share) * b.dissipation_time;
  return out;
}

}  // namespace condyle
