// Compiled with -mavx2 -mfma: see kernels_simd.hpp for what must not be in here.
#include "linalg/kernels.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

namespace condyle {
namespace {

using Vec = __m256d;
using Mask = __m256i;
constexpr int lanes = 4, wide = Kernels::strip;
alignas(64) constexpr long long ones[2 * lanes] = {-1, -1, -1, -1, 0, 0, 0, 0};

inline Mask first(int count) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ones + lanes - count)); }
inline Vec zero() { return _mm256_setzero_pd(); }
inline Vec all(double x) { return _mm256_set1_pd(x); }
inline Vec load(const double* p) { return _mm256_loadu_pd(p); }
inline Vec load(const double* p, Mask mask) { return _mm256_maskload_pd(p, mask); }
inline void store(double* p, Vec v) { _mm256_storeu_pd(p, v); }
inline void store(double* p, Vec v, Mask mask) { _mm256_maskstore_pd(p, mask, v); }
inline Vec fma(Vec a, Vec b, Vec c) { return _mm256_fmadd_pd(a, b, c); }
inline Vec fnma(Vec a, Vec b, Vec c) { return _mm256_fnmadd_pd(a, b, c); }
inline Vec mul(Vec a, Vec b) { return _mm256_mul_pd(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm256_sub_pd(a, b); }
inline double sum(Vec v) {
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
  return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

#include "linalg/kernels_simd.hpp"

}  // namespace

const Kernels* avx2_kernels() {
  static constexpr Kernels table{"AVX2 and FMA", subtract_product, solve_right, subtract_times, subtract_transposed};
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &table : nullptr;
}

}  // namespace condyle
#else
namespace condyle {
const Kernels* avx2_kernels() { return nullptr; }
}  // namespace condyle
#endif
