#include "solvers/registry.hpp"

#include "scene/names.hpp"

#include <condyle/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace condyle {

namespace {

struct Parameter {
  const char *name, *fallback, *meaning;
  double low, high;
  bool whole;
  void (*set)(SolverChoice&, double);
};

const std::vector<Parameter>& admm_parameters() {
  static const std::vector<Parameter> all = {
      {"rho", "0.03", "penalty, in scaled variables", 1e-12, 1e12, false, [](SolverChoice& c, double x) { c.admm.rho = x; }},
      {"eta", "1e-6", "proximal weight, in scaled variables", 0, 1e6, false,
       [](SolverChoice& c, double x) { c.admm.eta = x; }},
      {"omega", "1", "over-relaxation", 0.1, 1.99, false, [](SolverChoice& c, double x) { c.admm.omega = x; }},
      {"memory", "10", "differences that the Anderson acceleration keeps; 0: none", 0, 50, true,
       [](SolverChoice& c, double x) { c.admm.memory = static_cast<int>(x); }},
      {"check", "5", "iterations between two looks at the residual", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.admm.check = static_cast<int>(x); }},
      {"penalty", "0", "rule for rho: 0 fixed, 1 linear, 2 spectral (with memory = 0: the ADMM of the paper)", 0, 2, true,
       [](SolverChoice& c, double x) { c.admm.rule = static_cast<PenaltyRule>(static_cast<int>(x)); }},
      {"hold", "20", "at most one change of rho in so many iterations; 1: at any iteration", 1, 1e9, true,
       [](SolverChoice& c, double x) { c.admm.hold = static_cast<int>(x); }},
      {"balance", "10", "rho changes when one residual is so many times the other", 1, 1e6, false,
       [](SolverChoice& c, double x) { c.admm.alpha = x; }},
      {"tau", "2", "linear rule: factor of a change of rho", 1.001, 1e3, false,
       [](SolverChoice& c, double x) { c.admm.tau = x; }},
      {"exponent", "0.2", "spectral rule: first p of rho = sqrt(m L) (L/m)^p", -1, 1, false,
       [](SolverChoice& c, double x) { c.admm.exponent = x; }},
      {"exponent_step", "0.05", "spectral rule: change of p", 1e-4, 1, false,
       [](SolverChoice& c, double x) { c.admm.exponent_step = x; }},
      {"eps_abs", "0", "above 0: stops on ADMM's own test (43) in N s, m/s and J, whatever the tolerance", 0, 1e6, false,
       [](SolverChoice& c, double x) { c.admm.eps_abs = x; }},
  };
  return all;
}

const std::vector<Parameter>& common_parameters() {
  static const std::vector<Parameter> all = {
      {"form", "0", "0 automatic, 1 dense dual, 2 dense primal, 3 sparse dual, 4 sparse primal", 0, 4, true,
       [](SolverChoice& c, double x) { c.form = static_cast<Form>(static_cast<int>(x)); }},
      {"islands", "1", "0: all constraints in one system", 0, 1, true,
       [](SolverChoice& c, double x) { c.islands = x != 0; }},
      {"scale", "1", "0: the problem's own units instead of block scaling", 0, 1, true,
       [](SolverChoice& c, double x) { c.scaled = x != 0; }},
  };
  return all;
}

const std::vector<Parameter>& ladder_parameters() {
  static const std::vector<Parameter> all = {
      {"admm_iterations", "400", "before Newton takes over", 0, 1e9, true,
       [](SolverChoice& c, double x) { c.admm.max_iterations = static_cast<int>(x); }},
      {"alpha", "0.01", "first proximal weight of the closer, in scaled variables", 1e-12, 1e6, false,
       [](SolverChoice& c, double x) { c.proximal.alpha = x; }},
      {"newton_rho", "10", "step of the Newton function", 1e-6, 1e6, false,
       [](SolverChoice& c, double x) { c.proximal.rho = x; }},
      {"small_rows", "60", "islands up to this size begin with Newton", 0, 1e9, true,
       [](SolverChoice& c, double x) { c.small_rows = static_cast<int>(x); }},
      {"warm_newton", "1", "0: a start goes to ADMM at once", 0, 1, true,
       [](SolverChoice& c, double x) { c.warm_newton = x != 0; }},
  };
  return all;
}

