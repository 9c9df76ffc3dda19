// Included by kernels_avx2.cpp and kernels_avx512.cpp, each of which says what a vector is and is compiled with its own
// flags. Everything has internal linkage and nothing of Eigen or the standard library is instantiated: a function compiled
// here must never be the one that the linker keeps for files that run on any CPU.
//
// Expected: `Vec`, `Mask`, `lanes`, zero(), all(double), load(p), load(p, mask), store(p, v), store(p, v, mask),
// first(count) (a mask), `wide` (columns of a tile, at most 6), sub(a, b), fma(a, b, c) = a b + c, fnma(a, b, c) = c - a b,
// mul(a, b), sum(v).

/// Two vectors of rows × N columns in registers; `full`: no masks.
template <int N, bool full>
static inline void product_tile(double* C, long ldc, const double* A, long lda, const double* B, long row, long column,
                                int k, Mask low, Mask high) {
  Vec c0[N], c1[N];
  for (int j = 0; j < N; ++j) c0[j] = c1[j] = zero();
  for (int l = 0; l < k; ++l, A += lda, B += column) {
    const Vec a0 = full ? load(A) : load(A, low), a1 = full ? load(A + lanes) : load(A + lanes, high);
    for (int j = 0; j < N; ++j) {
      const Vec b = all(B[j * row]);
      c0[j] = fma(a0, b, c0[j]);
      c1[j] = fma(a1, b, c1[j]);
    }
  }
  for (int j = 0; j < N; ++j, C += ldc) {
    if (full) {
      store(C, sub(load(C), c0[j]));
      store(C + lanes, sub(load(C + lanes), c1[j]));
    } else {
      store(C, sub(load(C, low), c0[j]), low);
      store(C + lanes, sub(load(C + lanes, high), c1[j]), high);
    }
  }
}

/// The same with one vector of rows.
template <int N>
static inline void product_rest(double* C, long ldc, const double* A, long lda, const double* B, long row, long column,
                                int k, Mask mask) {
  Vec c[N];
  for (int j = 0; j < N; ++j) c[j] = zero();
  for (int l = 0; l < k; ++l, A += lda, B += column) {
    const Vec a = load(A, mask);
    for (int j = 0; j < N; ++j) c[j] = fma(a, all(B[j * row]), c[j]);
  }
  for (int j = 0; j < N; ++j, C += ldc) store(C, sub(load(C, mask), c[j]), mask);
}

template <int N>
static void product_strip(double* C, long ldc, const double* A, long lda, const double* B, long row, long column, int m,
                          int k) {
  const Mask every = first(lanes);
  int i = 0;
  for (; i + 2 * lanes <= m; i += 2 * lanes) product_tile<N, true>(C + i, ldc, A + i, lda, B, row, column, k, every, every);
  if (i == m) return;
  if (m - i > lanes)
    product_tile<N, false>(C + i, ldc, A + i, lda, B, row, column, k, every, first(m - i - lanes));
  else
    product_rest<N>(C + i, ldc, A + i, lda, B, row, column, k, first(m - i));
}

static void subtract_product(double* C, int ldc, const double* A, int lda, const double* B, int row, int column, int m,
                             int n, int k) {
  int j = 0;
  for (; j + wide <= n; j += wide)
    product_strip<wide>(C + static_cast<long>(j) * ldc, ldc, A, lda, B + static_cast<long>(j) * row, row, column, m, k);
  C += static_cast<long>(j) * ldc;
  B += static_cast<long>(j) * row;
  switch (n - j) {
    case 1: return product_strip<1>(C, ldc, A, lda, B, row, column, m, k);
    case 2: return product_strip<2>(C, ldc, A, lda, B, row, column, m, k);
    case 3: return product_strip<3>(C, ldc, A, lda, B, row, column, m, k);
    case 4: return product_strip<4>(C, ldc, A, lda, B, row, column, m, k);
    case 5: return product_strip<5>(C, ldc, A, lda, B, row, column, m, k);
    default: return;
  }
}

template <int N>
static void solve_strip(double* X, long ldx, int m, const double* T, long row, long column, const double* inverse) {
  for (int i = 0; i < m; i += lanes) {
    const Mask mask = first(m - i < lanes ? m - i : lanes);
    Vec x[N];
    for (int c = 0; c < N; ++c) x[c] = load(X + i + c * ldx, mask);
    for (int c = 0; c < N; ++c) {
      for (int l = 0; l < c; ++l) x[c] = fnma(x[l], all(T[c * row + l * column]), x[c]);
      x[c] = mul(x[c], all(inverse[c]));
    }
    for (int c = 0; c < N; ++c) store(X + i + c * ldx, x[c], mask);
  }
}

static void solve_right(double* X, int ldx, int m, const double* T, int row, int column, const double* inverse, int n) {
  switch (n) {
    case 1: return solve_strip<1>(X, ldx, m, T, row, column, inverse);
    case 2: return solve_strip<2>(X, ldx, m, T, row, column, inverse);
    case 3: return solve_strip<3>(X, ldx, m, T, row, column, inverse);
    case 4: return solve_strip<4>(X, ldx, m, T, row, column, inverse);
    case 5: return solve_strip<5>(X, ldx, m, T, row, column, inverse);
    case 6: return solve_strip<6>(X, ldx, m, T, row, column, inverse);
    default: return;
  }
}

template <int N>
static void times_strip(double* y, const double* A, long lda, const double* x, int m) {
  Vec b[N];
  for (int c = 0; c < N; ++c) b[c] = all(x[c]);
  int i = 0;
  for (; i + lanes <= m; i += lanes) {
    Vec v = load(y + i);
    for (int c = 0; c < N; ++c) v = fnma(load(A + i + c * lda), b[c], v);
    store(y + i, v);
  }
  if (i == m) return;
  const Mask mask = first(m - i);
  Vec v = load(y + i, mask);
  for (int c = 0; c < N; ++c) v = fnma(load(A + i + c * lda, mask), b[c], v);
  store(y + i, v, mask);
}

static void subtract_times(double* y, const double* A, int lda, const double* x, int m, int n) {
  int c = 0;
  for (; c + 6 <= n; c += 6) times_strip<6>(y, A + static_cast<long>(c) * lda, lda, x + c, m);
  for (; c < n; ++c) times_strip<1>(y, A + static_cast<long>(c) * lda, lda, x + c, m);
}

template <int N>
static void transposed_strip(double* y, const double* A, long lda, const double* x, int m) {
  Vec s[N];
  for (int c = 0; c < N; ++c) s[c] = zero();
  int i = 0;
  for (; i + lanes <= m; i += lanes) {
    const Vec v = load(x + i);
    for (int c = 0; c < N; ++c) s[c] = fma(load(A + i + c * lda), v, s[c]);
  }
  if (i < m) {
    const Mask mask = first(m - i);
    const Vec v = load(x + i, mask);
    for (int c = 0; c < N; ++c) s[c] = fma(load(A + i + c * lda, mask), v, s[c]);
  }
  for (int c = 0; c < N; ++c) y[c] -= sum(s[c]);
}

static void subtract_transposed(double* y, const double* A, int lda, const double* x, int m, int n) {
  int c = 0;
  for (; c + 6 <= n; c += 6) transposed_strip<6>(y + c, A + static_cast<long>(c) * lda, lda, x, m);
  for (; c < n; ++c) transposed_strip<1>(y + c, A + static_cast<long>(c) * lda, lda, x, m);
}
