// RAJA: forall over the work items with the policy of the target. RAJA leaves memory to others;
// camp's resources, which come with it, allocate and copy.
#include <RAJA/RAJA.hpp>

#include <algorithm>
#include <vector>

#include "common/devices/raja_policy.hpp"
#include "common/error.hpp"
#include "common/fault.hpp"
#include "xsbench.hpp"

namespace xsbench {

namespace fault = proxy::fault;
using Resource = proxy::RajaResource;
using Range = RAJA::TypedRangeSegment<std::int64_t>;

template <int block>
struct Blocked {
  template <Method method, Grid grid>
  class RajaModel : public Model {
    using Policy = proxy::RajaPolicy<block>;

   public:
    RajaModel(const Problem& problem, const Tables<Pointer>& host)
        : problem(problem), size(extents(problem)) {
      tables = {on_device(host.points, size.points),
                on_device(host.energies, size.energies),
                on_device(host.index, size.index),
                on_device(host.counts, size.counts),
                on_device(host.ids, size.ids),
                on_device(host.concentrations, size.concentrations),
                host.shape};
      values = allocate<std::int32_t>(size.values);
      macros = allocate<Macro>(size.macros);
      resource.wait();
    }
    ~RajaModel() override {
      for (void* memory : allocated) resource.deallocate(memory);
    }

    // a lambda must not capture `this`, which the device cannot follow: pointers are copied first
    void clear() override {
      resource.memset(values, 0, size.values * sizeof(std::int32_t));
      resource.memset(macros, 0, size.macros * sizeof(Macro));
      resource.wait();
    }
    void lookup() override {
      const Tables<Pointer> tables = this->tables;
      std::int32_t* const values = this->values;
      Macro* const macros = this->macros;
      const Problem problem = this->problem;
      RAJA::forall<Policy>(resource, Range(0, size.values - fault::dropped_tail),
                           [=] RAJA_HOST_DEVICE(std::int64_t i) {
                             const Outcome outcome =
                                 work_item<method, grid>(tables, i - (fault::off_by_one && i > 0));
                             values[i] = outcome.value;
                             const std::int64_t place = place_of(problem, i);
                             if (place >= 0) macros[place] = outcome.macro;
                           });
      resource.wait();
    }
    std::int64_t reduce() override {
      const std::int32_t* const values = this->values;
      RAJA::ReduceSum<proxy::RajaReduce, std::int64_t> sum(0);
      RAJA::forall<Policy>(resource, Range(fault::lost_partial ? size.values / 2 : 0, size.values),
                           [=] RAJA_HOST_DEVICE(std::int64_t i) { sum += values[i]; });
      return sum.get();  // waits for the device
    }

    void read(std::int64_t begin, std::int64_t count, std::int32_t* out) override {
      resource.memcpy(out, values + begin, count * sizeof(std::int32_t));
      resource.wait();
    }
    void read(std::int64_t begin, std::int64_t count, Macro* out) override {
      resource.memcpy(out, macros + begin, count * sizeof(Macro));
      resource.wait();
    }
    proxy::Launch launch(const std::string&) const override {
      if (!proxy::raja_on_device) return {};
      return {block, (problem.items + block - 1) / block};
    }

   private:
    template <class T>
    T* allocate(std::int64_t count) {
      T* const memory = resource.allocate<T>(count);
      allocated.push_back(memory);
      return memory;
    }
    // A copy in the device's memory; the host's table itself where that is the host's memory.
    template <class T>
    const T* on_device(const T* table, std::int64_t count) {
      if (!proxy::raja_on_device) return table;
      T* const memory = allocate<T>(count);
      resource.memcpy(memory, table, count * sizeof(T));
      return memory;
    }

    Problem problem;
    Extents size;
    Resource resource = Resource::get_default();
    std::vector<void*> allocated;
    Tables<Pointer> tables{};
    std::int32_t* values = nullptr;
    Macro* macros = nullptr;
  };
};

// The work-group size is part of RAJA's policy, so each one is compiled.
std::unique_ptr<Model> make_model(const proxy::Device&, const Problem& problem,
                                  const Tables<Pointer>& tables, int block) {
  if (block == 256 || !proxy::raja_on_device)
    return make_for<Blocked<256>::RajaModel>(problem, tables);
  if (block == 128) return make_for<Blocked<128>::RajaModel>(problem, tables);
  if (block == 512) return make_for<Blocked<512>::RajaModel>(problem, tables);
  throw proxy::UsageError("--block", std::to_string(block), "128, 256 or 512");
}

bool uses_tables_in_place() { return !proxy::raja_on_device; }

}  // namespace xsbench
