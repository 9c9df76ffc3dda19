#include "cli/common.hpp"
#include "cli/replay.hpp"
#include "cli/run_loop.hpp"
#include "record/run_json.hpp"

#include <condyle/version.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace condyle::cli {

namespace {

constexpr std::string_view solver_prefix = "solver.";

/// Settings of a scene; those of the solver have their prefix.
std::map<std::string, std::string> scene_settings(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> out = read_settings(settings);
  std::erase_if(out, [](const auto& setting) { return setting.first.starts_with(solver_prefix); });
  return out;
}

struct RunOptions {
  std::string scene;
  Text solver, tolerance, max_iterations, backend, dt, time, integrator, implicit_springs;
  Text law, correction, on_failure, threads;
  Text record, replay, replay_max, every, save_file, restore_file, dump, when;
  std::vector<std::string> settings;
  bool accept_uncertified = false;
  ReadFlags read;
  Output output;

  void add_options(CommandLine& line);
};

void RunOptions::add_options(CommandLine& line) {
  line.argument("SCENE", scene, "scene file (.yaml), robot file (.urdf), robot:NAME, or a built-in scene", true,
                "name one: condyle scenes lists what is built in");
  line.group("Simulation (what is left out comes from the scene)");
  line.option("--time", time, "S", "seconds to simulate; after --restore: this much more");
  line.option("--dt", dt, "S", "time step in seconds");
  line.option("--integrator", integrator, "NAME",
              "explicit, symplectic, implicit, midpoint, moreau-midpoint or mid-velocity");
  line.option("--implicit-springs", implicit_springs, "off|on|auto",
              "take joint springs implicitly; auto: where the step is too large for them (auto)");
  line.option("--solver", solver, "NAME", "condyle solvers lists them (auto)");
  line.option("--tolerance", tolerance, "T", "of the certificate, m/s");
  line.option("--max-iterations", max_iterations, "N", "limit of the solver's iterations");
  line.option("--threads", threads, "N", "islands solved side by side; no bit of the result depends on it (1)");
  line.option("--law", law, "NAME", "rigid, near-rigid, softened or softened-crbd (rigid)");
  line.option("--correction", correction, "NAME", "how overlap that exists is taken away: split, baumgarte or none (split)");
  line.option("--on-failure", on_failure, "NAME", "an uncertified step: accept, substep or stop (accept)");
  line.option("--backend", backend, "NAME", "generalized");
  line.list("--set", settings, "KEY=VALUE", "parameter of a built-in scene, or solver.NAME of the solver; may be repeated");
  line.flag("--accept-uncertified", accept_uncertified, "exit code 0 even if a step is not certified");
  line.group("Files");
  line.option("--record", record, "FILE.h5", "write a recording (HDF5)");
  line.option("--replay", replay, "FILE.html", "write a page that replays the run in a browser");
  line.option("--replay-max", replay_max, "MB", "limit of the page's size (20)");
  line.option("--every", every, "N", "record every N-th step only");
  line.option("--dump-problems", dump, "DIR", "write contact problems for condyle solve");
  line.option("--when", when, "WHICH", "problems of which steps: uncertified, always or step=N (uncertified)");
  line.option("--save", save_file, "FILE.state", "write the last state");
  line.option("--restore", restore_file, "FILE.state", "begin at a saved state of the same scene");
  read.add_options(line);
  output.add_options(line);
  line.example("condyle run pendulum", "a built-in scene");
  line.example("condyle run chain --set n=20 --dt 0.0005 --time 3 --record chain.h5",
               "with parameters, step and a recording");
  line.example("condyle run stack --replay stack.html", "a page to look at, in any browser, offline");
  line.example("condyle run robot:ur5 --time 1 --json run.json", "a robot of the robot package on a floor");
}

/// Values that need no scene to be judged, so that a slip of the finger costs no loading.
SimulatorOptions read_simulation(const RunOptions& given, const RunDefaults& usual) {
  const auto positive = [](double x) { return x > 0; };
  SimulatorOptions out;
  out.dt = given.dt ? number("--dt", *given.dt, "a positive number of seconds, such as 0.001", positive) : usual.dt;
  out.integrator = given.integrator ? integrator_from(*given.integrator, {"", 0, "--integrator"}) : usual.integrator;
  out.solver = given.solver.value_or(usual.solver);
  out.tolerance = given.tolerance
                      ? number("--tolerance", *given.tolerance, "a positive speed in m/s, such as 1e-7", positive)
                      : usual.tolerance;
  out.max_iterations = given.max_iterations
                           ? static_cast<int>(whole_number("--max-iterations", *given.max_iterations, 1, 1000000000))
                           : usual.max_iterations;
  if (given.threads) out.threads = static_cast<int>(whole_number("--threads", *given.threads, 1, 256));
  if (given.implicit_springs)
    out.implicit_springs = choice<ImplicitSprings>(
        "--implicit-springs", *given.implicit_springs,
        {{"off", ImplicitSprings::off}, {"on", ImplicitSprings::on}, {"auto", ImplicitSprings::automatic}});
  out.laws = usual.laws;
  if (given.law)
    out.laws.kind = choice<LawKind>("--law", *given.law,
                                    {{"rigid", LawKind::rigid},
                                     {"near-rigid", LawKind::near_rigid},
                                     {"softened", LawKind::softened},
                                     {"softened-crbd", LawKind::softened_crbd}});
  if (given.correction)
    out.laws.correction =
        choice<Correction>("--correction", *given.correction,
                           {{"split", Correction::split}, {"baumgarte", Correction::baumgarte}, {"none", Correction::none}});
  if (given.on_failure)
    out.on_failure =
        choice<OnFailure>("--on-failure", *given.on_failure,
                          {{"accept", OnFailure::accept}, {"substep", OnFailure::substep}, {"stop", OnFailure::stop}});
  for (const auto& [key, value] : read_settings(given.settings))
    if (key.starts_with(solver_prefix))
      out.solver_parameters[key.substr(solver_prefix.size())] =
          number("--set " + key, value, "a number", [](double) { return true; });
  if (given.backend && *given.backend == "maximal")
    throw Error("unsupported", {"", 0, "--backend"}, "the maximal backend is not part of this version",
                "leave the option out: generalized is used");
  if (given.backend) choice_index("--backend", *given.backend, {"generalized"});
  try {
    out.check();
  } catch (const Error& error) {
    if (error.code() != "unknown-solver" || !given.solver) throw;
    throw Error(error.code(), {"", 0, "--solver"}, error.reason(), error.cure());
  }
  return out;
}

std::uint64_t step_count(const RunOptions& given, double usual_end, double dt) {
  const double end = given.time
                         ? number("--time", *given.time, "a number of seconds, 0 or more", [](double x) { return x >= 0; })
                         : usual_end;
  const double steps = std::round(end / dt);
  if (steps > 1e15)
    throw Error("bad-option", {"", 0, "--time"}, fmt::format("{} s are {:.3g} steps of {} s", end, steps, dt),
                "take a shorter time or a larger --dt");
  return static_cast<std::uint64_t>(steps);
}

bool ends_with_yaml(const std::string& scene) { return scene.ends_with(".yaml") || scene.ends_with(".yml"); }

Scene load(const RunOptions& given) {
  const auto& builtin = builtin_scenes();
  const bool is_builtin =
      std::any_of(builtin.begin(), builtin.end(), [&](const BuiltinScene& s) { return s.name == given.scene; });
  const std::map<std::string, std::string> parameters = scene_settings(given.settings);
  if (!parameters.empty() &&
      (ends_with_yaml(given.scene) || given.scene.ends_with(".urdf") || given.scene.starts_with("robot:")))
    throw Error("bad-option", {"", 0, "--set " + parameters.begin()->first + "=" + parameters.begin()->second},
                fmt::format("'{}' has no parameters: only built-in scenes have", given.scene),
                ends_with_yaml(given.scene) ? "change the scene file, or use --dt, --time, --integrator, --solver"
                                            : "leave --set out");
  if (given.read.base && (is_builtin || ends_with_yaml(given.scene)))
    throw Error("bad-option", {"", 0, "--base"},
                fmt::format("'{}' is a scene, which says the base of each of its models", given.scene),
                "leave --base out; it is for a robot that is run by itself");
  SceneOptions options;
  options.parameters = parameters;
  options.base = given.read.base_kind();
  options.read = given.read.read();
  return load_scene(given.scene, options);
}

/// What a user did not write and would see in the motion: the floor, gravity, and what each model stands on.
bool world_assumption(const ReportEntry& entry) {
  if (entry.outcome != Outcome::assumed) return false;
  const std::string& element = entry.place.element;
  return entry.code == "base" ||
         (entry.code == "default-taken" && (element == "gravity" || element == "ground" || element == "base"));
}

/// `condyle load` takes what a robot is read from; a scene has several, or none.
std::string where_report_is(const std::string& given) {
  const bool robot = given.ends_with(".urdf") || given.starts_with("robot:") || given.starts_with("condyle:");
  return robot ? fmt::format("condyle load {} prints them", given) : "condyle load prints those of a robot file";
}

void print_heading(const Scene& scene, const std::string& given, const std::vector<std::string>& notes) {
  fmt::print("{}: {}, {}, {:.4g} kg\n", scene.name(),
             count_of(static_cast<std::uint64_t>(scene.body_count()), "moving body", "moving bodies"),
             count_of(static_cast<std::uint64_t>(scene.nv()), "degree of freedom", "degrees of freedom"),
             scene.total_mass());
  const LoadReport& report = scene.report();
  if (!report.entries.empty())
    fmt::print("load report: {} applied, {} assumed, {} ignored ({})\n", report.count(Outcome::applied),
               report.count(Outcome::assumed), report.count(Outcome::ignored), where_report_is(given));
  int shown = 0, hidden = 0;
  for (const ReportEntry& entry : report.entries)
    if (world_assumption(entry)) {
      if (shown < 4) fmt::print("  assumed: {}\n", entry.reason);
      ++(shown < 4 ? shown : hidden);
    }
  if (hidden > 0) fmt::print("  and {} more like these\n", hidden);
  for (const std::string& note : notes) fmt::print("warning: {}\n", note);
  fmt::print("\n");
}

void check_outputs(const RunOptions& given) {
  std::vector<std::string> seen;
  given.output.check();
  if (given.output.json && !given.output.json_to_stdout()) seen.push_back(*given.output.json);
  for (const auto& [option, file] : std::vector<std::pair<std::string, Text>>{
           {"--record", given.record}, {"--replay", given.replay}, {"--save", given.save_file}}) {
    if (!file) continue;
    check_writable(option, *file);
    if (std::find(seen.begin(), seen.end(), *file) != seen.end())
      throw Error("bad-option", {*file, 0, option}, "two outputs would go to this file", "give each its own");
    seen.push_back(*file);
  }
  if (given.every && !given.record && !given.replay)
    throw Error("bad-option", {"", 0, "--every"}, "there is no recording that it could thin out", "add --record FILE.h5");
  if (given.replay_max && !given.replay)
    throw Error("bad-option", {"", 0, "--replay-max"}, "no page is written", "add --replay FILE.html");
  if (given.when && !given.dump)
    throw Error("bad-option", {"", 0, "--when"}, "no problems are written", "add --dump-problems DIR");
}

std::string quoted_command(const Arguments& arguments) {
  std::string out = "condyle run";
  for (const std::string& argument : arguments) {
    const bool plain = argument.find_first_of(" '\"\\$*?&;|<>()") == std::string::npos && !argument.empty();
    out += plain ? " " + argument : " '" + argument + "'";
  }
  return out;
}

/// The recording that a page is made of; one that nobody asked for goes away with this object.
class PageSource {
 public:
  explicit PageSource(const RunOptions& given) {
    if (given.record) file_ = *given.record;
    if (given.record || !given.replay) return;
    file_ = fmt::format("{}.{}.h5", *given.replay, getpid());
    temporary_ = true;
  }
  ~PageSource() {
    std::error_code error;
    if (temporary_) std::filesystem::remove(file_, error);
  }
  PageSource(const PageSource&) = delete;
  PageSource& operator=(const PageSource&) = delete;

