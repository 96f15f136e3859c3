// OpenMP: host loops, or the same loops in target regions on mapped arrays. With target regions the
// host's arrays only name the device's; their pages stay untouched until they are read.
#include <algorithm>
#include <cstdlib>

#include "babelstream.hpp"
#include "common/fault.hpp"
#include "common/host_memory.hpp"

#if !defined(PROXY_OPENMP_TARGET)
#define PARALLEL_FOR parallel for simd
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__NVCOMPILER)
// gcc's device threads are whole warps, whose lanes are filled by simd
#define PARALLEL_FOR target teams distribute parallel for simd
#else
#define PARALLEL_FOR target teams distribute parallel for thread_limit(block)
#endif

namespace babelstream {

namespace fault = proxy::fault;
using proxy::untouched;

// The loops are functions of plain pointers: in a member, `a[i]` would map the whole object.
template <class T>
void fill(T* a, T* b, T* c, std::int64_t n, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR  // on a host also the first touch of the pages
  for (std::int64_t i = 0; i < n; ++i) {
    a[i] = initial_a<T>(i);
    b[i] = initial_b<T>(i);
    c[i] = initial_c<T>(i);
  }
}

template <class T>
void copy(const T* a, T* c, std::int64_t n, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR
  for (std::int64_t i = 0; i < n; ++i) c[i] = copy(a[i - (fault::off_by_one && i > 0)]);
}

template <class T>
void mul(T* b, const T* c, T s, std::int64_t n, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR
  for (std::int64_t i = 0; i < n; ++i) b[i] = mul(c[i], s);
}

template <class T>
void add(const T* a, const T* b, T* c, std::int64_t n, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR
  for (std::int64_t i = 0; i < n; ++i) c[i] = add(a[i], b[i]);
}

template <class T>
void triad(T* a, const T* b, const T* c, T s, std::int64_t n, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR
  for (std::int64_t i = 0; i < n - fault::dropped_tail; ++i) a[i] = triad(b[i], c[i], s);
}

template <class T>
void nstream(T* a, const T* b, const T* c, T s, std::int64_t n, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR
  for (std::int64_t i = 0; i < n; ++i) a[i] = nstream(a[i], b[i], c[i], s);
}

template <class T>
T dot(const T* a, const T* b, std::int64_t n, [[maybe_unused]] int block) {
  T sum = 0;
#pragma omp PARALLEL_FOR reduction(+ : sum)
  for (std::int64_t i = fault::lost_partial ? n / 2 : 0; i < n; ++i) sum += product(a[i], b[i]);
  return sum;
}

template <class T>
class OpenMP : public Model<T> {
 public:
  OpenMP(std::int64_t n, int block)
      : n(n), block(block), a(untouched<T>(n)), b(untouched<T>(n)), c(untouched<T>(n)) {
#if defined(PROXY_OPENMP_TARGET)
    T *a = this->a, *b = this->b, *c = this->c;
#pragma omp target enter data map(alloc : a[0 : n], b[0 : n], c[0 : n])
#endif
  }
  ~OpenMP() override {
    T *a = this->a, *b = this->b, *c = this->c;
#if defined(PROXY_OPENMP_TARGET)
    const std::int64_t n = this->n;
#pragma omp target exit data map(delete : a[0 : n], b[0 : n], c[0 : n])
#endif
    for (T* array : {a, b, c}) std::free(array);
  }

  void fill() override { babelstream::fill(a, b, c, n, block); }
  void copy() override { babelstream::copy(a, c, n, block); }
  void mul(T s) override { babelstream::mul(b, c, s, n, block); }
  void add() override { babelstream::add(a, b, c, n, block); }
  void triad(T s) override { babelstream::triad(a, b, c, s, n, block); }
  void nstream(T s) override { babelstream::nstream(a, b, c, s, n, block); }
  T dot() override { return babelstream::dot(a, b, n, block); }
  void wait() override {}

  void read(Array array, std::int64_t begin, std::int64_t count, T* out) override {
    T* from = array == Array::a ? a : array == Array::b ? b : c;
#if defined(PROXY_OPENMP_TARGET)
#pragma omp target update from(from[begin : count])
#endif
    std::copy_n(from + begin, count, out);
  }

 private:
  std::int64_t n;
  int block;
  T *a, *b, *c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t n, int block) {
  return std::make_unique<OpenMP<T>>(n, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace babelstream
