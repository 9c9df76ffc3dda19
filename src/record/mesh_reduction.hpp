#pragma once
#include <condyle/shape.hpp>

#include <cstddef>

namespace condyle::record {

/// A mesh of at most `most` triangles that looks like the given one: vertices that share a cell of a grid become one, at
/// their mean. The finest grid that is coarse enough is found by bisection. Needs no manifold, no consistent winding. A mesh
/// that is small enough comes back as it is.
Mesh reduced(const Mesh& mesh, std::size_t most);

}  // namespace condyle::record
