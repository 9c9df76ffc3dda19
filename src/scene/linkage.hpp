#pragma once
// Writes a mechanism as a scene file in the pose in which it starts. There all joints are zero and the frame of every link
// is parallel to the world's, with its origin at the joint that carries the link; so all points and axes are given in the
// world, and a loop is closed because both of its sides are placed at one point.
#include <condyle/eigen_abi.hpp>
#include <condyle/shape.hpp>

#include <map>
#include <string>

namespace condyle {

class Linkage {
 public:
  using Vector3d = Eigen::Vector3d;

  struct Form {
    Shape shape;           ///< pose in the world
    bool touches = false;  ///< collides; otherwise it is only seen
  };
  static Form rod(const Vector3d& from, const Vector3d& to, double radius);
  static Form box(const Vector3d& centre, const Vector3d& size);
  static Form ball(const Vector3d& centre, double radius);
  static Form wheel(const Vector3d& centre, double radius, double width);  ///< turns about y
  static Form touching(Form form);

  Linkage(std::string name, const std::string& root, const Vector3d& at, const Form& form, double mass);

  /// The joint bears the name of the link that it carries.
  void hinge(const std::string& link, const std::string& parent, const Vector3d& at, const Vector3d& axis, const Form& form,
             double mass);
  void ball_joint(const std::string& link, const std::string& parent, const Vector3d& at, const Form& form, double mass);
  /// A rod with a ball joint on `crank` and a universal joint on `lever`, so that it cannot spin: the universal joint's axes
  /// are `axis` in the lever and the normal of axis and rod in the rod.
  void push_rod(const std::string& name, const std::string& crank, const std::string& lever, const Vector3d& from,
                const Vector3d& to, const Vector3d& axis, double radius, double mass);
  void close_by_hinge(const std::string& name, const std::string& a, const std::string& b, const Vector3d& at,
                      const Vector3d& axis);

  /// N m/rad; damped over 50 ms. The target goes from 0 to `swing` (rad) and back in 2 s, again and again.
  void servo(const std::string& joint, double kp, double swing = 0);
  void servo(const std::string& joint, double kp, const std::string& target);  ///< a number or a schedule of a scene file
  void motor(const std::string& joint, double kd, double speed);               ///< N m s/rad, rad/s
  void spring(const std::string& joint, double stiffness, double damping);

  /// Sections models, bodies, retype, joint_properties, loops, actuators and actuated. A free mechanism has a floor at z =
  /// 0.
  std::string text(bool free_base) const;

 private:
  void link(const std::string& name, const Vector3d& at, const Form& form, double mass);

  std::string name_, root_;
  Vector3d at_;
  std::map<std::string, Vector3d> places_;
  std::string links_, balls_, springs_, loops_, actuators_, actuated_;
};

}  // namespace condyle
