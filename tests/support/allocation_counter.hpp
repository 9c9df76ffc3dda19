#pragma once
// A malloc that stands before the C library's for the whole process and counts while it is told to. Any number of files of
// one program may include it.
#include <cstdlib>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CONDYLE_COUNTS_ALLOCATIONS

namespace condyle::test {
inline thread_local bool counting = false;
inline thread_local long allocations = 0;

template <class Work>
long allocations_of(const Work& work) {
  allocations = 0;
  counting = true;
  work();
  counting = false;
  return allocations;
}
}  // namespace condyle::test

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
__attribute__((weak)) void* malloc(std::size_t n) {
  condyle::test::allocations += condyle::test::counting;
  return __libc_malloc(n);
}
__attribute__((weak)) void* realloc(void* p, std::size_t n) {
  condyle::test::allocations += condyle::test::counting;
  return __libc_realloc(p, n);
}
__attribute__((weak)) void* calloc(std::size_t n, std::size_t size) {
  condyle::test::allocations += condyle::test::counting;
  return __libc_calloc(n, size);
}
__attribute__((weak)) void* memalign(std::size_t alignment, std::size_t n) {
  condyle::test::allocations += condyle::test::counting;
  return __libc_memalign(alignment, n);
}
}

#endif
