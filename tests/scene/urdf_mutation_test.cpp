// Each tag and attribute of a rich URDF is misspelt, moved, deleted or given a bad value. Each time the file must be
// refused or the report must hold an entry it did not hold before; where a file without an element plainly means
// something else, the tables of the model must differ.
#include "scene/urdf_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

namespace condyle {
namespace {

using namespace test;
using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;
namespace fs = std::filesystem;

const char* const rich = R"(<robot name="rich" version="1.1">
  <material name="red"><color rgba="1 0 0 1"/><texture filename="red.png"/></material>
  <link name="base">
    <inertial><origin xyz="0 0 0.1" rpy="0 0 0.2"/><mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual name="shell"><origin xyz="0 0 0" rpy="0 0 0"/><geometry><mesh filename="part.stl" scale="1 1 2"/></geometry><material name="red"/></visual>
    <visual name="cap"><origin xyz="0 0 1" quat_xyzw="0 0 0 1"/><geometry><sphere radius="0.2"/></geometry><material name="own"><color rgba="0 1 0 1"/></material></visual>
    <collision name="hull"><origin xyz="0 0 0" rpy="0 0 0"/><geometry><mesh filename="part.stl" scale="1 1 2"/></geometry></collision>
    <collision name="box"><origin xyz="0 0 0" rpy="0 0 0"/><geometry><box size="1 2 3"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><origin xyz="0 0 0" rpy="0 0 0"/><mass value="1"/><inertia ixx="1" ixy="0.1" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision name="rod"><origin xyz="0 0 0" rpy="0 0 0"/><geometry><capsule radius="0.1" length="1"/></geometry></collision>
    <collision name="can"><origin xyz="0 0 0" rpy="0 0 0"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision>
  </link>
  <link name="slider"/>
  <link name="wheel"/>
  <link name="tool"/>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 0"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/><dynamics damping="0.1" friction="0.2"/>
    <safety_controller k_velocity="1" k_position="1" soft_lower_limit="-1" soft_upper_limit="1"/><calibration rising="0.5"/>
  </joint>
  <joint name="slide" type="prismatic">
    <origin xyz="0 0 1" rpy="0 0 0"/><parent link="arm"/><child link="slider"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/><dynamics damping="0.1" friction="0.2"/>
    <mimic joint="hinge" multiplier="2" offset="0.5"/>
  </joint>
  <joint name="roll" type="continuous">
    <origin xyz="1 0 0" rpy="0 0 0"/><parent link="arm"/><child link="wheel"/><axis xyz="0 1 0"/>
    <limit effort="10" velocity="5"/><dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="mount" type="fixed"><origin xyz="0 0 1" rpy="0 0 0"/><parent link="wheel"/><child link="tool"/></joint>
  <loop_joint name="loop" type="revolute"><axis xyz="0 1 0"/><link1 link="base" xyz="1 0 2" rpy="0 0 0"/><link2 link="tool" xyz="0 0 0" rpy="0 0 0"/></loop_joint>
  <transmission name="drive"><joint name="hinge"/></transmission>
  <gazebo><joint name="elsewhere" type="ball"><parent>base</parent><child>tool</child></joint></gazebo>
</robot>
)";

/// The folder that holds the mesh of the rich robot.
std::string robot_file() {
  const fs::path folder = fs::path(CONDYLE_TEST_OUTPUT) / "urdf_mutation";
  fs::create_directories(folder);
  std::ofstream(folder / "part.stl")
      << "solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
         "endloop\nendfacet\nendsolid part\n";
  return (folder / "rich.urdf").string();
}

/// What the model holds, apart from its report.
std::string tables(const ModelDescription& model) {
  std::string out = fmt::format("{} {} {} {} {} {}", model.links.size(), model.joints.size(), model.couplings.size(),
                                model.closures.size(), model.closures_not_simulated.size(), model.actuated_joints.size());
  for (const CouplingSpec& c : model.couplings) out += " " + c.joint + "=" + c.of;
  for (const ShapeSpec& s : model.shapes)
    out += fmt::format(" {}:{}:{}", s.link, s.role == ShapeRole::visual ? "visual" : "collision", to_string(s.shape.kind));
  return out + fmt::format(" {} without effect", model.report.count(Outcome::ignored));
}

struct Result {
  std::optional<Error> refusal;
  std::multiset<std::string> entries;
  std::vector<ReportEntry> list;
  std::string tables;
};

Result judge(const std::string& text) {
  Result out;
  LoadReport partial;
  try {
    const ModelDescription model = read_urdf_text(text, robot_file(), {}, &partial);
    out.list = model.report.entries;
    out.tables = tables(model);
  } catch (const Error& error) {
    out.refusal = error;
  }
  for (const ReportEntry& e : out.list) out.entries.insert(line_of(e));
  return out;
}

std::string print(const XMLDocument& document) {
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

/// Elements of the text in document order; the insides of other simulators' elements are not URDF's.
void collect(XMLElement* element, std::vector<XMLElement*>& out) {
  out.push_back(element);
  const std::string tag = element->Name();
  if (tag == "gazebo" || tag == "transmission") return;
  for (XMLElement* child = element->FirstChildElement(); child; child = child->NextSiblingElement()) collect(child, out);
}

std::vector<std::string> attributes_of(const XMLElement* element) {
  std::vector<std::string> out;
  for (const auto* a = element->FirstAttribute(); a; a = a->Next()) out.emplace_back(a->Name());
  return out;
}

std::string misspelt(const std::string& word) {
  std::string out = word;
  for (std::size_t i = out.size(); i-- > 1;)
    if (out[i] != out[i - 1]) {
      std::swap(out[i], out[i - 1]);
      return out;
    }
  return word + "x";
}

class Mutations {
 public:
  Mutations() {
    XMLDocument document;
    document.Parse(rich);
    std::vector<XMLElement*> all;
    collect(document.RootElement(), all);
    count_ = all.size();
    before_ = judge(print(document));
  }

  std::size_t count() const { return count_; }
  const Result& before() const { return before_; }

  /// Runs `change` on a fresh copy; a change that returns false does not apply there.
  void run(std::size_t index, const std::string& what, bool tables_may_tell,
           const std::function<bool(XMLDocument&, XMLElement*)>& change) {
    XMLDocument document;
    document.Parse(rich);
    std::vector<XMLElement*> all;
    collect(document.RootElement(), all);
    const std::string element =
        fmt::format("<{} {}> of line {}", all[index]->Name(),
                    all[index]->Attribute("name") ? all[index]->Attribute("name") : "", all[index]->GetLineNum());
    if (!change(document, all[index])) return;
    ++runs_;
    expect_told(judge(print(document)), what + " " + element, tables_may_tell);
  }

  void expect_told(const Result& after, const std::string& what, bool tables_may_tell) const {
    if (after.refusal) {
      EXPECT_NE(after.refusal->place().file.find("rich.urdf"), std::string::npos) << what << ": " << after.refusal->what();
      EXPECT_GT(after.refusal->place().line, 0) << what << ": " << after.refusal->what();
      EXPECT_FALSE(after.refusal->place().element.empty()) << what << ": " << after.refusal->what();
      EXPECT_NE(after.refusal->code(), "readers-disagree") << what << ": " << after.refusal->what();
      return;
    }
    bool told = tables_may_tell && after.tables != before_.tables;
    for (const ReportEntry& e : after.list) {
      if (after.entries.count(line_of(e)) <= before_.entries.count(line_of(e))) continue;
      told = told || (e.place.line > 0 && !e.place.element.empty() && e.place.file.find("rich.urdf") != std::string::npos);
    }
    EXPECT_TRUE(told) << what << " is not told by the report";
  }

  int runs() const { return runs_; }

 private:
  std::size_t count_ = 0;
  Result before_;
  int runs_ = 0;
};

TEST(UrdfMutation, TheRichFileItselfLoadsAndBothReadersAgree) {
  const Mutations mutations;
  ASSERT_FALSE(mutations.before().refusal) << mutations.before().refusal->what();
  for (const ReportEntry& e : mutations.before().list) EXPECT_NE(e.code, "urdfdom-differs") << e.reason;
}

TEST(UrdfMutation, EveryMisspeltTagAndAttributeIsTold) {
  Mutations mutations;
  for (std::size_t i = 0; i < mutations.count(); ++i) {
    mutations.run(i, "misspelt", false, [](XMLDocument&, XMLElement* e) {
      e->SetName(misspelt(e->Name()).c_str());
      return true;
    });
    for (std::size_t k = 0; k < 7; ++k)
      mutations.run(i, fmt::format("attribute {} misspelt in", k), false, [&](XMLDocument&, XMLElement* e) {
        const auto names = attributes_of(e);
        if (k >= names.size()) return false;
        const std::string value = e->Attribute(names[k].c_str());
        e->DeleteAttribute(names[k].c_str());
        e->SetAttribute(misspelt(names[k]).c_str(), value.c_str());
        return true;
      });
  }
  EXPECT_GT(mutations.runs(), 190);
}

TEST(UrdfMutation, EveryDeletedTagAndAttributeIsTold) {
  Mutations mutations;
  for (std::size_t i = 1; i < mutations.count(); ++i) {
    mutations.run(i, "deleted", true, [](XMLDocument& document, XMLElement* e) {
      document.DeleteNode(e);
      return true;
    });
    for (std::size_t k = 0; k < 7; ++k)
      mutations.run(i, fmt::format("attribute {} deleted in", k), false, [&](XMLDocument&, XMLElement* e) {
        const auto names = attributes_of(e);
        const std::string tag = e->Name();
        // Attributes of elements that have no effect, and names that nothing refers to, leave nothing to tell.
        if (k >= names.size() || tag == "safety_controller" || tag == "calibration" || tag == "texture" ||
            tag == "transmission" || tag == "gazebo")
          return false;
        e->DeleteAttribute(names[k].c_str());
        return true;
      });
  }
  EXPECT_GT(mutations.runs(), 180);
}

TEST(UrdfMutation, EveryTagAndAttributeMovedToAnotherElementIsTold) {
  Mutations mutations;
  for (std::size_t i = 1; i < mutations.count(); ++i) {
    const auto move_into = [](XMLDocument&, XMLElement* e, XMLElement* target) {
      if (!target) return false;
      target->InsertEndChild(e);
      return true;
    };
    mutations.run(i, "moved into the next sibling:", true,
                  [&](XMLDocument& d, XMLElement* e) { return move_into(d, e, e->NextSiblingElement()); });
    mutations.run(i, "moved into the sibling before:", true,
                  [&](XMLDocument& d, XMLElement* e) { return move_into(d, e, e->PreviousSiblingElement()); });
    mutations.run(i, "moved up:", true, [&](XMLDocument& d, XMLElement* e) {
      XMLElement* up = e->Parent()->ToElement();
      return move_into(d, e, up && up->Parent() ? up->Parent()->ToElement() : nullptr);
    });
    for (std::size_t k = 0; k < 7; ++k)
      mutations.run(i, fmt::format("attribute {} moved up from", k), true, [&](XMLDocument&, XMLElement* e) {
        const auto names = attributes_of(e);
        XMLElement* up = e->Parent()->ToElement();
        const std::string tag = e->Name();
        if (k >= names.size() || !up || tag == "transmission" || tag == "gazebo") return false;
        const std::string value = e->Attribute(names[k].c_str());
        e->DeleteAttribute(names[k].c_str());
        up->SetAttribute(names[k].c_str(), value.c_str());
        return true;
      });
  }
  EXPECT_GT(mutations.runs(), 280);
}

TEST(UrdfMutation, EveryBadValueIsTold) {
  const std::map<std::string, std::vector<std::string>> bad = {{"xyz", {"nan 0 0", "a b c", "1,0 0 0", "1 2", ""}},
                                                               {"rpy", {"inf 0 0", "1 2"}},
                                                               {"quat_xyzw", {"0 0 0 0", "1 0 0"}},
                                                               {"value", {"-1", "nan", "1kg"}},
                                                               {"ixx", {"nan", "-5", "9", ""}},
                                                               {"iyy", {"9", "x"}},
                                                               {"izz", {"9", "1e999"}},
                                                               {"ixy", {"7", "nan"}},
                                                               {"radius", {"-1", "nan", "0.1 0.2"}},
                                                               {"length", {"0", "-1", "x"}},
                                                               {"size", {"1 2", "0 1 1", "1 1 -1"}},
                                                               {"scale", {"0 1 1", "-1 1 1", "2"}},
                                                               {"filename", {"absent.stl", "", "package://nobody/x.stl"}},
                                                               {"rgba", {"1 0 0", "red"}},
                                                               {"link", {"nobody", ""}},
                                                               {"joint", {"nobody", ""}},
                                                               {"type", {"bend", "", "Revolute"}},
                                                               {"lower", {"7", "nan", "0.5"}},
                                                               {"upper", {"-7", "x", "-0.5"}},
                                                               {"effort", {"-1", "nan"}},
                                                               {"velocity", {"-1", "x"}},
                                                               {"damping", {"-1", "nan"}},
                                                               {"friction", {"-1", "x"}},
                                                               {"multiplier", {"nan", "x"}},
                                                               {"offset", {"nan", "0 0"}},
                                                               {"version", {"9.9", "x", ""}},
                                                               {"rising", {"x"}},
                                                               {"k_velocity", {"x"}}};
  Mutations mutations;
  for (std::size_t i = 0; i < mutations.count(); ++i)
    for (const auto& [attribute, values] : bad)
      for (const std::string& value : values)
        mutations.run(i, fmt::format("{}=\"{}\" in", attribute, value), false, [&](XMLDocument&, XMLElement* e) {
          // A texture is not drawn; an off-diagonal or single moment that stays physical is a different robot, not a bad
          // one.
          if (!e->Attribute(attribute.c_str()) || std::string(e->Name()) == "texture") return false;
          e->SetAttribute(attribute.c_str(), value.c_str());
          return true;
        });
  EXPECT_GT(mutations.runs(), 250);
}

TEST(UrdfMutation, NamesThatAreUsedTwiceAreRefused) {
  Mutations mutations;
  for (std::size_t i = 1; i < mutations.count(); ++i)
    mutations.run(i, "named like another:", false, [&](XMLDocument&, XMLElement* e) {
      const std::string tag = e->Name();
      if (tag == "link")
        e->SetAttribute("name", std::string(e->Attribute("name")) == "arm" ? "base" : "arm");
      else if (tag == "joint")
        e->SetAttribute("name", std::string(e->Attribute("name")) == "roll" ? "slide" : "roll");
      else
        return false;
      return true;
    });
  EXPECT_EQ(mutations.runs(), 9);
}

TEST(UrdfMutation, ElementsWrittenTwiceAreTold) {
  Mutations mutations;
  for (std::size_t i = 1; i < mutations.count(); ++i)
    mutations.run(i, "written twice:", true, [](XMLDocument& document, XMLElement* e) {
      e->Parent()->InsertAfterChild(e, e->DeepClone(&document));
      return true;
    });
  EXPECT_GT(mutations.runs(), 60);
}

TEST(UrdfMutation, TheFileCutAtAnyByteIsRefusedWithItsLine) {
  const std::string text = rich, file = robot_file();
  for (std::size_t cut = 0; cut + 2 < text.size(); ++cut) {
    try {
      read_urdf_text(text.substr(0, cut), file);
      ADD_FAILURE() << "cut at byte " << cut << " loads";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "xml-malformed") << cut << ": " << error.what();
      EXPECT_GT(error.place().line, 0) << cut;
      if (cut > 0) {
        EXPECT_FALSE(error.place().element.empty()) << cut << ": " << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace condyle
