#pragma once
namespace condyle {

/// What a factorization found, and with it what its caller can do.
enum class Factored {
  done,
  bad_pivot,  ///< not positive (Cholesky), zero (LU): retry with a larger shift, damp, or stop
  not_finite  ///< the matrix has a number that is none: stop
};

}  // namespace condyle
