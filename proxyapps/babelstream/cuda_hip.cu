// CUDA and HIP: one thread per element; dot adds up in shared memory.
#include <numeric>

#include "common/cuda_hip.hpp"
// (behind the runtime's header, which says what ELEMENT is)
#include "babelstream.hpp"
#include "common/fault.hpp"

namespace babelstream {

namespace fault = proxy::fault;
using proxy::gpu_check;

constexpr int dot_block = 1024;

__device__ inline std::int64_t element() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <class T>
__global__ void fill_kernel(T* a, T* b, T* c, std::int64_t n) {
  const std::int64_t i = element();
  if (i >= n) return;
  a[i] = initial_a<T>(i);
  b[i] = initial_b<T>(i);
  c[i] = initial_c<T>(i);
}

template <class T>
__global__ void copy_kernel(const T* a, T* c, std::int64_t n) {
  const std::int64_t i = element();
  if (i < n) c[i] = copy(a[i - (fault::off_by_one && i > 0)]);
}

template <class T>
__global__ void mul_kernel(T* b, const T* c, T s, std::int64_t n) {
  const std::int64_t i = element();
  if (i < n) b[i] = mul(c[i], s);
}

template <class T>
__global__ void add_kernel(const T* a, const T* b, T* c, std::int64_t n) {
  const std::int64_t i = element();
  if (i < n) c[i] = add(a[i], b[i]);
}

template <class T>
__global__ void triad_kernel(T* a, const T* b, const T* c, T s, std::int64_t n) {
  const std::int64_t i = element();
  if (i < n - fault::dropped_tail) a[i] = triad(b[i], c[i], s);
}

template <class T>
__global__ void nstream_kernel(T* a, const T* b, const T* c, T s, std::int64_t n) {
  const std::int64_t i = element();
  if (i < n) a[i] = nstream(a[i], b[i], c[i], s);
}

template <class T>
__global__ void dot_kernel(const T* a, const T* b, T* partial, std::int64_t n) {
  __shared__ T sums[dot_block];
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  T sum = 0;
  for (std::int64_t i = element(); i < n; i += stride) sum += product(a[i], b[i]);
  sums[threadIdx.x] = sum;
  for (int half = dot_block / 2; half > 0; half /= 2) {
    if constexpr (!fault::missing_barrier) __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

template <class T>
class Gpu : public Model<T> {
 public:
  // enough blocks for dot to fill the device, and no more than have an element
  Gpu(const proxy::Device& device, std::int64_t n, int block)
      : n(n),
        block(block),
        grid((n + block - 1) / block),
        dot_grid(std::min<std::int64_t>((n + dot_block - 1) / dot_block,
                                        4 * std::max<std::int64_t>(1, device.multiprocessors))) {
    for (T** array : {&a, &b, &c}) *array = proxy::gpu_allocate<T>(n);
    // the host reads the partial sums where the device wrote them
    void* pinned = nullptr;
    gpu_check(gpuMallocHost(&pinned, dot_grid * sizeof(T)), "allocating pinned memory");
    partial = static_cast<T*>(pinned);
  }
  ~Gpu() override {
    for (T* array : {a, b, c}) (void)gpuFree(array);
    (void)gpuFreeHost(partial);
  }

  void fill() override {
    LAUNCH(fill_kernel<T>, grid, block, 0, a, b, c, n);
    wait();
  }
  void copy() override { LAUNCH(copy_kernel<T>, grid, block, 0, a, c, n); }
  void mul(T s) override { LAUNCH(mul_kernel<T>, grid, block, 0, b, c, s, n); }
  void add() override { LAUNCH(add_kernel<T>, grid, block, 0, a, b, c, n); }
  void triad(T s) override { LAUNCH(triad_kernel<T>, grid, block, 0, a, b, c, s, n); }
  void nstream(T s) override { LAUNCH(nstream_kernel<T>, grid, block, 0, a, b, c, s, n); }
  T dot() override {
    LAUNCH(dot_kernel<T>, dot_grid, dot_block, 0, a, b, partial, n);
    wait();
    return std::accumulate(partial + fault::lost_partial, partial + dot_grid, T(0));
  }
  void wait() override {
    gpu_check(gpuGetLastError(), "launching a kernel");
    gpu_check(gpuDeviceSynchronize(), "waiting for a kernel");
  }

  void read(Array array, std::int64_t begin, std::int64_t count, T* host) override {
    const T* from = array == Array::a ? a : array == Array::b ? b : c;
    gpu_check(gpuMemcpy(host, from + begin, count * sizeof(T), gpuMemcpyDeviceToHost), "reading");
  }
  proxy::Launch launch(const std::string& kernel) const override {
    if (kernel == "dot") return {dot_block, dot_grid};
    return {block, grid};
  }

 private:
  std::int64_t n;
  int block;
  unsigned grid, dot_grid;
  T *a = nullptr, *b = nullptr, *c = nullptr, *partial = nullptr;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device& device, std::int64_t n, int block) {
  return std::make_unique<Gpu<T>>(device, n, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace babelstream