template <class Options>
void set_search(Options& options, double x) {
  options.newton.search = x == 0 ? SearchKind::exact : SearchKind::armijo;
}

const std::vector<Parameter>& sap_parameters() {
  static const std::vector<Parameter> all = {
      {"rel_tol", "1e-6", "stop at this share of the momenta", 1e-15, 1, false,
       [](SolverChoice& c, double x) { c.sap.relative = x; }},
      {"until_certified", "1", "0: the paper's stopping rule alone", 0, 1, true,
       [](SolverChoice& c, double x) { c.sap.until_certified = x != 0; }},
      {"sigma_slip", "1e-3", "R_t / w of friction rows to which the law gives no compliance", 1e-12, 1e3, false,
       [](SolverChoice& c, double x) { c.sap.sigma_slip = x; }},
      {"near_rigid_beta", "1", "other rows without compliance get beta^2/(4 pi^2) w", 1e-6, 1e3, false,
       [](SolverChoice& c, double x) { c.sap.near_rigid_beta = x; }},
      {"start", "1", "0 free motion, 1 the last velocity, 2 the last impulses", 0, 2, true,
       [](SolverChoice& c, double x) { c.sap.start = static_cast<SapOptions::Start>(static_cast<int>(x)); }},
      {"iterations", "1000", "Newton steps at most", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.sap.newton.max_iterations = static_cast<int>(x); }},
      {"search", "0", "0 exact line search, 1 Armijo", 0, 1, true, [](SolverChoice& c, double x) { set_search(c.sap, x); }},
      {"reuse", "0", "a factor is kept while the contacts' stiffness changes by this share", 0, 1, false,
       [](SolverChoice& c, double x) { c.sap.newton.reuse = x; }},
  };
  return all;
}

const std::vector<Parameter>& canal_parameters() {
  static const std::vector<Parameter> all = {
      {"beta", "100", "penalty, in scaled variables", 1e-6, 1e12, false,
       [](SolverChoice& c, double x) { c.canal.beta = x; }},
      {"kappa", "1", "the penalty grows by this where a multiplier step did too little; 1: never", 1, 1e6, false,
       [](SolverChoice& c, double x) { c.canal.kappa = x; }},
      {"zeta", "0.25", "too little: more than this share of the residual is left", 0, 1, false,
       [](SolverChoice& c, double x) { c.canal.zeta = x; }},
      {"beta_max", "1e7", "largest penalty", 1e-6, 1e15, false, [](SolverChoice& c, double x) { c.canal.beta_max = x; }},
      {"passes", "1", "on De Saxcé's term for each multiplier; 1: lagged", 1, 1000, true,
       [](SolverChoice& c, double x) { c.canal.passes = static_cast<int>(x); }},
      {"memory", "10", "of the acceleration of multipliers and De Saxcé's term; 0: none", 0, 50, true,
       [](SolverChoice& c, double x) { c.canal.memory = static_cast<int>(x); }},
      {"patience", "15", "multiplier steps in which the residual must halve, else the penalty grows tenfold", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.canal.patience = static_cast<int>(x); }},
      {"outer", "100", "multiplier steps at most", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.canal.max_outer = static_cast<int>(x); }},
      {"newton", "300", "Newton steps at most", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.canal.max_newton = static_cast<int>(x); }},
      {"inner_share", "0.1", "of the outer residual, at which an inner problem ends", 1e-12, 1, false,
       [](SolverChoice& c, double x) { c.canal.inner_share = x; }},
      {"inner", "0", "0 proximal operator; strict operator by 1 damped Newton, 2 dogleg", 0, 2, true,
       [](SolverChoice& c, double x) { c.canal.strict = static_cast<StrictMethod>(static_cast<int>(x)); }},
      {"closer", "1", "0: no hand-over to proximal Newton", 0, 1, true,
       [](SolverChoice& c, double x) { c.closer = x != 0; }},
      {"search", "0", "0 exact line search, 1 Armijo", 0, 1, true,
       [](SolverChoice& c, double x) { set_search(c.canal, x); }},
      {"reuse", "0", "a factor is kept while the contacts' stiffness changes by this share", 0, 1, false,
       [](SolverChoice& c, double x) { c.canal.newton.reuse = x; }},
  };
  return all;
}

