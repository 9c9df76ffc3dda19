// SAP VI-C: spheres and boxes dropped into a bin, with the near-rigid law. Friction that is a little soft creeps; how much is
// the paper's (31) for a body on the floor, and R_t ‖λ_t‖ for any contact.
#include "support/slip.hpp"

#include <condyle/condyle.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace condyle {
namespace {

TEST(Clutter, OfEightAndFortyBodiesSettlesInFewIterationsAndSlipsLessThanSigmaMuGravityAStep) {
  for (const char* bodies : {"8", "40"})
    for (const char* walls : {"1", "0"}) {
      SCOPED_TRACE(fmt::format("{} bodies, walls {}", bodies, walls));
      const Scene scene = load_scene("clutter", {.parameters = {{"n", bodies}, {"walls", walls}}});
      SimulatorOptions options;
      options.dt = scene.defaults().dt;
      options.laws = scene.defaults().laws;
      options.solver = "sap";
      options.solver_parameters = {{"rel_tol", 1e-5}, {"until_certified", 0}, {"islands", 0}};  // the paper's
      options.account_energy = false;
      State state = scene.initial_state();
      double iterations = 0;
      int settled = 0;
      Simulator simulator(scene, options);
      while (state.t < 15) {
        const StepReport& report = simulator.step(state);
        ASSERT_NE(report.status, StepStatus::rejected) << report.message();
        if (state.t > 13) iterations += report.iterations, ++settled;
      }
      options.solver_parameters["rel_tol"] = 1e-12;
      Simulator exact(scene, options);
      exact.step(state);
      const Slip slip = slip_of(exact);
      const double friction = 1, bound = options.laws.sigma_slip * friction * 9.81 * options.dt;
      fmt::print("{} bodies, walls {}: {} contacts, {} stick, mean slip {:.1e} m/s, (31) {:.1e}, own limits {:.1e}; {:.2f} "
                 "iterations a step\n",
                 bodies, walls, slip.contacts, slip.sticking, slip.mean, bound, slip.limit, iterations / settled);
      ASSERT_GT(slip.contacts, 0);
      EXPECT_LT(slip.mean, bound);
      EXPECT_LT(slip.law, 1e-3) << "a contact within its cone slips by R_t |lambda_t|";
      EXPECT_LT(iterations / settled, 4);
    }
}

}  // namespace
}  // namespace condyle
