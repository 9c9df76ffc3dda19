#include "dynamics/kinematics.hpp"

#include "dynamics/tree_work.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

int TreeDynamics::joints() const { return work_->model.njoints; }

std::vector<int> TreeDynamics::support(int joint) const {
  std::vector<int> out;
  for (const auto k : work_->model.span_indexes_vector[at(joint)]) out.push_back(static_cast<int>(k));
  std::sort(out.begin(), out.end());
  return out;
}

const double* TreeDynamics::jacobian_column(int k) const { return work_->data.J.col(k).data(); }

Kinematics::Kinematics(const SceneData& scene, const std::vector<TreeDynamics>& trees) : scene_(scene), trees_(trees) {
  support_begin_ = {0, 0};  // the world has none
  tree_of_ = {-1};
  block_of_.assign(at(scene.nv), -1);
  tree_of_velocity_.assign(at(scene.nv), -1);
  int block = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Tree& tree = scene.trees[t];
    first_body_.push_back(bodies());
    for (int joint = 1; joint < trees[t].joints(); ++joint) {
      for (const int k : trees[t].support(joint)) support_.push_back(tree.v + k);
      support_begin_.push_back(static_cast<int>(support_.size()));
      tree_of_.push_back(static_cast<int>(t));
    }
    for (int k = 0; k < tree.model->nv; ++k) {
      block_of_[at(tree.v + k)] = block;
      tree_of_velocity_[at(tree.v + k)] = static_cast<int>(t);
    }
    block += tree.model->nv > 0;
  }
  first_body_.push_back(bodies());
  for (const FreeBody& body : scene.free_bodies) {
    for (int k = 0; k < 6; ++k) {
      support_.push_back(body.v + k);
      block_of_[at(body.v + k)] = block;
    }
    support_begin_.push_back(static_cast<int>(support_.size()));
    tree_of_.push_back(-1);
    ++block;
  }
  free_poses_.resize(scene.free_bodies.size());
  free_columns_.resize(36 * scene.free_bodies.size());
}

int Kinematics::bodies() const { return static_cast<int>(tree_of_.size()); }

int Kinematics::body_of(const BodyRef& ref) const {
  switch (ref.kind) {
    case BodyRef::Kind::link: {
      const int joint = scene_.trees[at(ref.index)].model->links[at(ref.link)].joint;
      return joint == 0 ? 0 : first_body_[at(ref.index)] + joint - 1;
    }
    case BodyRef::Kind::free_body: return first_body_.back() + ref.index;
    case BodyRef::Kind::world:
    case BodyRef::Kind::static_body: break;
  }
  return 0;
}

int Kinematics::tree_of(int body) const { return tree_of_[at(body)]; }

std::span<const int> Kinematics::support(int body) const {
  const int begin = support_begin_[at(body)];
  return {support_.data() + begin, at(support_begin_[at(body) + 1] - begin)};
}

int Kinematics::block_of(int velocity) const { return block_of_[at(velocity)]; }

void Kinematics::update(const Eigen::VectorXd& q) {
  for (int i = 0; i < static_cast<int>(free_poses_.size()); ++i) update_free_body(i, q);
}

void Kinematics::update_free_body(int body, const Eigen::VectorXd& q) {
  const int k = scene_.free_bodies[at(body)].q;
  Pose& pose = free_poses_[at(body)];
  pose = Pose::from_xyz_quaternion(q.segment<3>(k), q.segment<4>(k + 3));
  Eigen::Map<Eigen::Matrix<double, 6, 6>> columns(free_columns_.data() + 36 * at(body));
  columns.topLeftCorner<3, 3>() = pose.R;
  columns.bottomLeftCorner<3, 3>().setZero();
  columns.bottomRightCorner<3, 3>() = pose.R;
  for (int i = 0; i < 3; ++i) columns.block<3, 1>(0, 3 + i) = pose.p.cross(pose.R.col(i));
}

Pose Kinematics::pose(const BodyRef& ref) const {
  switch (ref.kind) {
    case BodyRef::Kind::world: return {};
    case BodyRef::Kind::static_body: return scene_.static_bodies[at(ref.index)].pose;
    case BodyRef::Kind::link: return trees_[at(ref.index)].link_pose(ref.link);
    case BodyRef::Kind::free_body: break;
  }
  return free_poses_[at(ref.index)];
}

const double* Kinematics::column(int velocity) const {
  const int tree = tree_of_velocity_[at(velocity)];
  if (tree >= 0) return trees_[at(tree)].jacobian_column(velocity - scene_.trees[at(tree)].v);
  return free_columns_.data() + 6 * (velocity - scene_.free_v);
}

Twist Kinematics::twist(int body, const Eigen::VectorXd& v) const {
  Twist out;
  for (const int k : support(body)) {
    const double* c = column(k);
    out.linear += v[k] * Eigen::Map<const Eigen::Vector3d>(c);
    out.angular += v[k] * Eigen::Map<const Eigen::Vector3d>(c + 3);
  }
  return out;
}

}  // namespace condyle
