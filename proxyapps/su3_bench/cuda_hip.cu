// CUDA and HIP: one thread per element of c. A block is 3 x 3 threads for the elements of a link,
// times its links, four for each of its sites; consecutive threads have consecutive elements.
#include "common/cuda_hip.hpp"
// (behind the runtime's header, which says what ELEMENT is)
#include "su3_bench.hpp"

namespace su3_bench {

using proxy::gpu_check;

template <class T>
__global__ void fill_kernel(Site<T>* a, Matrix<T>* b, Site<T>* c, std::int64_t sites,
                            std::int64_t length, Input input) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < sites) fill_site(a[i], c[i], i, length, input);
  if (i == 0) fill_b(b, input);
}

template <class T>
__global__ void multiply_kernel(const Site<T>* __restrict__ a, const Matrix<T>* __restrict__ b,
                                Site<T>* __restrict__ c, std::int64_t sites) {
  const int l = threadIdx.x, k = threadIdx.y, j = threadIdx.z % 4;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * (blockDim.z / 4) + threadIdx.z / 4;
  if (i < sites - fault::dropped_tail)
    c[i].link[j].e[k][l] = row_times_column(a[i - (fault::off_by_one && i > 0)].link[j],
                                            b[fault::wrong_direction ? 0 : j], k, l);
}

template <class T>
class Gpu : public Model<T> {
 public:
  Gpu(std::int64_t length, int block)
      : length(length),
        sites(length * length * length * length),
        group(sites_per_group(block)),
        grid((sites + group - 1) / group),
        a(proxy::gpu_allocate<Site<T>>(sites)),
        b(proxy::gpu_allocate<Matrix<T>>(4)),
        c(proxy::gpu_allocate<Site<T>>(sites)) {}
  ~Gpu() override {
    (void)gpuFree(a);
    (void)gpuFree(b);
    (void)gpuFree(c);
  }

  void fill(Input input) override {
    constexpr int block = 256;
    const unsigned grid = (sites + block - 1) / block;
    LAUNCH(fill_kernel<T>, grid, block, 0, a, b, c, sites, length, input);
    wait();
  }
  void multiply() override {
    LAUNCH(multiply_kernel<T>, grid, dim3(3, 3, 4 * group), 0, a, b, c, sites);
  }
  void wait() override {
    gpu_check(gpuGetLastError(), "launching a kernel");
    gpu_check(gpuDeviceSynchronize(), "waiting for a kernel");
  }

  void read(std::int64_t begin, std::int64_t count, Site<T>* host) override {
    gpu_check(gpuMemcpy(host, c + begin, count * sizeof(Site<T>), gpuMemcpyDeviceToHost),
              "reading");
  }
  proxy::Launch launch() const override { return {elements_per_site * group, grid}; }

 private:
  std::int64_t length, sites;
  int group;  // sites of a block
  unsigned grid;
  Site<T>* a;
  Matrix<T>* b;
  Site<T>* c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t length, int block) {
  return std::make_unique<Gpu<T>>(length, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace su3_bench
