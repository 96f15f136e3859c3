// SYCL: device allocations and one in-order queue; the values are added up by a reduction.
#include <sycl/sycl.hpp>

#include <vector>

#include "common/devices/sycl_device.hpp"
#include "common/error.hpp"
#include "common/fault.hpp"
#include "xsbench.hpp"

namespace xsbench {

namespace fault = proxy::fault;

template <Method method, Grid grid>
class Sycl : public Model {
 public:
  Sycl(const Problem& problem, const Tables<Pointer>& host, const proxy::Device& device, int block)
      : problem(problem),
        size(extents(problem)),
        block(block),
        queue(proxy::sycl_device(device), sycl::property::queue::in_order()) {
    tables = {on_device(host.points, size.points),
              on_device(host.energies, size.energies),
              on_device(host.index, size.index),
              on_device(host.counts, size.counts),
              on_device(host.ids, size.ids),
              on_device(host.concentrations, size.concentrations),
              host.shape};
    values = allocate<std::int32_t>(size.values);
    macros = allocate<Macro>(size.macros);
    sum = allocate<std::int64_t>(1);
    wait();
  }
  ~Sycl() override {
    for (void* memory : allocated) sycl::free(memory, queue);
  }

  // a lambda must not capture `this`, which the device cannot follow: pointers are copied first
  void clear() override {
    queue.memset(values, 0, size.values * sizeof(std::int32_t));
    queue.memset(macros, 0, size.macros * sizeof(Macro));
    wait();
  }
  void lookup() override {
    queue.parallel_for(work(), [tables = tables, values = values, macros = macros,
                                problem = problem](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i >= problem.items - fault::dropped_tail) return;
      const Outcome outcome = work_item<method, grid>(tables, i - (fault::off_by_one && i > 0));
      values[i] = outcome.value;
      const std::int64_t place = place_of(problem, i);
      if (place >= 0) macros[place] = outcome.macro;
    });
    wait();
  }
  std::int64_t reduce() override {
    const std::int64_t first = fault::lost_partial ? size.values / 2 : 0;
    std::int64_t result = 0;
    queue.parallel_for(
        sycl::range<1>(size.values - first),
        sycl::reduction(sum, sycl::plus<std::int64_t>(),
                        sycl::property::reduction::initialize_to_identity()),
        [values = values + first](sycl::id<1> i, auto& partial) { partial += values[i]; });
    queue.copy(sum, &result, 1).wait();
    return result;
  }

  void read(std::int64_t begin, std::int64_t count, std::int32_t* host) override {
    queue.copy(values + begin, host, count).wait();
  }
  void read(std::int64_t begin, std::int64_t count, Macro* host) override {
    queue.copy(macros + begin, host, count).wait();
  }
  proxy::Launch launch(const std::string& kernel) const override {
    if (kernel == "reduce") return {};  // the runtime's choice
    return {block, (problem.items + block - 1) / block};
  }

 private:
  void wait() { queue.wait_and_throw(); }
  sycl::nd_range<1> work() const {
    return {sycl::range<1>((problem.items + block - 1) / block * block), sycl::range<1>(block)};
  }
  template <class T>
  T* allocate(std::int64_t count) {
    T* const memory = sycl::malloc_device<T>(count, queue);
    if (!memory)
      throw proxy::DeviceError("allocating " + std::to_string(count * sizeof(T)) +
                               " bytes on the device failed");
    allocated.push_back(memory);
    return memory;
  }
  template <class T>
  const T* on_device(const T* table, std::int64_t count) {
    T* const memory = allocate<T>(count);
    queue.copy(table, memory, count);
    return memory;
  }

  Problem problem;
  Extents size;
  int block;
  sycl::queue queue;
  std::vector<void*> allocated;
  Tables<Pointer> tables{};
  std::int32_t* values = nullptr;
  Macro* macros = nullptr;
  std::int64_t* sum = nullptr;
};

std::unique_ptr<Model> make_model(const proxy::Device& device, const Problem& problem,
                                  const Tables<Pointer>& tables, int block) {
  return make_for<Sycl>(problem, tables, device, block);
}

bool uses_tables_in_place() { return false; }

}  // namespace xsbench
