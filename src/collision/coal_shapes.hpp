#pragma once
#include <condyle/error.hpp>
#include <condyle/shape.hpp>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace coal {
class CollisionGeometry;
}

namespace condyle {

/// What Coal collides in the place of one shape, in the frame `Shape::pose`. Never changed after it was made.
struct CoalShape {
  std::vector<std::shared_ptr<const coal::CollisionGeometry>> parts;  ///< one, or one a convex part; none: touches nothing
  MeshPolicy policy = MeshPolicy::hull;  ///< of a mesh: what is really done, which may be less than what was asked
  std::string note;                      ///< why it is not plainly what was asked; empty: it is
};

/// Makes Coal geometry; meshes that are used more than once (same mesh, scale and policy) are made once.
class CoalShapes {
 public:
  /// Throws Error for a size that is negative or not finite, a mesh with bad numbers, a height field without a cell.
  CoalShape make(const Shape& shape, const Place& place = {});
  int meshes_made() const { return static_cast<int>(meshes_.size()); }

 private:
  using Key = std::tuple<const Mesh*, double, double, double, MeshPolicy>;
  struct Entry {
    std::shared_ptr<const Mesh> mesh;  // holds the address in the key
    CoalShape shape;
  };
  std::map<Key, Entry> meshes_;
};

/// No end in space: half-space and plane. Two of them are never asked of Coal, its answer is no number.
bool is_unbounded(ShapeKind kind);

}  // namespace condyle