  const std::string& file() const { return file_; }  ///< empty: nothing is recorded

 private:
  std::string file_;
  bool temporary_ = false;
};

int exit_code(const RunOptions& given, const LoopResult& result) {
  if (result.signal != 0) return 128 + result.signal;
  if (result.summary.rejected) return exit_uncertified;
  return result.summary.uncertified == 0 || given.accept_uncertified ? exit_done : exit_uncertified;
}

}  // namespace

int run_command(const Arguments& arguments) {
  RunOptions given;
  CommandLine line("run", "simulate a scene, print a summary, write a recording or a replay page");
  given.add_options(line);
  if (!line.parse(arguments)) return exit_done;
  read_simulation(given, {});
  check_outputs(given);
  const ReplayOptions page = read_replay_options("--replay-max", given.replay_max);
  RecorderOptions recording;
  recording.every = given.every ? static_cast<int>(whole_number("--every", *given.every, 1, 1000000000)) : 1;
  recording.command = quoted_command(arguments);

  const Scene scene = load(given);
  const SimulatorOptions options = read_simulation(given, scene.defaults());
  const std::uint64_t steps = step_count(given, scene.defaults().end, options.dt);
  Simulator simulator(scene, options);
  State x = given.restore_file ? restore(*given.restore_file, scene.identity()) : scene.initial_state();
  recording.expected_frames = steps / static_cast<std::uint64_t>(recording.every) + 1;
  std::optional<Recorder> recorder;
  const PageSource source(given);
  if (!source.file().empty())
    recorder.emplace(source.file(), scene, options, recording);  // the first thing written: all else is accepted

  std::optional<ProblemDump> dump;
  if (given.dump) dump.emplace(*given.dump, given.when.value_or("uncertified"));

  const bool text = given.output.text();
  if (text) print_heading(scene, given.scene, simulator.notes());
  std::fflush(stdout);
  const LoopResult result =
      run_steps(simulator, x, steps, recorder ? &*recorder : nullptr, dump ? &*dump : nullptr, !given.output.quiet);
  const RunSummary& summary = result.summary;
  if (given.save_file) save(x, scene.identity(), *given.save_file);
  std::optional<ReplaySummary> made;
  if (given.replay) made = write_replay(source.file(), *given.replay, page);
  if (text) {
    print_summary(summary);
    if (given.record) print_line("recording", *given.record);
    if (made) print_page(*given.replay, *made);
    if (dump)
      print_line("problems", fmt::format("{} written to {}{}", dump->written(), dump->folder(),
                                         dump->not_written()   ? fmt::format(", {} more not", dump->not_written())
                                         : dump->written() > 0 ? ""
                                         : given.when          ? ": no such step had constraints"
                                                      : ": every step is certified; --when step=N writes that of one"));
    if (given.save_file) print_line("saved state", fmt::format("{} at t = {:g} s", *given.save_file, x.t));
    std::fflush(stdout);
  }
  given.output.write_json(run_json(summary));

  const auto& notes = simulator.notes();  // already printed
  for (std::size_t i = notes.size(); i < summary.warnings.size(); ++i)
    fmt::print(stderr, "condyle run: {}\n", summary.warnings[i]);
  const int code = exit_code(given, result);
  if (code == exit_uncertified && !summary.rejected && !text)
    fmt::print(stderr, "condyle run: {}\n", certificate_words(summary));
  return code;
}

}  // namespace condyle::cli
