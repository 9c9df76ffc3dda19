#pragma once
// Contact with triangles. Each triangle is asked by itself; its neighbours decide whether the direction that comes out is one
// that the whole surface has there. If not, it is an inner edge that a single triangle mistakes for its border, and the
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

  /// All of these append points in the world, with normals from the surface's shape to the other.
  void on_piece(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, const Piece& piece, int number, double dt,
                std::vector<SurfacePoint>& out);
  void on_surface(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, double dt,
                  std::vector<SurfacePoint>& out);
  void on_unbounded(const PairSide& surface, const PairSide& other, double dt, std::vector<SurfacePoint>& out) const;

 private:
  /// A triangle as the narrow phase wants it; the same memory for all of them.
  struct Triangle {
    Triangle();
    void set(const Surface& surface, int number);
    const Surface* surface = nullptr;
    int number = 0;
    std::array<int, 3> corners{};
    std::array<Eigen::Vector3d, 3> at;
    Eigen::Vector3d normal;
    std::shared_ptr<Hull> hull;
    Piece piece;
  };
  /// What a triangle meets: a piece, or a triangle of another surface.
  struct Opponent {
    const Piece* piece = nullptr;
    const Triangle* triangle = nullptr;
    int number = 0;
  };
  enum class Claim { face, edge, behind, neighbour, none };

  void meet(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, const Opponent& opponent, double dt,
            std::vector<SurfacePoint>& out);
  void touch(NarrowPhase& narrow, const Separation& separation, const Opponent& opponent, const Pose& pose, double margin);
  Claim judge(const Triangle& triangle, const Eigen::Vector3d& on_triangle, const Eigen::Vector3d& normal, double distance);
  void face_points(const Triangle& triangle, const Eigen::Vector3d& normal, const Opponent& opponent, const Pose& pose,
                   double margin, SurfacePoint::Rank rank);
  void opposite_face_points(const Opponent& opponent, const Pose& pose, const Eigen::Vector3d& normal, double margin);
  void edge_points(NarrowPhase& narrow, const Opponent& opponent, const Pose& pose, double margin);

  Nearness near_;
  Triangle own_, opposite_;
  std::vector<int> candidates_, opposites_, ring_;
  std::vector<SurfacePoint> local_;  // of one triangle, in the frame of the surface
  LabelledPolygon polygon_;
  Manifold manifold_;
  mutable std::vector<int> below_;
};

}  // namespace condyle