const std::vector<Parameter>& subadmm_parameters() {
  static const std::vector<Parameter> all = {
      {"beta", "3", "first penalty, in scaled variables; 0: `density` times the mean pseudo-density", 0, 1e12, false,
       [](SolverChoice& c, double x) { c.subadmm.beta = x; }},
      {"density", "1", "see beta", 1e-6, 1e6, false, [](SolverChoice& c, double x) { c.subadmm.density = x; }},
      {"gamma", "10", "beta changes when one residual is so many times the other", 1, 1e6, false,
       [](SolverChoice& c, double x) { c.subadmm.gamma = x; }},
      {"hold", "20", "iterations between two looks at beta; 0: it stays", 0, 1e9, true,
       [](SolverChoice& c, double x) { c.subadmm.hold = static_cast<int>(x); }},
      {"memory", "10", "differences that the Anderson acceleration keeps; 0: none, as in the paper", 0, 50, true,
       [](SolverChoice& c, double x) { c.subadmm.memory = static_cast<int>(x); }},
      {"check", "5", "iterations between two looks at the residual", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.subadmm.check = static_cast<int>(x); }},
      {"split", "0", "0 by tree and body, 1 by tree alone, 2 not at all: one system", 0, 2, true,
       [](SolverChoice& c, double x) { c.subadmm.split = static_cast<Splitting>(static_cast<int>(x)); }},
  };
  return all;
}

const std::vector<Parameter>& pgs_parameters() {
  static const std::vector<Parameter> all = {
      {"omega", "1", "relaxation", 1e-3, 1.99, false, [](SolverChoice& c, double x) { c.pgs.omega = x; }},
      {"check", "5", "sweeps between two looks at the residual", 1, 1e6, true,
       [](SolverChoice& c, double x) { c.pgs.check = static_cast<int>(x); }},
  };
  return all;
}

const std::vector<Parameter>& cone_pgs_parameters() {
  static const std::vector<Parameter> all = {
      {"de_saxce", "0", "1: with De Saxcé's correction, which makes it the exact law", 0, 1, true,
       [](SolverChoice& c, double x) {
         c.pgs.de_saxce = x != 0;
         c.convex = x == 0;
       }},
  };
  return all;
}

struct Entry {
  const char *name, *solves, *summary;
  std::vector<const std::vector<Parameter>*> parameters;
  void (*set)(SolverChoice&);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"auto",
       "NCP",
       "the cheapest method that reaches the tolerance, from Newton to interior points and proximal paths; ten sweeps count "
       "as "
       "one iteration where these are limited",
       {&admm_parameters(), &ladder_parameters(), &common_parameters()},
       [](SolverChoice&) {}},
      {"admm",
       "NCP",
       "ADMM: one factorization and Anderson acceleration, or a penalty that follows the residuals",
       {&admm_parameters(), &common_parameters()},
       [](SolverChoice& c) { c.method = Method::admm; }},
      {"admm-ccp",
       "CCP",
       "the same for the convex model: sliding contacts glide apart",
       {&admm_parameters(), &common_parameters()},
       [](SolverChoice& c) {
         c.method = Method::admm;
         c.convex = true;
       }},
      {"sap",
       "CCP",
       "Newton's method with exact line search on the compliant convex model: sliding contacts glide apart",
       {&sap_parameters(), &common_parameters()},
       [](SolverChoice& c) {
         c.method = Method::sap;
         c.convex = true;
       }},
      {"canal",
       "NCP",
       "augmented Lagrangian over the same Newton core, closed by proximal Newton",
       {&canal_parameters(), &common_parameters()},
       [](SolverChoice& c) { c.method = Method::canal; }},
      {"subadmm",
       "NCP",
       "ADMM tree by tree and constraint by constraint: cheap iterations that run side by side",
       {&subadmm_parameters(), &common_parameters()},
       [](SolverChoice& c) { c.method = Method::subadmm; }},
      {"subadmm-ccp",
       "CCP",
       "the same for the convex model: sliding contacts glide apart",
       {&subadmm_parameters(), &common_parameters()},
       [](SolverChoice& c) {
         c.method = Method::subadmm;
         c.convex = true;
       }},
      {"pgs-ncp",
       "NCP",
       "projected Gauss-Seidel, normal then tangent",
       {&pgs_parameters(), &common_parameters()},
       [](SolverChoice& c) { c.method = Method::pgs; }},
      {"pgs-ccp",
       "CCP",
       "projected Gauss-Seidel onto the friction cone",
       {&pgs_parameters(), &cone_pgs_parameters(), &common_parameters()},
       [](SolverChoice& c) {
         c.method = Method::pgs;
         c.pgs.ncp = false;
         c.convex = true;
       }},
  };
  return all;
}

