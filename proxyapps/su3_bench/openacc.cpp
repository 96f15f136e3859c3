// OpenACC: a nest of parallel loops over the elements of c, on arrays that are present on the
// device, queued asynchronously.
#include <openacc.h>

#include <algorithm>
#include <cstdlib>

#include "common/host_memory.hpp"
#include "su3_bench.hpp"

// gcc chooses the length of its vectors when it compiles
#if defined(__NVCOMPILER)
#define BLOCK vector_length(block)
#else
#define BLOCK
#endif

namespace su3_bench {

using proxy::untouched;

template <class T>
void fill(Site<T>* a, Matrix<T>* b, Site<T>* c, std::int64_t sites, std::int64_t length,
          Input input, [[maybe_unused]] int block) {
#pragma acc parallel loop present(a[0 : sites], b[0 : 4], c[0 : sites]) BLOCK
  for (std::int64_t i = 0; i < sites; ++i) {
    fill_site(a[i], c[i], i, length, input);
    if (i == 0) fill_b(b, input);
  }
}

template <class T>
void multiply(const Site<T>* __restrict a, const Matrix<T>* __restrict b, Site<T>* __restrict c,
              std::int64_t sites, [[maybe_unused]] int block) {
#pragma acc parallel loop collapse(4) present(a[0 : sites], b[0 : 4], c[0 : sites]) async BLOCK
  for (std::int64_t i = 0; i < sites - fault::dropped_tail; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          c[i].link[j].e[k][l] = row_times_column(a[i - (fault::off_by_one && i > 0)].link[j],
                                                  b[fault::wrong_direction ? 0 : j], k, l);
}

template <class T>
class OpenACC : public Model<T> {
 public:
  OpenACC(std::int64_t length, int block)
      : length(length),
        sites(length * length * length * length),
        block(block),
        a(untouched<Site<T>>(sites)),
        b(untouched<Matrix<T>>(4)),
        c(untouched<Site<T>>(sites)) {
    Site<T>*a = this->a, *c = this->c;
    Matrix<T>* b = this->b;
    const std::int64_t sites = this->sites;
#pragma acc enter data create(a[0 : sites], b[0 : 4], c[0 : sites])
  }
  ~OpenACC() override {
    Site<T>*a = this->a, *c = this->c;
    Matrix<T>* b = this->b;
    const std::int64_t sites = this->sites;
#pragma acc exit data delete (a[0 : sites], b[0 : 4], c[0 : sites])
    std::free(a);
    std::free(b);
    std::free(c);
  }

  void fill(Input input) override { su3_bench::fill(a, b, c, sites, length, input, block); }
  void multiply() override { su3_bench::multiply(a, b, c, sites, block); }
  void wait() override {
#pragma acc wait
  }

  void read(std::int64_t begin, std::int64_t count, Site<T>* out) override {
    Site<T>* c = this->c;
#pragma acc update self(c[begin : count])
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
  return std::make_unique<OpenACC<T>>(length, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace su3_bench
