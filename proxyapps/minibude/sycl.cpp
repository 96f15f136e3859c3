// SYCL: device allocations, and an nd_range whose work-groups copy the forcefield into local
// memory.
#include <sycl/sycl.hpp>

#include "common/devices/sycl_device.hpp"
#include "common/error.hpp"
#include "common/fault.hpp"
#include "minibude.hpp"

namespace minibude::PROXY_MATH {

namespace fault = proxy::fault;

template <int W>
class Sycl : public Model {
 public:
  Sycl(const proxy::Device& device, const Deck& host, int block)
      : queue(proxy::sycl_device(device), sycl::property::queue::in_order()),
        protein(copied(host.protein, host.protein_count)),
        ligand(copied(host.ligand, host.ligand_count)),
        forcefield(copied(host.forcefield, host.type_count)),
        poses(copied(host.poses, 6 * host.pose_count)),
        energies(allocate<float>(host.pose_count)),
        deck(host),
        block(block),
        grid((host.pose_count + std::int64_t{block} * W - 1) / (std::int64_t{block} * W)) {
    deck.protein = protein;
    deck.ligand = ligand;
    deck.forcefield = forcefield;
    deck.poses = poses;
  }
  ~Sycl() override {
    sycl::free(protein, queue);
    sycl::free(ligand, queue);
    sycl::free(forcefield, queue);
    sycl::free(poses, queue);
    sycl::free(energies, queue);
  }

  void clear() override {  // all bits set is a NaN
    queue.memset(energies, 0xff, deck.pose_count * sizeof(float)).wait();
  }

  void dock() override {
    queue.submit([&](sycl::handler& handler) {
      const sycl::local_accessor<AtomType> types(sycl::range<1>(deck.type_count), handler);
      const sycl::nd_range<1> items(sycl::range<1>(grid * block), sycl::range<1>(block));
      // a lambda must not capture `this`, which the device cannot follow
      handler.parallel_for(items, [=, deck = deck, energies = energies](sycl::nd_item<1> item) {
        const std::int64_t stride = item.get_local_range(0);
        for (std::int64_t t = item.get_local_id(0); t < deck.type_count; t += stride)
          types[t] = deck.forcefield[t];
        if constexpr (!fault::missing_barrier) sycl::group_barrier(item.get_group());

        // the poses of a work-group are in a row, those of a work item a work-group apart
        const std::int64_t first = item.get_group(0) * stride * W + item.get_local_id(0);
        float energy[W];
        PROXY_MATH::dock<W>(deck, &types[0], first - (fault::off_by_one && first > 0), stride,
                            energy);
        EACH_POSE
        for (int w = 0; w < W; ++w) {
          const std::int64_t pose = first + w * stride;
          if (pose < deck.pose_count - fault::dropped_tail) energies[pose] = energy[w];
        }
      });
    });
    queue.wait_and_throw();
  }

  void read(float* out) override { queue.copy(energies, out, deck.pose_count).wait(); }
  proxy::Launch launch() const override { return {block, grid}; }

 private:
  template <class T>
  T* allocate(std::int64_t count) {
    if (T* memory = sycl::malloc_device<T>(count, queue)) return memory;
    throw proxy::DeviceError("allocating " + std::to_string(count * sizeof(T)) +
                             " bytes on the device failed");
  }
  template <class T>
  T* copied(const T* host, std::int64_t count) {
    T* const memory = allocate<T>(count);
    queue.copy(host, memory, count).wait();
    return memory;
  }

  sycl::queue queue;
  Atom *protein, *ligand;
  AtomType* forcefield;
  float *poses, *energies;
  Deck deck;  // the same on the device
  int block;
  std::int64_t grid;
};

std::unique_ptr<Model> make_model(const proxy::Device& device, const Deck& host, int ppwi,
                                  int block) {
  return with_ppwi(ppwi, [&](auto w) -> std::unique_ptr<Model> {
    return std::make_unique<Sycl<w>>(device, host, block);
  });
}

}  // namespace minibude::PROXY_MATH
