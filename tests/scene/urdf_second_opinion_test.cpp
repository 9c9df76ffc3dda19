// The two readers are compared item by item: a difference is explained and reported, or the file is refused.
#include "scene/urdf/second_opinion.hpp"

#include "scene/urdf_text.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace condyle {
namespace {

using namespace test;

const std::string text = robot(
    "<link name=\"a\"><inertial><origin xyz=\"0 0 1\" rpy=\"0.1 0.2 0.3\"/><mass value=\"2\"/>"
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1.5\" iyz=\"0\" izz=\"1\"/></inertial>"
    "<visual><geometry><sphere radius=\"1\"/></geometry></visual><collision><geometry><box size=\"1 2 "
    "3\"/></geometry></collision></link>"
    "<link name=\"b\"/><link name=\"c\"/>"
    "<joint name=\"j\" type=\"revolute\"><origin xyz=\"1 0 0\" rpy=\"0 0 1\"/><parent link=\"a\"/><child link=\"b\"/><axis "
    "xyz=\"0 0 2\"/>" +
    limit +
    "<dynamics damping=\"5\" friction=\"6\"/></joint>"
    "<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/><mimic joint=\"j\" multiplier=\"2\" "
    "offset=\"1\"/></joint>");

using Oddities = std::map<std::string, std::vector<std::string>>;

/// The code of the verdict on a model that was changed after reading; "agree" if there is no complaint.
std::string verdict(const std::function<void(ModelDescription&)>& change, const Oddities& oddities, LoadReport& report) {
  ModelDescription model = read(text);
  const std::vector<CouplingSpec> written = model.couplings;
  change(model);
  try {
    urdf::second_opinion(text, model, written, oddities, {"f.urdf", 1, "<robot r>"}, report);
    return "agree";
  } catch (const Error& error) {
    EXPECT_NE(error.reason().find(" here and "), std::string::npos) << error.what();
    return error.code();
  }
}

TEST(UrdfSecondOpinion, EveryItemThatDiffersWithoutExplanationRefusesTheFile) {
  const std::map<std::string, std::function<void(ModelDescription&)>> changes = {
      {"mass", [](ModelDescription& m) { m.links[0].inertial.mass = 2.1; }},
      {"com", [](ModelDescription& m) { m.links[0].inertial.com[0] += 1e-6; }},
      {"inertia", [](ModelDescription& m) { m.links[0].inertial.inertia(0, 1) += 1e-6; }},
      {"inertial", [](ModelDescription& m) { m.links[1].has_inertial = true; }},
      {"shape count", [](ModelDescription& m) { m.shapes.pop_back(); }},
      {"shape size", [](ModelDescription& m) { m.shapes[1].shape.size[2] = 3.1; }},
      {"shape kind", [](ModelDescription& m) { m.shapes[0].shape.kind = ShapeKind::capsule; }},
      {"shape pose", [](ModelDescription& m) { m.shapes[0].shape.pose.p[1] = 0.1; }},
      {"type", [](ModelDescription& m) { m.joints[0].kind = JointKind::prismatic; }},
      {"parent", [](ModelDescription& m) { m.joints[1].parent = 0; }},
      {"origin", [](ModelDescription& m) { m.joints[0].origin.R.setIdentity(); }},
      {"axis", [](ModelDescription& m) { m.joints[0].axis = -m.joints[0].axis; }},
      {"lower", [](ModelDescription& m) { m.joints[0].lower = -1.1; }},
      {"upper", [](ModelDescription& m) { m.joints[0].upper = 2.1; }},
      {"effort", [](ModelDescription& m) { m.joints[0].effort = unlimited; }},
      {"velocity", [](ModelDescription& m) { m.joints[0].velocity = 0; }},
      {"damping", [](ModelDescription& m) { m.joints[0].damping = 0; }},
      {"friction", [](ModelDescription& m) { m.joints[0].friction = 6.1; }},
      {"mimic", [](ModelDescription& m) { std::swap(m.joints[0].name, m.joints[1].name); }},
      {"names", [](ModelDescription& m) { m.links[2].name = "d"; }},
  };
  LoadReport report;
  EXPECT_EQ(verdict([](ModelDescription&) {}, {}, report), "agree");
  for (const auto& [what, change] : changes) EXPECT_EQ(verdict(change, {}, report), "readers-disagree") << what;
  EXPECT_TRUE(report.entries.empty());
}

TEST(UrdfSecondOpinion, AnExplainedDifferenceBecomesAnEntryWithBothValues) {
  LoadReport report;
  EXPECT_EQ(verdict([](ModelDescription& m) { m.links[0].inertial.mass = 3; }, {{"link a", {"it cannot count"}}}, report),
            "agree");
  const ReportEntry* said = entry(report, "urdfdom-differs", "it cannot count");
  ASSERT_TRUE(said);
  EXPECT_NE(said->reason.find("mass 3 here and 2 there"), std::string::npos) << said->reason;
}

TEST(UrdfSecondOpinion, ReadersInSeveralThreadsDoNotDisturbOneAnother) {
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  std::vector<int> loaded(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&loaded, t] {
      for (int i = 0; i < 50; ++i)
        loaded[static_cast<std::size_t>(t)] += read(one_joint("fixed", "<origin xyz=\"1\t2 3\"/>")).links.size() == 2;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(loaded, std::vector<int>(4, 50));
}

}  // namespace
}  // namespace condyle
