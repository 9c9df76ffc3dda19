// Section `solver` of a scene file: which solver, how exactly, and the laws by which positions enter it.
#include "scene/scene_file.hpp"

namespace condyle {
namespace {

LawKind read_law(const YamlView& value) {
  const std::string word = value.word({"rigid", "near_rigid", "softened", "softened_crbd"});
  return word == "rigid"        ? LawKind::rigid
         : word == "near_rigid" ? LawKind::near_rigid
         : word == "softened"   ? LawKind::softened
                                : LawKind::softened_crbd;
}

Correction read_correction(const YamlView& value) {
  const std::string word = value.word({"split", "baumgarte", "none"});
  return word == "split" ? Correction::split : word == "baumgarte" ? Correction::baumgarte : Correction::none;
}

struct LawNumber {
  const char* key;
  double LawOptions::*field;
  NumberRange range;
};

constexpr NumberRange inside{1e-9, 1 - 1e-9, "above 0 and below 1"};
constexpr LawNumber law_numbers[] = {
    {"gain", &LawOptions::gain, {1e-9, 1, "above 0 and at most 1"}},
    {"depenetration_speed", &LawOptions::depenetration_speed, {1e-9, 1e9, "between 1e-9 and 1e9 m/s"}},
    {"slop", &LawOptions::slop, {0, 1, "between 0 and 1 m"}},
    {"restitution_threshold", &LawOptions::restitution_threshold, {0, 1e9, "between 0 and 1e9 m/s"}},
    {"sigma_slip", &LawOptions::sigma_slip, {0, 1e3, "between 0 and 1000"}},
    {"near_rigid_beta", &LawOptions::near_rigid_beta, {1e-6, 1e6, "between 1e-6 and 1e6"}},
    {"time_constant", &LawOptions::time_constant, {1e-9, 1e9, "between 1e-9 and 1e9 s"}},
    {"damping_ratio", &LawOptions::damping_ratio, {1e-6, 1e6, "between 1e-6 and 1e6"}},
    {"impedance_0", &LawOptions::impedance_0, inside},
    {"impedance_width", &LawOptions::impedance_width, inside},
    {"width", &LawOptions::width, {0, 1e3, "between 0 and 1000 m"}},
    {"midpoint", &LawOptions::midpoint, inside},
    {"power", &LawOptions::power, {1, 100, "between 1 and 100"}},
};

}  // namespace

void read_solver(const YamlView& section, RunDefaults& out) {
  section.allow_keys({"name", "tolerance", "max_iterations", "law", "correction", "gain", "depenetration_speed", "slop",
                      "restitution_threshold", "sigma_slip", "near_rigid_beta", "time_constant", "damping_ratio",
                      "impedance_0", "impedance_width", "width", "midpoint", "power"});
  if (const auto v = section.find("name"))
    out.solver = v->word({"auto", "admm", "admm-ccp", "sap", "canal", "subadmm", "pgs-ccp", "pgs-ncp", "nbgs", "raisim",
                          "raisim-ds", "raisim-ds-es", "bpp", "pgs", "pgs-sm", "spook"});
  if (const auto v = section.find("tolerance")) out.tolerance = v->number({1e-16, 1, "between 1e-16 and 1 m/s"});
  if (const auto v = section.find("max_iterations")) out.max_iterations = v->integer(1, 1'000'000'000);
  if (const auto v = section.find("law")) out.laws.kind = read_law(*v);
  if (const auto v = section.find("correction")) out.laws.correction = read_correction(*v);
  for (const LawNumber& number : law_numbers)
    if (const auto v = section.find(number.key)) out.laws.*number.field = v->number(number.range);
}

}  // namespace condyle
