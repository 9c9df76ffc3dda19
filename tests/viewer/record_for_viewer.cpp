// Recordings that a run does not make by itself, for the browser's tests: record_for_viewer FOLDER
#include <condyle/recording.hpp>
#include <condyle/scene.hpp>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>

namespace {

using namespace condyle;

constexpr const char* hostile = "<script><img src=x onerror=\"window.hacked=1\"><!--<b>&amp;\\u003c\u2028é";

Scene scene_of_boxes(int count, const std::string& first) {
  SceneBuilder build;
  build.set_name(first.empty() ? "boxes" : "</script>" + first);
  build.add_ground();
  for (int i = 0; i < count; ++i) {
    BodySpec body;
    body.name = i == 0 && !first.empty() ? first : "box" + std::to_string(i);
    Shape box;
    box.kind = ShapeKind::box;
    box.size = {0.2, 0.2, 0.2};
    body.shapes.push_back(box);
    body.inertial.mass = 1;
    body.pose.p = {0.3 * (i % 10), 0.3 * (i / 10 % 10), 0.1 + 0.21 * (i / 100)};
    build.add_body(body);
  }
  return build.finish();
}

/// Steps that some code might have made: `status` and residual by the caller.
struct Steps {
  Scene scene;
  Recorder recorder;
  State x;

  Steps(const std::string& file, const Scene& the_scene)
      : scene(the_scene), recorder(file, scene, {}, {.command = "record_for_viewer"}), x(scene.initial_state()) {}

  void add(StepStatus status, double residual, std::vector<ConstraintRow> rows = {}) {
    x.t += 1e-3;
    ++x.step;
    StepReport report;
    report.step = x.step;
    report.t = x.t;
    report.status = status;
    report.residual = residual;
    report.contacts = static_cast<int>(rows.size());
    report.iterations = 3;
    report.energy = {1, 2, 0};
    recorder.add(x, Eigen::VectorXd::Zero(scene.nv()), report, rows);
  }
};

std::vector<ConstraintRow> contacts_of(const Steps& steps, int bodies, int each) {
  std::vector<ConstraintRow> rows;
  for (int b = 0; b < bodies; ++b)
    for (int k = 0; k < each; ++k) {
      ConstraintRow row;
      row.id = static_cast<std::uint64_t>(each * b + k + 1);
      row.body_a = bodies;  // the ground is the only static body
      row.body_b = b;
      const Eigen::Vector3d p = steps.x.q.segment<3>(7 * b);
      row.point = p + Eigen::Vector3d(k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, -0.1);
      row.impulse = 1e-3 * (2 + std::sin(b + k + 300 * steps.x.t)) * Eigen::Vector3d(0.1 * (k - 1), 0, 1);
      row.friction = 0.5;
      row.mode = k == 0 ? ContactMode::slip : ContactMode::stick;
      rows.push_back(row);
    }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  Recorder(folder + "/empty.h5", scene_of_boxes(2, ""), {}).close();
  {
    const Scene scene = scene_of_boxes(2, "");
    Recorder one(folder + "/one.h5", scene, {});
    one.start(scene.initial_state());
    one.close();
  }
  {
    SceneBuilder build;
    build.set_name("nothing");
    Steps none(folder + "/nobody.h5", build.finish());
    none.recorder.start(none.x);
    for (int i = 0; i < 9; ++i) none.add(StepStatus::certified, 0);
    none.recorder.close();
  }
  {
    Steps names(folder + "/hostile.h5", scene_of_boxes(3, hostile));
    names.recorder.start(names.x);
    for (int i = 0; i < 20; ++i) names.add(StepStatus::certified, 1e-9, contacts_of(names, 3, 4));
    names.recorder.close();
  }
  {
    Steps broken(folder + "/nan.h5", scene_of_boxes(3, ""));
    broken.recorder.start(broken.x);
    for (int i = 0; i < 20; ++i) {
      if (i == 10) broken.x.q.segment<3>(7).setConstant(std::numeric_limits<double>::quiet_NaN());
      if (i == 15) broken.x.q[0] = std::numeric_limits<double>::infinity();
      broken.add(i < 10 ? StepStatus::certified : StepStatus::uncertified,
                 i < 10 ? 1e-9 : std::numeric_limits<double>::quiet_NaN());
    }
    broken.recorder.close();
  }
  {  // what is certified and what is not as the report says it, at known times
    Steps bad(folder + "/uncertified.h5", scene_of_boxes(3, ""));
    bad.recorder.start(bad.x);
    for (int i = 1; i <= 1500; ++i) {
      bad.x.q[2] = 0.1 + 1e-3 * i;
      const bool wrong = i == 301 || i == 702 || i == 1203;
      bad.add(wrong ? StepStatus::uncertified : StepStatus::certified, wrong ? 1e-6 * i : 1e-9, contacts_of(bad, 3, 4));
    }
    bad.recorder.flush();  // as a program leaves it that is killed here
    std::filesystem::copy_file(folder + "/uncertified.h5", folder + "/unfinished.h5",
                               std::filesystem::copy_options::overwrite_existing);
    bad.recorder.close();
  }
  {  // as many bodies and contacts as a page should carry
    Steps pile(folder + "/pile.h5", scene_of_boxes(1000, ""));
    pile.recorder.start(pile.x);
    for (int i = 1; i <= 60; ++i) {
      for (int b = 0; b < 1000; ++b) {  // by no multiple of what the page rounds to
        pile.x.q[7 * b + 2] -= 1.2345678e-4 * (b % 7);
        const double half = 1.2345678e-3 * i * (b % 3);
        pile.x.q.segment<4>(7 * b + 3) << 0, 0, std::sin(half), std::cos(half);
      }
      pile.add(StepStatus::certified, 1e-9, contacts_of(pile, 1000, 4));
    }
    pile.recorder.close();
  }
  std::cout << "done\n";
}
