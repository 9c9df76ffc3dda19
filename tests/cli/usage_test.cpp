// What a user meets first: the overview, the help, and the words about a slip of the finger.
#include "cli/program.hpp"

#include <condyle/version.hpp>

#include <gtest/gtest.h>

namespace condyle::test {
namespace {

TEST(Usage, TheProgramAlonePrintsTheOverviewOfAllCommands) {
  const Outcome got = condyle({});
  EXPECT_EQ(got.code, 0) << got;
  for (const char* name : {"condyle run", "condyle load", "condyle scenes", "condyle info", "condyle replay",
                           "condyle check", "condyle solve ", "condyle solvers"})
    EXPECT_NE(got.out.find(name), std::string::npos) << name << "\n" << got;
}

TEST(Usage, TheVersionIsTheOneOfTheLibrary) {
  const Outcome got = condyle({"--version"});
  EXPECT_EQ(got.code, 0);
  EXPECT_EQ(got.out, std::string("condyle ") + version + "\n");
}

TEST(Usage, TheHelpOfEachCommandNamesAnExampleOfIt) {
  for (const std::string name : {"run", "load", "scenes", "info", "replay", "check", "solve", "solvers"}) {
    const Outcome got = condyle({name, "--help"});
    EXPECT_EQ(got.code, 0) << got;
    const auto examples = got.out.find("Examples:");
    ASSERT_NE(examples, std::string::npos) << got;
    EXPECT_NE(got.out.find("condyle " + name, examples), std::string::npos) << got;
    EXPECT_EQ(got.err, "");
  }
}

TEST(Usage, ExamplesOfRunThatNeedNoPackageCanBeRun) {
  EXPECT_EQ(condyle({"run", "pendulum", "--time", "0.01"}).code, 0);
  EXPECT_EQ(condyle({"run", "chain", "--set", "n=20", "--dt", "0.0005", "--time", "0.01"}).code, 0);
}

struct Slip {
  std::vector<std::string> arguments;
  std::vector<std::string> words;  ///< all of them must be said
};

TEST(Usage, EverySlipExitsWith2AndNamesWhatAndTheNearestValidWord) {
  const std::string urdf = write_file(".urdf", pendulum_urdf());
  const std::vector<Slip> slips = {
      {{"rnu", "pendulum"}, {"'rnu'", "did you mean 'run'"}},
      {{"--versoin"}, {"--versoin", "did you mean '--version'"}},
      {{""}, {"no such command"}},
      {{"run"}, {"SCENE is missing", "cure:"}},
      {{"run", "--json", "pendulum"}, {"SCENE is missing", "--json took 'pendulum'"}},
      {{"run", "pendulum", "--tolerence", "1e-6"}, {"--tolerence", "did you mean '--tolerance'"}},
      {{"run", "pendulum", "--dtt=1"}, {"--dtt", "did you mean '--dt'"}},
      {{"run", "pendulum", "extra"}, {"'extra'", "too many"}},
      {{"run", "pendulum", "--dt"}, {"--dt", "value is missing", "--dt S"}},
      {{"run", "pendulum", "--quiet=3x"}, {"--quiet"}},
      {{"run", "pendulum", "--dt", "0"}, {"--dt", "'0'", "positive"}},
      {{"run", "pendulum", "--dt", "-0.001"}, {"--dt", "'-0.001'"}},
      {{"run", "pendulum", "--dt", "nan"}, {"--dt", "'nan'"}},
      {{"run", "pendulum", "--dt", "1ms"}, {"--dt", "'1ms'"}},
      {{"run", "pendulum", "--dt", "1e-300"}, {"--time", "steps"}},
      {{"run", "pendulum", "--time", "-1"}, {"--time", "'-1'"}},
      {{"run", "pendulum", "--tolerance", "0"}, {"--tolerance"}},
      {{"run", "pendulum", "--max-iterations", "0"}, {"--max-iterations", "'0'"}},
      {{"run", "pendulum", "--max-iterations", "2.5"}, {"--max-iterations", "'2.5'"}},
      {{"run", "pendulum", "--integrator", "simplectic"}, {"--integrator", "did you mean 'symplectic'"}},
      {{"run", "pendulum", "--solver", "atuo"}, {"--solver", "did you mean 'auto'"}},
      {{"run", "pendulum", "--backend", "maximal"}, {"--backend", "not part of this version"}},
      {{"run", "pendulum", "--backend", "generalised"}, {"--backend", "did you mean 'generalized'"}},
      {{"run", "pendulum", "--implicit-springs", "of"}, {"--implicit-springs", "did you mean 'off'"}},
      {{"run", "pendulum", "--every", "2"}, {"--every", "--record"}},
      {{"run", "pendulum", "--every", "0", "--record", fresh_file(".h5")}, {"--every", "'0'"}},
      {{"run", "pendulm"}, {"'pendulm'", "did you mean 'pendulum'"}},
      {{"run", "chain", "--set", "m=3"}, {"'m'", "did you mean 'n'"}},
      {{"run", "chain", "--set", "n"}, {"--set n", "key=value"}},
      {{"run", "chain", "--set", "n=3", "--set", "n=4"}, {"--set n=4", "twice"}},
      {{"run", "chain", "--set", "n=three"}, {"'three'"}},
      {{"run", urdf, "--set", "n=3"}, {"--set n=3", "only built-in scenes"}},
      {{"run", "x.yaml", "--set", "time.end=3"}, {"--set time.end=3", "only built-in scenes"}},
      {{"run", "pendulum", "--base", "free"}, {"--base", "is a scene"}},
      {{"run", urdf, "--base", "fre"}, {"--base", "did you mean 'free'"}},
      {{"run", "missing.yaml"}, {"missing.yaml"}},
      {{"run", "missing.urdf"}, {"missing.urdf"}},
      {{"run", "pendulum", "--restore", "missing.state"}, {"missing.state"}},
      {{"run", "pendulum", "--package-path", "no/such/folder"}, {"no/such/folder", "--package-path"}},
      {{"run", "pendulum", "--replya", "x.html"}, {"--replya", "did you mean '--replay'"}},
      {{"load"}, {"MODEL is missing"}},
      {{"load", "missing.urdf"}, {"missing.urdf"}},
      {{"load", "scene.yaml"}, {"scene.yaml", "condyle run"}},
      {{"load", urdf, "--mesh-policy", "hul"}, {"--mesh-policy", "did you mean 'hull'"}},
      {{"load", urdf, "--default-inertia", "1"}, {"--default-inertia", "0.1,0.02"}},
      {{"load", urdf, "--default-inertia", "1,-2"}, {"--default-inertia", "'-2'"}},
      {{"scenes", "chian"}, {"'chian'", "did you mean 'chain'"}},
      {{"scenes", "--set", "n=3"}, {"--set", "no scene is named"}},
      {{"info"}, {"REC is missing"}},
      {{"info", "missing.h5"}, {"missing.h5"}},
      {{"check", "--josn"}, {"--josn", "did you mean '--json'"}},
  };
  for (const Slip& slip : slips) {
    std::string line = "condyle";
    for (const std::string& argument : slip.arguments) line += " '" + argument + "'";
    SCOPED_TRACE(line);
    const Outcome got = condyle(slip.arguments);
    EXPECT_EQ(got.code, 2) << got;
    EXPECT_EQ(got.out, "") << got;
    for (const std::string& word : slip.words) EXPECT_TRUE(got.said(word)) << "not said: " << word << "\n" << got;
  }
}

TEST(Usage, NothingIsWrittenWhenTheInputIsBad) {
  const std::string h5 = fresh_file(".h5"), state = fresh_file(".state"), json = fresh_file(".json");
  const Outcome got = condyle({"run", "pendulm", "--record", h5, "--save", state, "--json", json});
  EXPECT_EQ(got.code, 2) << got;
  const Outcome unwritable =
      condyle({"run", "pendulum", "--record", h5, "--save", "no/such/folder/x.state", "--json", json});
  EXPECT_EQ(unwritable.code, 2) << unwritable;
  EXPECT_TRUE(unwritable.said("--save")) << unwritable;
  const Outcome shared = condyle({"run", "pendulum", "--record", h5, "--save", h5});
  EXPECT_EQ(shared.code, 2) << shared;
  EXPECT_TRUE(shared.said("two outputs")) << shared;
  for (const std::string& file : {h5, state, json}) EXPECT_FALSE(exists(file)) << file;
}

TEST(Usage, TheScriptRunsTheProgramOrSaysHowToBuildIt) {
  const Outcome got = start(CONDYLE_SOURCE_DIR "/scripts/condyle", {"--version"});
  if (exists(CONDYLE_SOURCE_DIR "/build/release/bin/condyle"))
    EXPECT_EQ(got.out.rfind("condyle ", 0), 0u) << got;
  else
    EXPECT_TRUE(got.code == 2 && got.said("scripts/demo")) << got;
}

}  // namespace
}  // namespace condyle::test
