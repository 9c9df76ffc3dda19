#pragma once
// All contact points of one pair of shapes: near ones at the start of a step, and those of impacts within it.
#include "collision/surface_contacts.hpp"

namespace condyle {

class PairContacts {
 public:
  /// Sorted by feature, each feature once; valid until the next call. Two unbounded shapes have none. `margin` >= 0, m:
  /// nearer points are found whatever the motion.
  const std::vector<ContactPoint>& find(const PairSide& a, const PairSide& b, double dt, double margin);

 private:
  void pieces(const PairSide& a, const PairSide& b, double dt);
  void piece_on_piece(const Piece& piece_a, const Piece& piece_b, const PairSide& a, const PairSide& b, double dt,
                      std::uint64_t parts);
  void surface_on(const PairSide& surface, const PairSide& other, bool swapped, bool both, double dt);
  void add(ContactPoint point, std::uint64_t name);

  Nearness near_;
  NarrowPhase narrow_;
  SurfaceContacts surfaces_{near_};
  PointReduction reduction_;
  Manifold manifold_;
  std::vector<SurfacePoint> on_surface_;
  std::vector<ContactPoint> points_;
};

}  // namespace condyle
