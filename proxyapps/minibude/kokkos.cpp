// Kokkos: a league of teams; each team copies the forcefield into its scratch memory, and each of
// its threads is a work item.
#include <Kokkos_Core.hpp>

#include <limits>
#include <string>

#include "common/devices/kokkos_space.hpp"
#include "common/fault.hpp"
#include "minibude.hpp"

namespace minibude::PROXY_MATH {

namespace fault = proxy::fault;
using Space = proxy::KokkosSpace;
using Policy = Kokkos::TeamPolicy<Space, Kokkos::IndexType<std::int64_t>>;
using Team = Policy::member_type;
using Scratch = Kokkos::View<AtomType*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

template <class T>
using View = Kokkos::View<T*, Space::memory_space>;
template <class T>
using HostView = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

// A copy in the space's memory.
template <class T>
View<T> copied(const std::string& name, const T* host, std::int64_t count) {
  View<T> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, name), count);
  Kokkos::deep_copy(view, HostView<const T>(host, count));
  return view;
}

template <int W>
class KokkosModel : public Model {
 public:
  KokkosModel(const Deck& host, int block)
      : protein(copied("protein", host.protein, host.protein_count)),
        ligand(copied("ligand", host.ligand, host.ligand_count)),
        forcefield(copied("forcefield", host.forcefield, host.type_count)),
        poses(copied("poses", host.poses, 6 * host.pose_count)),
        energies(Kokkos::view_alloc(Kokkos::WithoutInitializing, "energies"), host.pose_count),
        deck(host),
        block(on_cpu ? 1 : block),  // a host's team is one thread
        grid((host.pose_count + std::int64_t{this->block} * W - 1) /
             (std::int64_t{this->block} * W)) {
    deck.protein = protein.data();
    deck.ligand = ligand.data();
    deck.forcefield = forcefield.data();
    deck.poses = poses.data();
  }

  void clear() override { Kokkos::deep_copy(energies, std::numeric_limits<float>::quiet_NaN()); }

  void dock() override {
    // a lambda must not capture `this`, which the device cannot follow
    const Deck deck = this->deck;
    const View<float> energies = this->energies;
    Policy policy(grid, block);
    policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(deck.type_count)));
    Kokkos::parallel_for(
        "dock", policy, KOKKOS_LAMBDA(const Team& team) {
          const Scratch types(team.team_scratch(0), deck.type_count);
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, deck.type_count),
                               [&](const int t) { types(t) = deck.forcefield[t]; });
          team.team_barrier();

          const std::int64_t stride = team.team_size();
          const std::int64_t first = team.league_rank() * stride * W + team.team_rank();
          float energy[W];
          PROXY_MATH::dock<W>(deck, types.data(), first - (fault::off_by_one && first > 0), stride,
                              energy);
          EACH_POSE
          for (int w = 0; w < W; ++w) {
            const std::int64_t pose = first + w * stride;
            if (pose < deck.pose_count - fault::dropped_tail) energies(pose) = energy[w];
          }
        });
    Space().fence("end of a sample");
  }

  void read(float* out) override {
    Kokkos::deep_copy(HostView<float>(out, deck.pose_count), energies);
  }
  proxy::Launch launch() const override {
    if (on_cpu) return {};
    return {block, grid};
  }

 private:
  View<Atom> protein, ligand;
  View<AtomType> forcefield;
  View<float> poses, energies;
  Deck deck;  // the same as pointers
  int block;
  std::int64_t grid;
};

std::unique_ptr<Model> make_model(const proxy::Device&, const Deck& host, int ppwi, int block) {
  return with_ppwi(ppwi, [&](auto w) -> std::unique_ptr<Model> {
    return std::make_unique<KokkosModel<w>>(host, block);
  });
}

}  // namespace minibude::PROXY_MATH
