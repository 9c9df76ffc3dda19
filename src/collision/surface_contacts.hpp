#pragma once
// Contact with triangles. Each triangle is asked by itself; its neighbours decide whether the direction that comes out is
// one that the whole surface has there. If not, it is an inner edge that a single triangle mistakes for its border, and the
// face's own normal stands.
#include "collision/narrow_phase.hpp"
#include "collision/point_reduction.hpp"
#include "collision/shape_geometry.hpp"
#include "collision/support_polygon.hpp"
#include "collision/time_of_impact.hpp"

namespace condyle {

/// One of the two shapes of a pair.
struct PairSide {
  const ShapeGeometry* geometry = nullptr;
  const ShapeMotion* motion = nullptr;
  bool fixed = false;
};

/// A point of an impact at time t seen from the start of the step, where the sides' motions begin: the gap is what the
/// velocities close until then. The normal goes from a to b.
ContactPoint carried_back(const ContactPoint& at_impact, const PairSide& a, const PairSide& b, const Pose& pose_a,
                          const Pose& pose_b, double t);

struct Nearness {
  double margin = 1e-3;         ///< m: nearer points are found whatever the motion
  double tolerance = 1e-6;      ///< m: how near an impact is
  double impact_margin = 1e-3;  ///< m: points that belong to an impact
};

class SurfaceContacts {
 public:
  explicit SurfaceContacts(const Nearness& near);
  void set(const Nearness& near) { near_ = near; }

  /// All of these append points in the world, with normals from the surface's shape to the other.
  void on_piece(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, const Piece& piece, const Aabb& box,
                int number, double dt, std::vector<SurfacePoint>& out);
  void on_surface(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, double dt,
                  std::vector<SurfacePoint>& out);
  void on_unbounded(const PairSide& surface, const PairSide& other, double dt, std::vector<SurfacePoint>& out);

 private:
  /// A triangle as the narrow phase wants it, about its own middle; the same memory for all of them.
  struct Triangle {
    Triangle();
    void set(const Surface& of, int which);
    const Surface* surface = nullptr;
    int number = 0;
    std::array<int, 3> corners{};
    std::array<Eigen::Vector3d, 3> at;  // in the frame of the surface
    Eigen::Vector3d normal, middle;
    std::shared_ptr<Hull> hull;
    Piece piece;
    Pose pose() const { return {Eigen::Matrix3d::Identity(), middle}; }
    ShapeMotion motion(const ShapeMotion& of_surface) const;
  };
  /// What a triangle meets: a piece, or a triangle of another surface.
  struct Opponent {
    const Piece* piece = nullptr;
    ShapeMotion motion;
    int number = 0;                      // of the piece in its shape
    const Triangle* triangle = nullptr;  // null: no triangle
  };
  /// What a triangle says to a direction: its face has it; an edge or corner has it; a neighbour's face has it; only an edge
  /// that is none of the surface has it; it leads into the solid; it is none of this triangle's.
  enum class Claim { face, edge, neighbour, ghost, behind, none };

  bool meet(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, const Opponent& opponent, double dt,
            std::vector<SurfacePoint>& out);
  void touch(NarrowPhase& narrow, const Separation& found, const Opponent& opponent, const Pose& pose, double margin);
  Claim judge(const Triangle& triangle, const Eigen::Vector3d& on_triangle, const Eigen::Vector3d& normal, double distance);
  void face_points(const Eigen::Vector3d& direction, const Opponent& opponent, const Pose& pose, double margin,
                   SurfacePoint::Rank rank);
  void opposite_face_points(const Eigen::Vector3d& direction, const Opponent& opponent, const Pose& pose, double margin,
                            SurfacePoint::Rank rank);
  void edge_points(NarrowPhase& narrow, const Separation& found, const Opponent& opponent, const Pose& pose, double margin);

  Nearness near_;
  Triangle own_, opposite_;
  std::vector<int> candidates_, opposites_, ring_;
  std::vector<SurfacePoint> local_;  // of one triangle, in the frame of the surface
  LabelledPolygon polygon_;
  Manifold manifold_;
};

}  // namespace condyle
