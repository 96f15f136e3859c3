// CUDA and HIP: a thread is a work item; each block copies the forcefield into shared memory.
#include "common/cuda_hip.hpp"
// (behind the runtime's header, which says what ELEMENT is)
#include "common/fault.hpp"
#include "minibude.hpp"

#if defined(HIP_DYNAMIC_SHARED)
#define SHARED_ARRAY(type, name) HIP_DYNAMIC_SHARED(type, name)
#else
#define SHARED_ARRAY(type, name) extern __shared__ type name[]
#endif

namespace minibude::PROXY_MATH {

namespace fault = proxy::fault;
using proxy::gpu_check;

// The poses of a block are in a row, those of a thread a block apart: a warp's loads are one.
template <int W>
__global__ void dock_kernel(const Atom* protein, const Atom* ligand, const AtomType* types,
                            const float* poses, int protein_count, int ligand_count, int type_count,
                            std::int64_t n, float* energies) {
  SHARED_ARRAY(AtomType, forcefield);
  for (int t = threadIdx.x; t < type_count; t += blockDim.x) forcefield[t] = types[t];
  if constexpr (!fault::missing_barrier) __syncthreads();

  const std::int64_t stride = blockDim.x;
  const std::int64_t first = blockIdx.x * stride * W + threadIdx.x;
  const Deck deck = {protein, ligand, types, poses, protein_count, ligand_count, type_count, n};
  float energy[W];
  dock<W>(deck, forcefield, first - (fault::off_by_one && first > 0), stride, energy);
  EACH_POSE
  for (int w = 0; w < W; ++w) {
    const std::int64_t pose = first + w * stride;
    if (pose < n - fault::dropped_tail) energies[pose] = energy[w];
  }
}

// A copy in device memory.
template <class T>
T* copied(const T* host, std::int64_t count) {
  T* const memory = proxy::gpu_allocate<T>(count);
  gpu_check(gpuMemcpy(memory, host, count * sizeof(T), gpuMemcpyHostToDevice), "copying the deck");
  return memory;
}

template <int W>
class Gpu : public Model {
 public:
  Gpu(const Deck& host, int block)
      : protein(copied(host.protein, host.protein_count)),
        ligand(copied(host.ligand, host.ligand_count)),
        forcefield(copied(host.forcefield, host.type_count)),
        poses(copied(host.poses, 6 * host.pose_count)),
        energies(proxy::gpu_allocate<float>(host.pose_count)),
        protein_count(host.protein_count),
        ligand_count(host.ligand_count),
        type_count(host.type_count),
        n(host.pose_count),
        block(block),
        grid((n + std::int64_t{block} * W - 1) / (std::int64_t{block} * W)) {}
  ~Gpu() override {
    for (void* array :
         {static_cast<void*>(protein), static_cast<void*>(ligand), static_cast<void*>(forcefield),
          static_cast<void*>(poses), static_cast<void*>(energies)})
      (void)gpuFree(array);
  }

  void clear() override {  // all bits set is a NaN
    gpu_check(gpuMemset(energies, 0xff, n * sizeof(float)), "clearing");
  }
  void dock() override {
    LAUNCH(dock_kernel<W>, grid, block, type_count * sizeof(AtomType), protein, ligand, forcefield,
           poses, protein_count, ligand_count, type_count, n, energies);
    gpu_check(gpuGetLastError(), "launching the kernel");
    gpu_check(gpuDeviceSynchronize(), "waiting for the kernel");
  }
  void read(float* out) override {
    gpu_check(gpuMemcpy(out, energies, n * sizeof(float), gpuMemcpyDeviceToHost), "reading");
  }
  proxy::Launch launch() const override { return {block, grid}; }

 private:
  Atom *protein, *ligand;
  AtomType* forcefield;
  float *poses, *energies;
  int protein_count, ligand_count, type_count;
  std::int64_t n;  // poses
  int block;
  unsigned grid;
};

std::unique_ptr<Model> make_model(const proxy::Device&, const Deck& host, int ppwi, int block) {
  return with_ppwi(ppwi, [&](auto w) -> std::unique_ptr<Model> {
    return std::make_unique<Gpu<w>>(host, block);
  });
}

}  // namespace minibude::PROXY_MATH
