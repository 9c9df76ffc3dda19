// condyle solve and condyle solvers, as a user and a script meet them.
#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace condyle::test {
namespace {

/// One contact that falls and slides.
const std::string one_contact = "3 1\n0 3 3\n3 3\n1 0 0 0 2 0 0 0 3\n-1 2 0.25\n0.5\n";
/// No impulse solves this: z >= 0, -z - 1 >= 0.
const std::string impossible = "1 0 1 1 1 1 -1 -1\n";

std::string problem_file(const std::string& name, const std::string& text) {
  const std::string fresh = write_file(".d", text);
  const std::filesystem::path path = fresh, named = path.parent_path() / ("solve_" + path.stem().string());
  std::filesystem::create_directories(named);
  std::filesystem::rename(fresh, named / name);
  return (named / name).string();
}

TEST(Solve, JsonIsAnArrayWithTheKeysOfTheContractForEachFileAndSolver) {
  const std::string a = problem_file("one.dat", one_contact), b = problem_file("lcp_two.dat", "2 0 2 2 2 2 2 1 1 2 -1 -2\n");
  const Outcome got = condyle({"solve", a, b, "--solver", "auto,pgs-ncp", "--json"});
  ASSERT_EQ(got.code, 0) << got;
  const nlohmann::json out = json_of(got.out);
  ASSERT_TRUE(out.is_array());
  ASSERT_EQ(out.size(), 4u);
  for (const auto& one : out) {
    EXPECT_EQ(keys_of(one),
              (std::vector<std::string>{"contacts", "dofs", "factorizations", "file", "iterations", "kind", "message",
                                        "residual", "rows", "setup_ms", "solver", "status", "time_ms"}));
    EXPECT_EQ(keys_of(one["residual"]),
              (std::vector<std::string>{"complementarity", "dual", "momentum", "natural", "scaled", "velocity"}));
    EXPECT_EQ(one["status"], "solved");
    EXPECT_LE(one["residual"]["natural"].get<double>(), 1e-8);
    EXPECT_LE(one["residual"]["scaled"].get<double>(), 1e-8);
  }
  EXPECT_EQ(out[0]["file"], a);
  EXPECT_EQ(out[0]["kind"], "local");
  EXPECT_EQ(out[0]["rows"], 3);
  EXPECT_EQ(out[0]["contacts"], 1);
  EXPECT_EQ(out[0]["dofs"], 0);
  EXPECT_EQ(out[0]["solver"], "auto");
  EXPECT_EQ(out[1]["solver"], "pgs-ncp");
  EXPECT_EQ(out[2]["kind"], "lcp");
}

TEST(Solve, AFolderStandsForTheProblemsInIt) {
  const std::string file = problem_file("one.dat", one_contact);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path() / "several";
  std::filesystem::create_directories(folder / "below");
  std::filesystem::copy_file(file, folder / "b.dat", std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(file, folder / "below" / "a.dat", std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "README.md") << "no problem\n";
  const Outcome got = condyle({"solve", folder.string(), "--json"});
  ASSERT_EQ(got.code, 0) << got;
  const nlohmann::json out = json_of(got.out);
  ASSERT_EQ(out.size(), 2u) << got;
  EXPECT_EQ(out[0]["file"], (folder / "b.dat").string());
  EXPECT_EQ(out[1]["file"], (folder / "below" / "a.dat").string());
}

TEST(Solve, SeveralProblemsAreSummedUpByFolderAndSolver) {
  const std::string file = problem_file("one.dat", one_contact), bad = problem_file("lcp_impossible.dat", impossible);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path() / "families";
  for (const char* name : {"slides", "squeezes"}) std::filesystem::create_directories(folder / name);
  const auto copy = [&](const std::string& from, const std::filesystem::path& to) {
    std::filesystem::copy_file(from, folder / to, std::filesystem::copy_options::overwrite_existing);
  };
  copy(file, "slides/a.dat");
  copy(file, "slides/b.dat");
  copy(bad, "squeezes/lcp_c.dat");
  const Outcome got = condyle({"solve", folder.string(), "--solver", "auto,subadmm", "--max-iterations", "300"});
  EXPECT_EQ(got.code, 1) << got;
  std::map<std::string, std::string> solved;
  std::map<std::string, double> ever;
  std::istringstream lines(got.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string family, solver, count, of, all;
    words >> family >> solver >> count >> of >> all;
    if (of == "of") solved[family + " " + solver] = count + " of " + all;
    if ((family == "auto" || family == "subadmm") && line.find('.') != std::string::npos)
      ever[family] = std::stod(line.substr(line.rfind(' ')));
  }
  for (const char* solver : {"auto", "subadmm"}) {
    EXPECT_EQ(solved[std::string("slides ") + solver], "2 of 2") << got;
    EXPECT_EQ(solved[std::string("squeezes ") + solver], "0 of 1") << got;
    EXPECT_EQ(solved[std::string("all ") + solver], "2 of 3") << got;
    EXPECT_NEAR(ever[solver], 2 / 3.0, 0.01) << "the last column of the profile\n" << got;
  }
}

TEST(Solve, ATableForPeopleNamesWhatWasNotSolvedAndExitsWith1) {
  const std::string good = problem_file("one.dat", one_contact), bad = problem_file("lcp_impossible.dat", impossible);
  const Outcome got = condyle({"solve", good, bad});
  EXPECT_EQ(got.code, 1) << got;
  EXPECT_NE(got.out.find("1 of 2 solved"), std::string::npos) << got;
  EXPECT_NE(got.out.find("worst"), std::string::npos) << got;
  EXPECT_NE(got.out.find("lcp_impossible.dat"), std::string::npos) << got;
  EXPECT_EQ(condyle({"solve", good, bad, "--accept-uncertified"}).code, 0);
  const Outcome quiet = condyle({"solve", good, "--quiet"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.out, "");
}

TEST(Solve, AConvexSolverIsJudgedByCoulombsLawLikeAllOthers) {
  const std::string file = problem_file("one.dat", one_contact);
  const Outcome got = condyle({"solve", file, "--solver", "admm-ccp", "--json"});
  EXPECT_EQ(got.code, 1) << got;
  const nlohmann::json out = json_of(got.out);
  EXPECT_EQ(out[0]["status"], "inaccurate") << out;
  EXPECT_GT(out[0]["residual"]["natural"].get<double>(), 1e-3) << "this contact slides, so the convex model differs";
}

TEST(Solve, ParametersGoToTheSolversThatKnowThem) {
  const std::string file = problem_file("one.dat", one_contact);
  EXPECT_EQ(condyle({"solve", file, "--solver", "admm,pgs-ncp", "--set", "solver.rho=0.1"}).code, 0);
  const Outcome unknown = condyle({"solve", file, "--solver", "admm", "--set", "solver.roh=0.1"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.said("rho")) << unknown;
}

TEST(Solve, EverySlipExitsWith2AndSaysWhatAndWhere) {
  const std::string file = problem_file("FC3D_one.dat", one_contact),
                    broken = problem_file("FC3D_broken.dat", one_contact.substr(0, 40));
  struct Slip {
    std::vector<std::string> arguments, words;
  };
  const std::vector<Slip> slips = {
      {{"solve"}, {"FILE is missing", "cure:"}},
      {{"solve", "nowhere.dat"}, {"nowhere.dat", "cannot be opened"}},
      {{"solve", broken}, {broken, "ends before it", "cure:"}},
      {{"solve", file, broken}, {broken}},
      {{"solve", file, "--solver", "admn"}, {"admn", "did you mean 'admm'"}},
      {{"solve", file, "--tolerance", "-1"}, {"--tolerance"}},
      {{"solve", file, "--max-iterations", "0"}, {"--max-iterations"}},
      {{"solve", file, "--set", "rho=1"}, {"rho", "solver.rho"}},
      {{"solve", file, "--format", "fclib"}, {"no such format"}},
      {{"solve", file, "--format", "siconos-global"}, {"FC3D_one.dat"}},
      {{"solve", file, "--to", "npz"}, {"--convert"}},
      {{"solve", file, "--convert", "/no/such/folder/x.npz"}, {"no folder"}},
      {{"solve", file, "--tolerence", "1"}, {"did you mean '--tolerance'"}},
  };
  for (const Slip& slip : slips) {
    const Outcome got = condyle(slip.arguments);
    EXPECT_EQ(got.code, 2) << got;
    EXPECT_EQ(got.out, "") << got;
    for (const std::string& word : slip.words) EXPECT_TRUE(got.said(word)) << word << "\n" << got;
  }
}

TEST(Solve, AProblemIsConvertedAndTheCopyHasTheSameSolution) {
  const std::string file = problem_file("one.dat", one_contact), copy = fresh_file(".hdf5"),
                    dump = fresh_file(".condyle.h5");
  const Outcome made = condyle({"solve", file, "--convert", copy});
  ASSERT_EQ(made.code, 0) << made;
  ASSERT_EQ(condyle({"solve", copy, "--convert", dump}).code, 0);
  const nlohmann::json out = json_of(condyle({"solve", file, copy, dump, "--json"}).out);
  ASSERT_EQ(out.size(), 3u);
  for (int k = 1; k < 3; ++k) EXPECT_EQ(out[0]["residual"], out[static_cast<std::size_t>(k)]["residual"]);
  EXPECT_EQ(out[2]["kind"], "condyle");
}

TEST(Solve, DescribeTellsRankAndCategory) {
  const Outcome got = condyle({"solve", problem_file("one.dat", one_contact), "--describe"});
  EXPECT_EQ(got.code, 0);
  EXPECT_NE(got.out.find("Single Contact"), std::string::npos) << got;
  EXPECT_NE(got.out.find("rank          3"), std::string::npos) << got;
}

TEST(Solvers, AllAreListedWithWhatTheySolveAndTheirParameters) {
  const Outcome text = condyle({"solvers"});
  EXPECT_EQ(text.code, 0);
  const nlohmann::json list = json_of(condyle({"solvers", "--json"}).out);
  ASSERT_GE(list.size(), 3u);
  for (const auto& solver : list) {
    EXPECT_NE(text.out.find(solver["name"].get<std::string>() + " ("), std::string::npos) << solver;
    EXPECT_FALSE(solver["solves"].get<std::string>().empty());
  }
  EXPECT_NE(text.out.find("rho = 0.03"), std::string::npos) << text;
}

}  // namespace
}  // namespace condyle::test
