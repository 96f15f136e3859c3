// RAJA: launch, whose teams copy the forcefield into shared memory and whose threads are work
// items. Memory is from camp's resources, since RAJA manages none.
#include <RAJA/RAJA.hpp>

#include "common/devices/raja_policy.hpp"
#include "common/fault.hpp"
#include "minibude.hpp"

namespace minibude::PROXY_MATH {

namespace fault = proxy::fault;
using Resource = proxy::RajaResource;
using Range = RAJA::TypedRangeSegment<std::int64_t>;

#if defined(PROXY_RAJA_CUDA)
using Launch = RAJA::LaunchPolicy<RAJA::cuda_launch_t<true>>;
using EachTeam = RAJA::LoopPolicy<RAJA::cuda_block_x_direct>;
using EachThread = RAJA::LoopPolicy<RAJA::cuda_thread_x_loop>;
#elif defined(PROXY_RAJA_HIP)
using Launch = RAJA::LaunchPolicy<RAJA::hip_launch_t<true>>;
using EachTeam = RAJA::LoopPolicy<RAJA::hip_block_x_direct>;
using EachThread = RAJA::LoopPolicy<RAJA::hip_thread_x_loop>;
#else
using Launch = RAJA::LaunchPolicy<RAJA::omp_launch_t>;
using EachTeam = RAJA::LoopPolicy<RAJA::omp_for_exec>;
using EachThread = RAJA::LoopPolicy<RAJA::seq_exec>;
#endif

template <int W>
class RajaModel : public Model {
 public:
  RajaModel(const Deck& host, int block)
      : protein(copied(host.protein, host.protein_count)),
        ligand(copied(host.ligand, host.ligand_count)),
        forcefield(copied(host.forcefield, host.type_count)),
        poses(copied(host.poses, 6 * host.pose_count)),
        energies(resource.allocate<float>(host.pose_count)),
        deck(host),
        block(on_cpu ? 1 : block),  // a host's team is one thread
        grid((host.pose_count + std::int64_t{this->block} * W - 1) /
             (std::int64_t{this->block} * W)) {
    deck.protein = protein;
    deck.ligand = ligand;
    deck.forcefield = forcefield;
    deck.poses = poses;
  }
  ~RajaModel() override {
    resource.deallocate(protein);
    resource.deallocate(ligand);
    resource.deallocate(forcefield);
    resource.deallocate(poses);
    resource.deallocate(energies);
  }

  void clear() override {  // all bits set is a NaN
    resource.memset(energies, 0xff, deck.pose_count * sizeof(float));
    resource.wait();
  }

  void dock() override {
    // a lambda must not capture `this`, which the device cannot follow
    const Deck deck = this->deck;
    float* const energies = this->energies;
    const std::int64_t grid = this->grid, block = this->block;
    const RAJA::LaunchParams params(RAJA::Teams(grid), RAJA::Threads(block),
                                    deck.type_count * sizeof(AtomType));
    RAJA::launch<Launch>(resource, params, [=] RAJA_HOST_DEVICE(RAJA::LaunchContext context) {
      RAJA::loop<EachTeam>(context, Range(0, grid), [&](std::int64_t team) {
        AtomType* const types = context.getSharedMemory<AtomType>(deck.type_count);
        RAJA::loop<EachThread>(context, Range(0, deck.type_count),
                               [&](std::int64_t t) { types[t] = deck.forcefield[t]; });
        context.teamSync();
        RAJA::loop<EachThread>(context, Range(0, block), [&](std::int64_t thread) {
          const std::int64_t first = team * block * W + thread;
          float energy[W];
          PROXY_MATH::dock<W>(deck, types, first - (fault::off_by_one && first > 0), block, energy);
          EACH_POSE
          for (int w = 0; w < W; ++w) {
            const std::int64_t pose = first + w * block;
            if (pose < deck.pose_count - fault::dropped_tail) energies[pose] = energy[w];
          }
        });
        context.releaseSharedMemory();
      });
    });
    resource.wait();
  }

  void read(float* out) override {
    resource.memcpy(out, energies, deck.pose_count * sizeof(float));
    resource.wait();
  }
  proxy::Launch launch() const override {
    if (on_cpu) return {};
    return {block, grid};
  }

 private:
  template <class T>
  T* copied(const T* host, std::int64_t count) {
    T* const memory = resource.allocate<T>(count);
    resource.memcpy(memory, host, count * sizeof(T));
    return memory;
  }

  Resource resource = Resource::get_default();
  Atom *protein, *ligand;
  AtomType* forcefield;
  float *poses, *energies;
  Deck deck;  // the same on the device
  int block;
  std::int64_t grid;
};

std::unique_ptr<Model> make_model(const proxy::Device&, const Deck& host, int ppwi, int block) {
  return with_ppwi(ppwi, [&](auto w) -> std::unique_ptr<Model> {
    return std::make_unique<RajaModel<w>>(host, block);
  });
}

}  // namespace minibude::PROXY_MATH
