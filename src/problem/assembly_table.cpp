#include "problem/assembly_work.hpp"

#include <fmt/format.h>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double open_speed = 1e-12;  ///< m/s: an impulse that changes the velocity by less is none
}  // namespace

const char* to_string(ContactMode mode) {
  switch (mode) {
    case ContactMode::open: return "open";
    case ContactMode::stick: return "stick";
    case ContactMode::slip: return "slip";
    case ContactMode::active: return "active";
    case ContactMode::free_: return "free";
  }
  return "";
}

void Assembly::table(const Eigen::VectorXd& impulse, const Eigen::VectorXd& sigma,
                     const std::vector<double>& block_residuals, std::vector<ConstraintRow>& out) const {
  const Work& w = *work_;
  out.clear();
  for (std::size_t i = 0; i < w.problem.blocks.size(); ++i) {
    const ConstraintBlock& block = w.problem.blocks[i];
    const BlockSource& source = w.sources[i];
    const double* lambda = impulse.data() + block.row;
    const double* s = sigma.data() + block.row;
    const double residual = i < block_residuals.size() ? block_residuals[i] : 0;
    const bool second_half = block.kind == ConstraintKind::closure && block.angular && !out.empty() &&
                             out.back().kind == ConstraintKind::closure && w.sources[i - 1].index == source.index;
    if (!second_half) out.emplace_back();
    ConstraintRow& row = out.back();
    row.residual = std::max(row.residual, residual);
    if (!second_half) row.id = block.id;
    row.kind = block.kind;
    row.body_a = source.body_a;
    row.body_b = source.body_b;
    switch (block.kind) {
      case ConstraintKind::contact: {
        row.point = source.rows.point;
        row.frame = source.rows.direction;
        row.gap = source.residual[0];
        row.friction = block.friction;
        row.impulse = row.frame * Eigen::Map<const Eigen::Vector3d>(lambda);
        row.velocity = Eigen::Map<const Eigen::Vector3d>(s);
        const double along = std::hypot(lambda[0], lambda[1]), slide = std::hypot(s[0], s[1]);
        // sticking or sliding, by which of the two is farther from zero: the room left in the cone or the sliding speed
        if (!(block.weight * lambda[2] > open_speed))
          row.mode = ContactMode::open;
        else
          row.mode = slide > block.weight * (block.friction * lambda[2] - along) ? ContactMode::slip : ContactMode::stick;
        break;
      }
      case ConstraintKind::closure:
      case ConstraintKind::spring_damper: {
        row.point = source.rows.point;
        row.frame = source.axes;
        const Eigen::Map<const Eigen::VectorXd> l(lambda, block.rows);
        row.gap = std::max(row.gap, source.residual.head(block.rows).cwiseAbs().maxCoeff());
        if (block.angular)
          row.moment = source.rows.turn.leftCols(block.rows) * l;
        else
          row.impulse = source.rows.direction.leftCols(block.rows) * l;
        if (!block.angular || !second_half)
          for (int k = 0; k < block.rows; ++k) row.velocity[k] = s[k];
        row.mode = ContactMode::active;
        break;
      }
      case ConstraintKind::coupling:
        row.joint = w.scene.couplings[at(source.index)].v;
        row.followed_joint = w.scene.couplings[at(source.index)].of_v;
        row.followed_share = source.followed_share;
        row.gap = source.residual[0];
        row.mode = ContactMode::active;
        break;
      case ConstraintKind::joint_limit:
        row.joint = w.limited[at(source.index)].v;
        row.gap = source.residual[0];
        row.mode = block.set == SetKind::bilateral || block.weight * lambda[0] > std::max(s[0], open_speed)
                       ? ContactMode::active
                       : ContactMode::free_;
        break;
      case ConstraintKind::joint_friction:
      case ConstraintKind::actuator: {
        row.joint = (block.kind == ConstraintKind::actuator ? w.driven : w.rubbing)[at(source.index)].v;
        row.gap = source.residual[0];
        const double room = std::min(lambda[0] - block.lower, block.upper - lambda[0]);
        row.mode = block.weight * room < std::abs(s[0]) ? ContactMode::active : ContactMode::free_;
        break;
      }
      case ConstraintKind::other: break;
    }
    if (row.joint >= 0) {
      row.impulse[0] = source.sign * lambda[0];
      row.velocity[0] = s[0];
    }
  }
}

void Assembly::append_name(int block, std::string& out) const {
  const Work& w = *work_;
  const auto put = [&]<class... Args>(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out), text, std::forward<Args>(args)...);
  };
  if (block < 0 || at(block) >= w.problem.blocks.size()) return;
  const BlockSource& source = w.sources[at(block)];
  switch (w.problem.blocks[at(block)].kind) {
    case ConstraintKind::contact: {
      const Contact& contact = w.contacts[at(source.index)];
      int point = 1;
      for (int i = 0; i < source.index; ++i) point += w.contacts[at(i)].pair == contact.pair;
      return put("{} on {}, point {}", w.scene.shapes[at(contact.pair.b)].name, w.scene.shapes[at(contact.pair.a)].name,
                 point);
    }
    case ConstraintKind::closure: return put("loop '{}'", w.scene.closures[at(source.index)].name);
    case ConstraintKind::coupling: return put("coupling of '{}'", w.scene.couplings[at(source.index)].name);
    case ConstraintKind::joint_limit: return put("limit of '{}'", w.limited_names[at(source.index)]);
    case ConstraintKind::joint_friction: return put("friction of '{}'", w.rubbing_names[at(source.index)]);
    case ConstraintKind::actuator: return put("actuator of '{}'", w.driven_names[at(source.index)]);
    case ConstraintKind::spring_damper: return put("spring '{}'", w.scene.springs[at(source.index)].name);
    case ConstraintKind::other: break;
  }
  return put("block {}", block);
}

std::string Assembly::name_of(int block) const {
  std::string out;
  append_name(block, out);
  return out;
}

const std::vector<std::string>& Assembly::body_names() const { return work_->names; }

}  // namespace condyle
