// OpenMP: an iteration of a parallel loop is a work item, on the host's threads or, in a target
// region, on the mapped deck. The forcefield stays in memory, and in its caches.
#include <algorithm>
#include <limits>
#include <vector>

#include "common/fault.hpp"
#include "minibude.hpp"

namespace minibude::PROXY_MATH {

namespace fault = proxy::fault;

#if !defined(PROXY_OPENMP_TARGET)
// the poses of a work item are neighbours: the lanes of its thread's vectors
constexpr bool neighbours = true;
#define PARALLEL_FOR parallel for
#else
// neighbouring work items have neighbouring poses, so that their loads are one
constexpr bool neighbours = false;
#define PARALLEL_FOR \
  target teams distribute parallel for firstprivate(deck) is_device_ptr(energies) thread_limit(block)
#endif

template <int W>
void dock_all(Deck deck, float* energies, [[maybe_unused]] int block) {
  const std::int64_t n = deck.pose_count, items = (n + W - 1) / W;
#pragma omp PARALLEL_FOR
  for (std::int64_t item = 0; item < items; ++item) {
    const std::int64_t first = neighbours ? item * W : item;
    const std::int64_t stride = neighbours ? 1 : items;
    float energy[W];
    dock<W>(deck, deck.forcefield, first - (fault::off_by_one && first > 0), stride, energy);
    EACH_POSE
    for (int w = 0; w < W; ++w) {
      const std::int64_t pose = first + w * stride;
      if (pose < n - fault::dropped_tail) energies[pose] = energy[w];
    }
  }
}

template <int W>
class OpenMP : public Model {
 public:
  OpenMP(const Deck& host, int block)
      : host(host), deck(host), block(block), result(host.pose_count), energies(result.data()) {
#if defined(PROXY_OPENMP_TARGET)
    const Atom *protein = host.protein, *ligand = host.ligand;
    const AtomType* forcefield = host.forcefield;
    const float* poses = host.poses;
    float* energies = result.data();
    const std::int64_t n = host.pose_count;
#pragma omp target enter data map(to : protein[0 : host.protein_count])      \
    map(to : ligand[0 : host.ligand_count], forcefield[0 : host.type_count]) \
    map(to : poses[0 : 6 * n]) map(alloc : energies[0 : n])
#pragma omp target data use_device_ptr(protein, ligand, forcefield, poses, energies)
    {
      deck.protein = protein;
      deck.ligand = ligand;
      deck.forcefield = forcefield;
      deck.poses = poses;
      this->energies = energies;
    }
#endif
  }
  ~OpenMP() override {
#if defined(PROXY_OPENMP_TARGET)
    const Atom *protein = host.protein, *ligand = host.ligand;
    const AtomType* forcefield = host.forcefield;
    const float* poses = host.poses;
    float* energies = result.data();
    const std::int64_t n = host.pose_count;
#pragma omp target exit data map(delete : protein[0 : host.protein_count])       \
    map(delete : ligand[0 : host.ligand_count], forcefield[0 : host.type_count]) \
    map(delete : poses[0 : 6 * n], energies[0 : n])
#endif
  }

  void clear() override {
    std::fill(result.begin(), result.end(), std::numeric_limits<float>::quiet_NaN());
#if defined(PROXY_OPENMP_TARGET)
    const float* energies = result.data();
#pragma omp target update to(energies[0 : host.pose_count])
#endif
  }
  void dock() override { dock_all<W>(deck, energies, block); }
  void read(float* out) override {
#if defined(PROXY_OPENMP_TARGET)
    float* energies = result.data();
#pragma omp target update from(energies[0 : host.pose_count])
#endif
    std::copy(result.begin(), result.end(), out);
  }

 private:
  Deck host, deck;  // where the deck is on the host, and on the device
  int block;
  std::vector<float> result;
  float* energies;  // on the device
};

std::unique_ptr<Model> make_model(const proxy::Device&, const Deck& host, int ppwi, int block) {
  return with_ppwi(ppwi, [&](auto w) -> std::unique_ptr<Model> {
    return std::make_unique<OpenMP<w>>(host, block);
  });
}

}  // namespace minibude::PROXY_MATH
