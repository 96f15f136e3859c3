// OpenACC: an iteration of a parallel loop is a work item; the deck is present on the device. The
// forcefield stays in memory, and in its caches.
#include <algorithm>
#include <limits>
#include <vector>

#include "common/fault.hpp"
#include "minibude.hpp"

// gcc chooses the length of its vectors when it compiles
#if defined(__NVCOMPILER)
#define BLOCK vector_length(block)
#else
#define BLOCK
#endif

namespace minibude::PROXY_MATH {

namespace fault = proxy::fault;

template <int W>
void dock_all(const Deck& host, float* energies, [[maybe_unused]] int block) {
  const Atom *protein = host.protein, *ligand = host.ligand;
  const AtomType* forcefield = host.forcefield;
  const float* poses = host.poses;
  const std::int32_t proteins = host.protein_count, ligands = host.ligand_count;
  const std::int32_t types = host.type_count;
  const std::int64_t n = host.pose_count, items = (n + W - 1) / W;
  // a host's work item has its poses in a row, as the lanes of vectors; on a device neighbouring
  // items have neighbouring poses, so that their loads are one
  const std::int64_t step = on_cpu ? W : 1, stride = on_cpu ? 1 : items;
#pragma acc parallel loop gang vector present(protein[0 : proteins], ligand[0 : ligands]) \
    present(forcefield[0 : types], poses[0 : 6 * n], energies[0 : n]) BLOCK
  for (std::int64_t item = 0; item < items; ++item) {
    const Deck deck = {protein, ligand, forcefield, poses, proteins, ligands, types, n};
    const std::int64_t first = item * step;
    float energy[W];
    dock<W>(deck, forcefield, first - (fault::off_by_one && first > 0), stride, energy);
    EACH_POSE
    for (int w = 0; w < W; ++w) {
      const std::int64_t pose = first + w * stride;
      if (pose < n - fault::dropped_tail) energies[pose] = energy[w];
    }
  }
}

template <int W>
class OpenACC : public Model {
 public:
  OpenACC(const Deck& host, int block) : host(host), block(block), result(host.pose_count) {
    const Atom *protein = host.protein, *ligand = host.ligand;
    const AtomType* forcefield = host.forcefield;
    const float* poses = host.poses;
    float* energies = result.data();
    const std::int64_t n = host.pose_count;
#pragma acc enter data copyin(protein[0 : host.protein_count], ligand[0 : host.ligand_count]) \
    copyin(forcefield[0 : host.type_count], poses[0 : 6 * n]) create(energies[0 : n])
  }
  ~OpenACC() override {
    const Atom *protein = host.protein, *ligand = host.ligand;
    const AtomType* forcefield = host.forcefield;
    const float* poses = host.poses;
    float* energies = result.data();
    const std::int64_t n = host.pose_count;
#pragma acc exit data delete (                                                                \
    protein[0 : host.protein_count],                                                          \
    ligand[0 : host.ligand_count]) delete (forcefield[0 : host.type_count], poses[0 : 6 * n], \
                                           energies[0 : n])
  }

  void clear() override {
    std::fill(result.begin(), result.end(), std::numeric_limits<float>::quiet_NaN());
    float* energies = result.data();
#pragma acc update device(energies[0 : host.pose_count])
  }
  void dock() override { dock_all<W>(host, result.data(), block); }
  void read(float* out) override {
    float* energies = result.data();
#pragma acc update self(energies[0 : host.pose_count])
    std::copy(result.begin(), result.end(), out);
  }

 private:
  Deck host;  // whose addresses name the device's copies
  int block;
  std::vector<float> result;
};

std::unique_ptr<Model> make_model(const proxy::Device&, const Deck& host, int ppwi, int block) {
  return with_ppwi(ppwi, [&](auto w) -> std::unique_ptr<Model> {
    return std::make_unique<OpenACC<w>>(host, block);
  });
}

}  // namespace minibude::PROXY_MATH
