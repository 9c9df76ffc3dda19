#pragma once
// The Pinocchio wheel was built for plain x86-64. Eigen lays out its heap memory according to three macros; a file in
// which they differ from the wheel's crashes in a destructor, so it must not compile at all.
#include <Eigen/Core>

static_assert(EIGEN_WORLD_VERSION == 3 && EIGEN_MAJOR_VERSION == 4 && EIGEN_MINOR_VERSION == 1,
              "this is not the Eigen of the Pinocchio wheel: put .deps/cpp/cmeel.prefix first in CMAKE_PREFIX_PATH");
static_assert(EIGEN_MAX_ALIGN_BYTES == 16 && EIGEN_DEFAULT_ALIGN_BYTES == 16 && EIGEN_MALLOC_ALREADY_ALIGNED == 1,
              "Eigen's memory layout differs from the wheel's: no -mavx or -march=native; with AddressSanitizer add "
              "-DEIGEN_MALLOC_ALREADY_ALIGNED=1");
