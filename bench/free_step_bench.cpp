// Cost of a free step divided by the bare Pinocchio calls that any simulator must make, in one process; and how the cost
// grows with the number of free bodies. Rounds of the two are interleaved, the least time of each counts: other load on
// the machine then hits both alike.
#include "support/random_state.hpp"

#include <condyle/condyle.hpp>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

#include <chrono>
#include <functional>

namespace {

namespace pin = pinocchio;
using namespace condyle;
using ConstRef = Eigen::Ref<const Eigen::VectorXd>;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Least time per call of each job over interleaved rounds.
std::vector<double> race(const std::vector<std::function<void()>>& jobs, int calls, int rounds) {
  std::vector<double> best(jobs.size(), 1e300);
  for (int r = 0; r < rounds; ++r)
    for (std::size_t j = 0; j < jobs.size(); ++j)
      best[j] = std::min(best[j], seconds([&] {
                                    for (int i = 0; i < calls; ++i) jobs[j]();
                                  }) / calls);
  return best;
}

/// The calls without which there is no step of one tree.
class Bare {
 public:
  explicit Bare(const pin::Model& model, const State& x)
      : model_(model),
        data_(model),
        q_(x.q),
        v_(x.v),
        tau_(Eigen::VectorXd::Zero(model.nv)),
        dv_(model.nv),
        next_(model.nq),
        column_(model.nv, 1) {}

  /// A is formed and factored, as a contact solver needs it.
  void crba_step() {
    pin::crba(model_, data_, ConstRef(q_), pin::Convention::WORLD);
    pin::nonLinearEffects(model_, data_, ConstRef(q_), ConstRef(v_));
    pin::cholesky::decompose(model_, data_);
    column_.col(0) = tau_ - data_.nle;
    pin::cholesky::solve(model_, data_, column_);
    v_ += 1e-3 * column_.col(0);
    move();
  }
  /// Articulated-body algorithm: no A at all.
  void aba_step() {
    pin::aba(model_, data_, ConstRef(q_), ConstRef(v_), ConstRef(tau_), pin::Convention::WORLD);
    v_ += 1e-3 * data_.ddq;
    move();
  }

 private:
  void move() {
    dv_ = 1e-3 * v_;
    pin::integrate(model_, q_, dv_, next_);
    q_.swap(next_);
  }
  const pin::Model& model_;
  pin::Data data_;
  Eigen::VectorXd q_, v_, tau_, dv_, next_;
  Eigen::MatrixXd column_;
};

void tree_ratio(const std::string& name, const Scene& scene) {
  const auto model = scene.pinocchio_model();
  Simulator sim(scene);
  State x = scene.initial_state();
  Bare with_crba(*model, x), with_aba(*model, x);
  const auto t = race({[&] { sim.step(x); }, [&] { with_crba.crba_step(); }, [&] { with_aba.aba_step(); }}, 500, 60);
  fmt::print(
      "{:<22} nv {:3}  step {:7.2f} us  crba+bias+Cholesky+integrate {:7.2f} us  ratio {:.2f}   aba+integrate {:7.2f} us  "
      "ratio {:.2f}   residual {:.1e} m/s\n",
      name, scene.nv(), t[0] * 1e6, t[1] * 1e6, t[0] / t[1], t[2] * 1e6, t[0] / t[2], sim.report().residual);
}

Scene stones(int n) {
  test::Random random(7);
  SceneBuilder build;
  for (int i = 0; i < n; ++i) {
    BodySpec body;
    body.name = fmt::format("stone_{}", i);
    body.inertial = random.inertial(random.uniform(0.1, 10));
    body.pose = random.pose(10);
    body.velocity = random.vector(6, 3);
    build.add_body(body);
  }
  return build.finish();
}

/// An empty scene costs a step too: checks, clocks, accounts. What a body costs is what it adds to that; the undivided step
/// is printed beside it.
void free_body_growth() {
  const std::vector<int> sizes{0, 1, 10, 100, 1000, 10000};
  std::vector<Scene> scenes;
  std::vector<Simulator> sims;
  std::vector<State> states;
  for (const int n : sizes) {
    scenes.push_back(stones(n));
    sims.emplace_back(scenes.back());
    states.push_back(scenes.back().initial_state());
  }
  std::vector<double> best(sizes.size(), 1e300);
  for (int round = 0; round < 60; ++round)
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const int calls = std::max(1, 20000 / std::max(1, sizes[k]));
      best[k] = std::min(best[k], seconds([&] {
                                    for (int i = 0; i < calls; ++i) sims[k].step(states[k]);
                                  }) / calls);
    }
  const auto per_body = [&](std::size_t k) { return (best[k] - best[0]) / sizes[k]; };
  fmt::print("empty scene       {:10.3f} us a step\n", best[0] * 1e6);
  for (std::size_t k = 1; k < sizes.size(); ++k)
    fmt::print(
        "{:>6} free bodies  {:10.3f} us a step, {:6.1f} ns a body in all, {:6.1f} ns added by each: {:.2f} of 1000's   "
        "residual {:.1e} m/s\n",
        sizes[k], best[k] * 1e6, best[k] / sizes[k] * 1e9, per_body(k) * 1e9, per_body(k) / per_body(4),
        sims[k].report().residual);
}

}  // namespace

/// The robot as it flies or swings: nothing to touch, no limit to reach, no friction.
Scene unconstrained(const std::string& name, Base base) {
  auto robot =
      std::make_shared<ModelDescription>(read_model(std::string(CONDYLE_SOURCE_DIR) + "/models/robots/" + name + ".urdf"));
  robot->shapes.clear();
  for (JointSpec& joint : robot->joints) {
    joint.lower = -unlimited;
    joint.upper = unlimited;
    joint.friction = 0;
  }
  SceneBuilder build;
  ModelOptions options;
  options.base = base;
  return build.add_model(robot, options).finish();
}

int main() {
  fmt::print("free motion\n");
  for (const auto& [name, base] : std::vector<std::pair<std::string, Base>>{
           {"pendulum", Base::fixed}, {"arm", Base::fixed}, {"quadruped", Base::free}, {"humanoid", Base::free}})
    tree_ratio(name, unconstrained(name, base));
  fmt::print("with joint limits and contacts looked for; none acts\n");
  for (const char* name : {"pendulum", "arm", "quadruped", "humanoid"}) tree_ratio(name, load_scene(name));
  free_body_growth();
}
