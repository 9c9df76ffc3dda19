#include "cli/replay.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace condyle::cli {

namespace {
namespace fs = std::filesystem;

struct GivenReplay {
  std::vector<std::string> files;
  Text output_file, most, from, to;
  Output output;
};

bool is_study(const std::string& file) { return fs::path(file).extension() == ".json"; }

std::string page_name(const GivenReplay& given) {
  if (given.output_file) return *given.output_file;
  return fs::path(given.files[0]).replace_extension(".html").string();
}
}  // namespace

ReplayOptions read_replay_options(const std::string& option, const Text& most) {
  ReplayOptions out;
  if (most) out.most_megabytes = number(option, *most, "a size in MB, 1 or more", [](double x) { return x >= 1; });
  return out;
}

void print_page(const std::string& page, const ReplaySummary& made) {
  print_line("replay page",
             fmt::format("{} ({:.2f} MB): open it in a browser", page, static_cast<double>(made.bytes) / 1e6));
  for (const std::string& sentence : made.dropped) print_line("  left out", sentence);
}

int replay_command(const Arguments& arguments) {
  GivenReplay given;
  CommandLine line("replay", "make one HTML page of a recording, of two that are compared, or of a study of solvers");
  line.arguments("REC", given.files,
                 "recording (.h5), two recordings of one scene, or JSON files of condyle solve or a bench",
                 "name a recording: condyle run SCENE --record FILE.h5 makes one");
  line.option("-o,--output", given.output_file, "FILE.html", "the page (beside the recording, with the ending .html)");
  line.option("--replay-max", given.most, "MB", "limit of the page's size; what does not fit is left out and said (20)");
  line.option("--from", given.from, "S", "show the recording from this time on");
  line.option("--to", given.to, "S", "show it up to this time");
  given.output.add_options(line);
  line.example("condyle replay talos.h5 -o talos.html", "3D replay with forces, plots and tables; needs no network");
  line.example("condyle replay admm.h5 sap.h5 -o both.html", "the second as a ghost, with plots of the difference");
  line.example("condyle replay study.json -o study.html", "profiles and residuals of condyle solve ... --json study.json");
  if (!line.parse(arguments)) return exit_done;
  given.output.check();
  ReplayOptions options = read_replay_options("--replay-max", given.most);
  const auto any = [](double) { return true; };
  if (given.from) options.from = number("--from", *given.from, "a time in seconds", any);
  if (given.to) options.to = number("--to", *given.to, "a time in seconds", any);
  const std::string page = page_name(given);
  check_writable("-o", page);
  for (const std::string& file : given.files) {
    if (is_study(file) != is_study(given.files[0]))
      throw Error("usage", {file, 0, {}}, "recordings and JSON files go to pages of different kinds",
                  "make one page of each");
    std::error_code error;
    if (fs::equivalent(file, page, error))
      throw Error("usage", {page, 0, "-o"}, "the page would replace what it is made of", "give another name");
  }
  const bool study = is_study(given.files[0]);
  if (!study && given.files.size() > 2)
    throw Error("usage", {given.files[2], 0, {}}, fmt::format("{} recordings were given", given.files.size()),
                "give one, or two to compare");
  const ReplaySummary made = study                     ? write_study(given.files, page)
                             : given.files.size() == 2 ? write_replay(given.files[0], given.files[1], page, options)
                                                       : write_replay(given.files[0], page, options);
  if (given.output.text()) print_page(page, made);
  const nlohmann::ordered_json json = {
      {"page", page}, {"bytes", made.bytes}, {"frames", made.frames}, {"dropped", made.dropped}};
  if (given.output.json) given.output.write_json(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return exit_done;
}

}  // namespace condyle::cli
