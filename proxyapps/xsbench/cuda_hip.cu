// CUDA and HIP: one thread per work item; the values are added up in shared memory.
#include <algorithm>
#include <numeric>
#include <vector>

#include "common/cuda_hip.hpp"
// (behind the runtime's header, which says what ELEMENT is)
#include "common/fault.hpp"
#include "xsbench.hpp"

namespace xsbench {

namespace fault = proxy::fault;
using proxy::gpu_check;

constexpr int reduce_block = 1024;

__device__ inline std::int64_t item() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <Method method, Grid grid>
__global__ void lookup_kernel(Tables<Pointer> tables, std::int32_t* values, Macro* macros,
                              Problem problem) {
  const std::int64_t i = item();
  if (i >= problem.items - fault::dropped_tail) return;
  const Outcome outcome = work_item<method, grid>(tables, i - (fault::off_by_one && i > 0));
  values[i] = outcome.value;
  const std::int64_t place = place_of(problem, i);
  if (place >= 0) macros[place] = outcome.macro;
}

__global__ void reduce_kernel(const std::int32_t* values, std::int64_t* partial, std::int64_t n) {
  __shared__ std::int64_t sums[reduce_block];
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t sum = 0;
  for (std::int64_t i = item(); i < n; i += stride) sum += values[i];
  sums[threadIdx.x] = sum;
  for (int half = reduce_block / 2; half > 0; half /= 2) {
    if constexpr (!fault::missing_barrier) __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

// An array on the device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::int64_t n) : n(n), data(proxy::gpu_allocate<T>(n)) {}
  DeviceArray(const T* host, std::int64_t n) : DeviceArray(n) {
    gpu_check(gpuMemcpy(data, host, n * sizeof(T), gpuMemcpyHostToDevice), "copying a table");
  }
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { (void)gpuFree(data); }
  T* get() const { return data; }

  void clear() { gpu_check(gpuMemset(data, 0, n * sizeof(T)), "clearing results"); }
  void read(std::int64_t begin, std::int64_t count, T* host) const {
    gpu_check(gpuMemcpy(host, data + begin, count * sizeof(T), gpuMemcpyDeviceToHost), "reading");
  }

 private:
  std::int64_t n;
  T* data;
};

template <Method method, Grid grid>
class Gpu : public Model {
 public:
  Gpu(const Problem& problem, const Tables<Pointer>& host, const proxy::Device& device, int block)
      : problem(problem),
        size(extents(problem)),
        block(block),
        grid_size((problem.items + block - 1) / block),
        // enough blocks to fill the device, and no more than have an item
        reduce_grid(std::min<std::int64_t>((problem.items + reduce_block - 1) / reduce_block,
                                           4 * std::max<std::int64_t>(1, device.multiprocessors))),
        points(host.points, size.points),
        energies(host.energies, size.energies),
        index(host.index, size.index),
        counts(host.counts, size.counts),
        ids(host.ids, size.ids),
        concentrations(host.concentrations, size.concentrations),
        tables{points.get(), energies.get(),       index.get(), counts.get(),
               ids.get(),    concentrations.get(), host.shape},
        values(size.values),
        macros(size.macros),
        partial(reduce_grid) {}

  void clear() override {
    values.clear();
    macros.clear();
    wait();
  }
  void lookup() override {
    const auto kernel = lookup_kernel<method, grid>;
    LAUNCH(kernel, grid_size, block, 0, tables, values.get(), macros.get(), problem);
    wait();
  }
  std::int64_t reduce() override {
    LAUNCH(reduce_kernel, reduce_grid, reduce_block, 0, values.get(), partial.get(), size.values);
    wait();
    std::vector<std::int64_t> sums(reduce_grid);
    partial.read(0, reduce_grid, sums.data());
    return std::accumulate(sums.begin() + fault::lost_partial, sums.end(), std::int64_t{0});
  }

  void read(std::int64_t begin, std::int64_t count, std::int32_t* host) override {
    values.read(begin, count, host);
  }
  void read(std::int64_t begin, std::int64_t count, Macro* host) override {
    macros.read(begin, count, host);
  }
  proxy::Launch launch(const std::string& kernel) const override {
    if (kernel == "reduce") return {reduce_block, reduce_grid};
    return {block, grid_size};
  }

 private:
  static void wait() {
    gpu_check(gpuGetLastError(), "launching a kernel");
    gpu_check(gpuDeviceSynchronize(), "waiting for a kernel");
  }

  Problem problem;
  Extents size;
  int block;
  unsigned grid_size, reduce_grid;
  DeviceArray<Point> points;
  DeviceArray<double> energies;
  DeviceArray<std::int32_t> index, counts, ids;
  DeviceArray<double> concentrations;
  Tables<Pointer> tables;
  DeviceArray<std::int32_t> values;
  DeviceArray<Macro> macros;
  DeviceArray<std::int64_t> partial;
};

std::unique_ptr<Model> make_model(const proxy::Device& device, const Problem& problem,
                                  const Tables<Pointer>& tables, int block) {
  return make_for<Gpu>(problem, tables, device, block);
}

bool uses_tables_in_place() { return false; }

}  // namespace xsbench
