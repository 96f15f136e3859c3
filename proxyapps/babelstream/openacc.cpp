// OpenACC: parallel loops on arrays that are present on the device, queued asynchronously.
#include <openacc.h>

#include <algorithm>
#include <cstdlib>

#include "babelstream.hpp"
#include "common/fault.hpp"
#include "common/host_memory.hpp"

// gcc chooses the length of its vectors when it compiles
#if defined(__NVCOMPILER)
#define BLOCK vector_length(block)
#else
#define BLOCK
#endif

namespace babelstream {

namespace fault = proxy::fault;
using proxy::untouched;

template <class T>
void fill(T* a, T* b, T* c, std::int64_t n, [[maybe_unused]] int block) {
#pragma acc parallel loop present(a[0 : n], b[0 : n], c[0 : n]) BLOCK
  for (std::int64_t i = 0; i < n; ++i) {
    a[i] = initial_a<T>(i);
    b[i] = initial_b<T>(i);
    c[i] = initial_c<T>(i);
  }
}

template <class T>
void copy(const T* __restrict a, T* __restrict c, std::int64_t n, [[maybe_unused]] int block) {
#pragma acc parallel loop present(a[0 : n], c[0 : n]) async BLOCK
  for (std::int64_t i = 0; i < n; ++i) c[i] = copy(a[i - (fault::off_by_one && i > 0)]);
}

template <class T>
void mul(T* __restrict b, const T* __restrict c, T s, std::int64_t n, [[maybe_unused]] int block) {
#pragma acc parallel loop present(b[0 : n], c[0 : n]) async BLOCK
  for (std::int64_t i = 0; i < n; ++i) b[i] = mul(c[i], s);
}

template <class T>
void add(const T* __restrict a, const T* __restrict b, T* __restrict c, std::int64_t n,
         [[maybe_unused]] int block) {
#pragma acc parallel loop present(a[0 : n], b[0 : n], c[0 : n]) async BLOCK
  for (std::int64_t i = 0; i < n; ++i) c[i] = add(a[i], b[i]);
}

template <class T>
void triad(T* __restrict a, const T* __restrict b, const T* __restrict c, T s, std::int64_t n,
           [[maybe_unused]] int block) {
#pragma acc parallel loop present(a[0 : n], b[0 : n], c[0 : n]) async BLOCK
  for (std::int64_t i = 0; i < n - fault::dropped_tail; ++i) a[i] = triad(b[i], c[i], s);
}

template <class T>
void nstream(T* __restrict a, const T* __restrict b, const T* __restrict c, T s, std::int64_t n,
             [[maybe_unused]] int block) {
#pragma acc parallel loop present(a[0 : n], b[0 : n], c[0 : n]) async BLOCK
  for (std::int64_t i = 0; i < n; ++i) a[i] = nstream(a[i], b[i], c[i], s);
}

template <class T>
T dot(const T* __restrict a, const T* __restrict b, std::int64_t n, [[maybe_unused]] int block) {
  T sum = 0;
#pragma acc parallel loop present(a[0 : n], b[0 : n]) reduction(+ : sum) BLOCK
  for (std::int64_t i = fault::lost_partial ? n / 2 : 0; i < n; ++i) sum += product(a[i], b[i]);
  return sum;
}

template <class T>
class OpenACC : public Model<T> {
 public:
  OpenACC(std::int64_t n, int block)
      : n(n), block(block), a(untouched<T>(n)), b(untouched<T>(n)), c(untouched<T>(n)) {
    T *a = this->a, *b = this->b, *c = this->c;
#pragma acc enter data create(a[0 : n], b[0 : n], c[0 : n])
  }
  ~OpenACC() override {
    T *a = this->a, *b = this->b, *c = this->c;
    const std::int64_t n = this->n;
#pragma acc exit data delete (a[0 : n], b[0 : n], c[0 : n])
    for (T* array : {a, b, c}) std::free(array);
  }

  void fill() override { babelstream::fill(a, b, c, n, block); }
  void copy() override { babelstream::copy(a, c, n, block); }
  void mul(T s) override { babelstream::mul(b, c, s, n, block); }
  void add() override { babelstream::add(a, b, c, n, block); }
  void triad(T s) override { babelstream::triad(a, b, c, s, n, block); }
  void nstream(T s) override { babelstream::nstream(a, b, c, s, n, block); }
  T dot() override {
    wait();  // the kernels before it are in the queue, it is not
    return babelstream::dot(a, b, n, block);
  }
  void wait() override {
#pragma acc wait
  }

  void read(Array array, std::int64_t begin, std::int64_t count, T* out) override {
    T* from = array == Array::a ? a : array == Array::b ? b : c;
#pragma acc update self(from[begin : count])
    std::copy_n(from + begin, count, out);
  }

 private:
  std::int64_t n;
  int block;
  T *a, *b, *c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t n, int block) {
  return std::make_unique<OpenACC<T>>(n, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace babelstream