Error bad_option(const std::string& code, const std::string& element, const std::string& reason, const std::string& cure) {
  return Error(code, Place{"", 0, element}, reason, cure);
}

}  // namespace

void SolverOptions::check() const {
  if (!(tolerance >= 0) || !std::isfinite(tolerance))
    throw bad_option("bad-number", "SolverOptions.tolerance", fmt::format("{} is no tolerance", tolerance),
                     "give a number from 0 upwards; 0 asks for exactly max_iterations");
  if (max_iterations < 1)
    throw bad_option("bad-number", "SolverOptions.max_iterations", fmt::format("{} iterations are too few", max_iterations),
                     "give at least 1");
  if (threads < 1)
    throw bad_option("bad-number", "SolverOptions.threads", fmt::format("{} threads are too few", threads),
                     "give at least 1");
  if (!(time_limit_ms >= 0) || !std::isfinite(time_limit_ms))
    throw bad_option("bad-number", "SolverOptions.time_limit_ms", fmt::format("{} ms are no time", time_limit_ms),
                     "give milliseconds, or 0 for no limit");
  choose_solver(*this);
}

SolverChoice choose_solver(const SolverOptions& options) {
  const Entry* chosen = nullptr;
  std::vector<std::string> names;
  for (const Entry& entry : entries()) {
    names.emplace_back(entry.name);
    if (options.solver == entry.name) chosen = &entry;
  }
  if (!chosen)
    throw bad_option("unknown-solver", "SolverOptions.solver",
                     fmt::format("there is no solver '{}'{}", options.solver, did_you_mean(options.solver, names)),
                     fmt::format("one of {}", fmt::join(names, ", ")));
  SolverChoice choice;
  chosen->set(choice);
  for (const auto& [key, value] : options.parameters) {
    const std::string name = key.starts_with("solver.") ? key.substr(7) : key;
    const Parameter* parameter = nullptr;
    std::vector<std::string> known;
    for (const std::vector<Parameter>* list : chosen->parameters)
      for (const Parameter& p : *list) {
        known.emplace_back(p.name);
        if (name == p.name) parameter = &p;
      }
    if (!parameter)
      throw bad_option("unknown-parameter", "SolverOptions.parameters",
                       fmt::format("solver '{}' has no parameter '{}'{}", chosen->name, name, did_you_mean(name, known)),
                       fmt::format("one of {}", fmt::join(known, ", ")));
    if (!(value >= parameter->low && value <= parameter->high) || (parameter->whole && value != std::floor(value)))
      throw bad_option("bad-number", "SolverOptions.parameters",
                       fmt::format("{} = {} is out of range", parameter->name, value),
                       fmt::format("a {} between {} and {}", parameter->whole ? "whole number" : "number", parameter->low,
                                   parameter->high));
    parameter->set(choice, value);
  }
  return choice;
}

const std::vector<SolverInfo>& solvers() {
  static const std::vector<SolverInfo> all = [] {
    std::vector<SolverInfo> out;
    for (const Entry& entry : entries()) {
      SolverInfo info{entry.name, entry.solves, entry.summary, {}};
      for (const std::vector<Parameter>* list : entry.parameters)
        for (const Parameter& p : *list)
          info.parameters.push_back(fmt::format("{} = {}   {}", p.name, p.fallback, p.meaning));
      out.push_back(info);
    }
    return out;
  }();
  return all;
}

const char* to_string(SolverStatus::Code code) {
  switch (code) {
    case SolverStatus::Code::solved: return "solved";
    case SolverStatus::Code::inaccurate: return "inaccurate";
    case SolverStatus::Code::stalled: return "stalled";
    case SolverStatus::Code::suspected_infeasible: return "suspected_infeasible";
    case SolverStatus::Code::outside_assumptions: return "outside_assumptions";
    case SolverStatus::Code::failed: return "failed";
  }
  return "?";
}

}  // namespace condyle
