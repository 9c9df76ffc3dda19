#include "cli/common.hpp"
#include "cli/solve_summary.hpp"

#include <condyle/problem_file.hpp>
#include <condyle/solver.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace condyle::cli {

namespace {

using Json = nlohmann::ordered_json;
constexpr double usual_tolerance = 1e-8;

struct SolveOptions {
  std::vector<std::string> files, settings;
  Text solver, tolerance, max_iterations, format, convert, to;
  bool accept_uncertified = false, describe = false;
  Output output;

  void add_options(CommandLine& line);
};

void SolveOptions::add_options(CommandLine& line) {
  line.arguments("FILE", files,
                 "stored problems, or folders of them: FCLIB, Siconos text, LCP, MLCP, GMP, boxed LCP, npz, Condyle's dump",
                 "name one or more problem files");
  line.group("Solving");
  line.option("--solver", solver, "NAME[,NAME...]", "solvers to try, condyle solvers lists them (auto)");
  line.option("--tolerance", tolerance, "T",
              fmt::format("of the natural and the scaled residual, both relative ({:g})", usual_tolerance));
  line.option("--max-iterations", max_iterations, "N",
              fmt::format("limit of the solver's iterations ({})", SolverOptions().max_iterations));
  line.list("--set", settings, "solver.KEY=VALUE", "parameter of the solvers that know it; may be repeated");
  line.flag("--accept-uncertified", accept_uncertified, "exit code 0 even if a problem is not solved");
  line.group("Files");
  line.option("--format", format, "NAME", "format of the files where their names and first bytes mislead");
  line.option("--convert", convert, "OUT", "write the one problem to this file instead of solving it");
  line.option("--to", to, "NAME", "format of OUT where its name does not say it");
  line.flag("--describe", describe, "print rank, condition, densities and category instead of solving");
  output.add_options(line);
  line.example("condyle solve Capsules-i100-1090.dat", "one problem, the solver chosen by itself");
  line.example("condyle solve ../shared/problems/rover --tolerance 1e-10", "all problems of a folder");
  line.example("condyle solve problems/*.hdf5 --solver auto,admm,pgs-ncp --tolerance 1e-6 --json out.json",
               "compare solvers");
  line.example("condyle solve step_120.condyle.h5 --solver admm --set solver.rho=0.1", "a step that went wrong, once more");
  line.example("condyle solve GFC3D_TwoRods1.dat --convert rods.hdf5", "from text to FCLIB");
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

bool knows(const std::string& solver, const std::string& key) {
  for (const SolverInfo& info : solvers())
    if (info.name == solver)
      for (const std::string& parameter : info.parameters)
        if (parameter.starts_with(key + " ")) return true;
  return false;
}

/// One for each solver. A parameter goes to the solvers that know it; one that nobody knows is an error that names the
/// nearest.
std::vector<SolverOptions> read_solvers(const SolveOptions& given) {
  SolverOptions common;
  common.criterion = SolverOptions::Criterion::relative;
  common.tolerance = usual_tolerance;
  if (given.tolerance)
    common.tolerance = number("--tolerance", *given.tolerance, "a number, 0 or above", [](double x) { return x >= 0; });
  if (given.max_iterations)
    common.max_iterations =
        static_cast<int>(whole_number("--max-iterations", *given.max_iterations, 1, std::numeric_limits<int>::max()));
  std::vector<SolverOptions> out;
  for (const std::string& name : split(given.solver.value_or("auto"))) {
    out.push_back(common);
    out.back().solver = name;
    out.back().check();
  }
  for (const auto& [key, text] : read_settings(given.settings)) {
    if (!key.starts_with("solver."))
      throw Error("bad-option", {"", 0, "--set " + key}, "this is no parameter of a solver",
                  "write it as --set solver.rho=0.1");
    const std::string name = key.substr(7);
    const double value = number("--set " + key, text, "a number", [](double) { return true; });
    const bool known = std::any_of(out.begin(), out.end(), [&](const SolverOptions& o) { return knows(o.solver, name); });
    for (SolverOptions& options : out)
      if (!known || knows(options.solver, name)) options.parameters[name] = value;
  }
  for (const SolverOptions& options : out) options.check();
  return out;
}

struct Input {
  std::string file, kind;
  ContactProblem problem;
};

std::string kind_of(ProblemFormat format) {
  switch (format) {
    case ProblemFormat::fclib_local:
    case ProblemFormat::siconos_local: return "local";
    case ProblemFormat::fclib_global:
    case ProblemFormat::siconos_global: return "global";
    case ProblemFormat::siconos_rolling: return "local-rolling";
    case ProblemFormat::fclib_global_rolling:
    case ProblemFormat::siconos_global_rolling: return "global-rolling";
    default: return to_string(format);
  }
}

/// A folder stands for the problem files in it and below, in the order of their names.
std::vector<std::string> expand_folders(const std::vector<std::string>& given) {
  namespace fs = std::filesystem;
  const auto may_be_problem = [](const fs::path& file) {
    const std::string name = file.filename().string(), end = file.extension().string();
    if (name.starts_with("LICENSE") || name.starts_with("README")) return false;
    return end == ".dat" || end == ".hdf5" || end == ".h5" || end == ".npz" || end == ".txt";
  };
  std::vector<std::string> out;
  for (const std::string& name : given) {
    if (!fs::is_directory(name)) {
      out.push_back(name);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(name))
      if (entry.is_regular_file() && may_be_problem(entry.path())) found.push_back(entry.path().string());
    if (found.empty())
      throw Error("usage", {name, 0, ""}, "there are no problem files in this folder",
                  "name a folder with .dat, .hdf5, .h5, .npz or .txt files");
    std::sort(found.begin(), found.end());
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

std::vector<Input> read_inputs(const SolveOptions& given) {
  std::vector<Input> out;
  for (const std::string& file : expand_folders(given.files)) {
    const ProblemFormat format = given.format ? problem_format(*given.format) : detect_problem_format(file);
    out.push_back({file, kind_of(format), read_problem(file, format)});
  }
  return out;
}

struct Answer {
  const Input* input;
  std::string solver;
  SolveResult result;
};

bool glides(const SolveResult& result) { return result.residuals.gliding > 0.01; }

/// A solver of the convex model is judged here by Coulomb's law, like all others: that is the problem as given.
void judge_as_given(const Input& input, const SolverOptions& options, SolveResult& result) {
  if (result.solution.impulse.size() != input.problem.rows()) return;
  const Residuals own = result.residuals;
  result.residuals = judge(input.problem, result.solution.impulse, result.solution.velocity);
  const double worst = std::max(result.residuals.natural, result.residuals.scaled);
  if (worst <= options.tolerance || options.tolerance == 0) return;
  if (result.status.code == SolverStatus::Code::solved) {
    result.status.code = SolverStatus::Code::inaccurate;
    result.status.message = fmt::format("the solver's own model is solved to {:.2g}, Coulomb's law is missed by {:.2g}",
                                        std::max(own.natural, own.scaled), worst);
  }
  if (glides(result))
    result.status.message +=
        fmt::format("; what slides lifts off at {:.2g} of friction times speed", result.residuals.gliding);
}

std::string answers_json(const std::vector<Answer>& answers) {
  Json out = Json::array();
  for (const Answer& a : answers) {
    const SolveResult& r = a.result;
    const ContactProblem& problem = a.input->problem;
    Json one;
    one["file"] = a.input->file;
    one["kind"] = a.input->kind;
    one["rows"] = problem.rows();
    one["contacts"] = problem.contacts();
    one["dofs"] = problem.velocities();
    one["solver"] = a.solver;
    one["status"] = to_string(r.status.code);
    one["message"] = r.status.message;
    one["iterations"] = r.stats.iterations;
    one["factorizations"] = r.stats.factorizations;
    one["time_ms"] = r.stats.time_ms;
    one["setup_ms"] = r.stats.setup_ms;
    one["residual"] = {{"natural", r.residuals.natural},
                       {"scaled", r.residuals.scaled},
                       {"velocity", r.residuals.certificate},
                       {"dual", r.residuals.dual},
                       {"complementarity", r.residuals.complementarity},
                       {"momentum", r.residuals.momentum}};
    out.push_back(one);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

struct Table {
  std::size_t file = 4, solver = 6, status = 6;
};

void print_row(const Table& width, const Answer& a) {
  const SolveResult& r = a.result;
  fmt::print("{:<{}}  {:>6} {:>6}  {:<{}}  {:<{}}  {:>6} {:>5} {:>9.3f}  {:>8.1e} {:>8.1e} {:>8.1e}  {}\n",
             std::filesystem::path(a.input->file).filename().string(), width.file, a.input->problem.rows(),
             a.input->problem.contacts(), a.solver, width.solver, to_string(r.status.code), width.status, r.stats.iterations,
             r.stats.factorizations, r.stats.time_ms, r.residuals.natural, r.residuals.scaled, r.residuals.certificate,
             r.stats.path + (glides(r) ? fmt::format(", gliding {:.2f}", r.residuals.gliding) : ""));
}

void print_summary(const std::vector<Answer>& answers) {
  std::vector<Outcome> outcomes;
  for (const Answer& a : answers) outcomes.push_back({a.input->file, a.solver, &a.result});
  print_families(outcomes);
  print_profiles(outcomes);
  const Answer* worst = nullptr;
  std::size_t solved = 0;
  double ms = 0;
  auto residual = [](const Answer& a) { return std::max(a.result.residuals.natural, a.result.residuals.scaled); };
  for (const Answer& a : answers) {
    const bool good = a.result.status.code == SolverStatus::Code::solved;
    solved += good;
    ms += a.result.stats.time_ms;
    if (!good && (!worst || residual(a) > residual(*worst))) worst = &a;
  }
  fmt::print("{} of {} solved in {:.3g} s\n", solved, answers.size(), 1e-3 * ms);
  if (!worst) return;
  const int block = worst->result.residuals.worst;
  print_line("worst",
             fmt::format("{} with {}: {}{}", worst->input->file, worst->solver, to_string(worst->result.status.code),
                         block < 0 ? "" : ", at " + worst->input->problem.block_name(block)));
  if (!worst->result.status.message.empty()) print_line("", worst->result.status.message);
}

int convert(const SolveOptions& given, const std::vector<Input>& inputs) {
  if (inputs.size() != 1)
    throw Error("usage", {"", 0, "--convert"}, "there are several problems and one file to write", "name one problem");
  check_writable("--convert", *given.convert);
  const ProblemFormat format = given.to ? problem_format(*given.to) : ProblemFormat::automatic;
  write_problem(inputs[0].problem, *given.convert, format);
  if (given.output.text())
    fmt::print("{}: {} rows, {} contacts\n", *given.convert, inputs[0].problem.rows(), inputs[0].problem.contacts());
  return exit_done;
}

void describe_all(const std::vector<Input>& inputs) {
  for (const Input& input : inputs) {
    const ProblemDescriptors d = describe(input.problem);
    auto known = [](double x) { return x > 0 ? fmt::format("{:.3g}", x) : std::string("not known"); };
    fmt::print("{}: {}, {}\n", input.file, input.kind, d.category);
    print_line("rows", fmt::format("{}: {} contacts, {} bilateral rows, {} bounded rows", d.rows, d.contacts,
                                   d.bilateral_rows, d.limits));
    print_line("velocities", input.problem.dual_only
                                 ? "not known"
                                 : fmt::format("{} in {}", d.velocities,
                                               count_of(static_cast<std::uint64_t>(d.bodies), "block", "blocks")));
    print_line("rank", d.rank < 0 ? "too large to say" : std::to_string(d.rank));
    print_line("condition", known(d.condition));
    print_line("mass ratio", known(d.mass_ratio));
    print_line("density",
               fmt::format("joints {:.3g}, contacts {:.3g}, all {:.3g} rows per {}", d.density_joints, d.density_contacts,
                           d.density_all, input.problem.dual_only ? "independent row" : "velocity"));
  }
}

}  // namespace

int solve_command(const Arguments& arguments) {
  SolveOptions given;
  CommandLine line("solve", "solve stored contact problems with one or more solvers");
  given.add_options(line);
  if (!line.parse(arguments)) return exit_done;
  given.output.check();
  if (given.to && !given.convert)
    throw Error("usage", {"", 0, "--to"}, "nothing is converted", "name a file with --convert");
  const std::vector<SolverOptions> methods = read_solvers(given);
  const std::vector<Input> inputs = read_inputs(given);
  if (given.convert) return convert(given, inputs);
  if (given.describe) {
    if (given.output.text()) describe_all(inputs);
    return exit_done;
  }

  Table width;
  for (const Input& input : inputs)
    width.file = std::max(width.file, std::filesystem::path(input.file).filename().string().size());
  for (const SolverOptions& options : methods) width.solver = std::max(width.solver, options.solver.size());
  width.status = 20;
  if (given.output.text())
    fmt::print("{:<{}}  {:>6} {:>6}  {:<{}}  {:<{}}  {:>6} {:>5} {:>9}  {:>8} {:>8} {:>8}  {}\n", "file", width.file, "rows",
               "cont.", "solver", width.solver, "status", width.status, "iter", "fact", "ms", "natural", "scaled", "m/s",
               "by");
  std::vector<Answer> answers;
  bool all = true;
  for (const Input& input : inputs)
    for (const SolverOptions& options : methods) {
      answers.push_back({&input, options.solver, solve(input.problem, options)});
      judge_as_given(input, options, answers.back().result);
      all = all && answers.back().result.status.code == SolverStatus::Code::solved;
      if (!given.output.text()) continue;
      print_row(width, answers.back());
      std::fflush(stdout);
    }
  if (given.output.text()) print_summary(answers);
  std::fflush(stdout);
  if (given.output.json) given.output.write_json(answers_json(answers));
  return all || given.accept_uncertified ? exit_done : exit_uncertified;
}

}  // namespace condyle::cli
