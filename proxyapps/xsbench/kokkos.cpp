// Kokkos: the tables are views in the space's memory, and a lookup indexes views.
#include <Kokkos_Core.hpp>

#include "common/devices/kokkos_space.hpp"
#include "common/fault.hpp"
#include "xsbench.hpp"

namespace xsbench {

namespace fault = proxy::fault;
using Space = proxy::KokkosSpace;
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
template <class T>
using View = Kokkos::View<T*, typename Space::memory_space>;
template <class T>
using HostView = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
View<T> results(const std::string& name, std::int64_t n) {
  return View<T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, name), n);
}

// A copy in the space's memory; the host's table itself where that is the host's memory.
template <class T>
View<const T> on_device(const T* table, std::int64_t n) {
  return Kokkos::create_mirror_view_and_copy(
      typename Space::memory_space(),
      Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(table, n));
}

template <Method method, Grid grid>
class KokkosModel : public Model {
 public:
  KokkosModel(const Problem& problem, const Tables<Pointer>& host)
      : problem(problem),
        size(extents(problem)),
        values(results<std::int32_t>("values", size.values)),
        macros(results<Macro>("macros", size.macros)) {
    tables = {on_device(host.points, size.points),
              on_device(host.energies, size.energies),
              on_device(host.index, size.index),
              on_device(host.counts, size.counts),
              on_device(host.ids, size.ids),
              on_device(host.concentrations, size.concentrations),
              host.shape};
  }

  void clear() override {
    Kokkos::deep_copy(Space(), values, 0);
    Kokkos::deep_copy(Space(), macros, Macro{});
    wait();
  }
  // a lambda must not capture `this`, which the device cannot follow: views are copied first
  void lookup() override {
    const Tables<View> tables = this->tables;
    const View<std::int32_t> values = this->values;
    const View<Macro> macros = this->macros;
    const Problem problem = this->problem;
    Kokkos::parallel_for(
        "lookup", Range(0, size.values - fault::dropped_tail), KOKKOS_LAMBDA(const std::int64_t i) {
          const Outcome outcome = work_item<method, grid>(tables, i - (fault::off_by_one && i > 0));
          values(i) = outcome.value;
          const std::int64_t place = place_of(problem, i);
          if (place >= 0) macros(place) = outcome.macro;
        });
    wait();
  }
  std::int64_t reduce() override {
    const View<std::int32_t> values = this->values;
    std::int64_t sum = 0;  // a reduction into a host scalar waits for its result
    Kokkos::parallel_reduce(
        "reduce", Range(fault::lost_partial ? size.values / 2 : 0, size.values),
        KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& partial) { partial += values(i); }, sum);
    return sum;
  }

  void read(std::int64_t begin, std::int64_t count, std::int32_t* host) override {
    copy_out(values, begin, count, host);
  }
  void read(std::int64_t begin, std::int64_t count, Macro* host) override {
    copy_out(macros, begin, count, host);
  }

 private:
  static void wait() { Space().fence("end of a sample"); }
  template <class T>
  static void copy_out(const View<T>& from, std::int64_t begin, std::int64_t count, T* host) {
    Kokkos::deep_copy(HostView<T>(host, count),
                      Kokkos::subview(from, Kokkos::make_pair(begin, begin + count)));
  }

  Problem problem;
  Extents size;
  Tables<View> tables;
  View<std::int32_t> values;
  View<Macro> macros;
};

// Kokkos chooses the work-group size of a range itself.
std::unique_ptr<Model> make_model(const proxy::Device&, const Problem& problem,
                                  const Tables<Pointer>& tables, int) {
  return make_for<KokkosModel>(problem, tables);
}

bool uses_tables_in_place() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space::memory_space>::accessible;
}

}  // namespace xsbench
