// Compiled with -mavx512f: see kernels_simd.hpp for what must not be in here.
#include "linalg/kernels.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>

namespace condyle {
namespace {

using Vec = __m512d;
using Mask = __mmask8;
constexpr int lanes = 8, wide = Kernels::strip;

inline Mask first(int count) { return static_cast<Mask>((1u << count) - 1); }
inline Vec zero() { return _mm512_setzero_pd(); }
inline Vec all(double x) { return _mm512_set1_pd(x); }
inline Vec load(const double* p) { return _mm512_loadu_pd(p); }
inline Vec load(const double* p, Mask mask) { return _mm512_maskz_loadu_pd(mask, p); }
inline void store(double* p, Vec v) { _mm512_storeu_pd(p, v); }
inline void store(double* p, Vec v, Mask mask) { _mm512_mask_storeu_pd(p, mask, v); }
inline Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_pd(a, b, c); }
inline Vec fnma(Vec a, Vec b, Vec c) { return _mm512_fnmadd_pd(a, b, c); }
inline Vec mul(Vec a, Vec b) { return _mm512_mul_pd(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm512_sub_pd(a, b); }
inline double sum(Vec v) {  // not _mm512_reduce_add_pd, of whose undefined lanes GCC 12 warns
  double x[lanes];
  _mm512_storeu_pd(x, v);
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

#include "linalg/kernels_simd.hpp"

}  // namespace

const Kernels* avx512_kernels() {
  static constexpr Kernels table{"AVX-512", subtract_product, solve_right, subtract_times, subtract_transposed};
  return __builtin_cpu_supports("avx512f") ? &table : nullptr;
}

}  // namespace condyle
#else
namespace condyle {
const Kernels* avx512_kernels() { return nullptr; }
}  // namespace condyle
#endif
