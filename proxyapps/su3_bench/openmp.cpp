// OpenMP: host loops over sites, or a target region with a thread per element of c. With target
// regions the host's arrays only name the device's; their pages stay untouched until they are read.
#include <algorithm>
#include <cstdlib>

#include "common/host_memory.hpp"
#include "su3_bench.hpp"

#if !defined(PROXY_OPENMP_TARGET)
#define PARALLEL_FOR parallel for
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__NVCOMPILER)
// gcc's device threads are whole warps, whose lanes are filled by simd
#define PARALLEL_FOR target teams distribute parallel for simd
#else
#define PARALLEL_FOR target teams distribute parallel for thread_limit(block)
#endif

namespace su3_bench {

using proxy::untouched;

// The loops are functions of plain pointers: in a member, `a[i]` would map the whole object.
template <class T>
void fill(Site<T>* a, Matrix<T>* b, Site<T>* c, std::int64_t sites, std::int64_t length,
          Input input, [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR  // on a host also the first touch of the pages
  for (std::int64_t i = 0; i < sites; ++i) {
    fill_site(a[i], c[i], i, length, input);
    if (i == 0) fill_b(b, input);
  }
}

template <class T>
inline void element(const Site<T>* __restrict a, const Matrix<T>* __restrict b,
                    Site<T>* __restrict c, std::int64_t i, int j, int k, int l) {
  c[i].link[j].e[k][l] = row_times_column(a[i - (fault::off_by_one && i > 0)].link[j],
                                          b[fault::wrong_direction ? 0 : j], k, l);
}

template <class T>
void multiply(const Site<T>* __restrict a, const Matrix<T>* __restrict b, Site<T>* __restrict c,
              std::int64_t sites, [[maybe_unused]] int block) {
  const std::int64_t end = sites - fault::dropped_tail;
#if defined(PROXY_OPENMP_TARGET)
#pragma omp PARALLEL_FOR collapse(4)
  for (std::int64_t i = 0; i < end; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) element(a, b, c, i, j, k, l);
#else
#pragma omp parallel for
  for (std::int64_t i = 0; i < end; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
#pragma omp simd
        for (int l = 0; l < 3; ++l) element(a, b, c, i, j, k, l);
#endif
}

template <class T>
class OpenMP : public Model<T> {
 public:
  OpenMP(std::int64_t length, int block)
      : length(length),
        sites(length * length * length * length),
        block(block),
        a(untouched<Site<T>>(sites)),
        b(untouched<Matrix<T>>(4)),
        c(untouched<Site<T>>(sites)) {
#if defined(PROXY_OPENMP_TARGET)
    Site<T>*a = this->a, *c = this->c;
    Matrix<T>* b = this->b;
    const std::int64_t sites = this->sites;
#pragma omp target enter data map(alloc : a[0 : sites], b[0 : 4], c[0 : sites])
#endif
  }
  ~OpenMP() override {
    Site<T>*a = this->a, *c = this->c;
    Matrix<T>* b = this->b;
#if defined(PROXY_OPENMP_TARGET)
    const std::int64_t sites = this->sites;
#pragma omp target exit data map(delete : a[0 : sites], b[0 : 4], c[0 : sites])
#endif
    std::free(a);
    std::free(b);
    std::free(c);
  }

  void fill(Input input) override { su3_bench::fill(a, b, c, sites, length, input, block); }
  void multiply() override { su3_bench::multiply(a, b, c, sites, block); }
  void wait() override {}

  void read(std::int64_t begin, std::int64_t count, Site<T>* out) override {
    Site<T>* c = this->c;
#if defined(PROXY_OPENMP_TARGET)
#pragma omp target update from(c[begin : count])
#endif
    std::copy_n(c + begin, count, out);
  }

 private:
  std::int64_t length, sites;
  int block;
  Site<T>* a;
  Matrix<T>* b;
  Site<T>* c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t length, int block) {
  return std::make_unique<OpenMP<T>>(length, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace su3_bench
