// OpenMP: a host loop over the work items, or the same loop in a target region on mapped arrays.
#include <algorithm>
#include <cstdlib>

#include "common/fault.hpp"
#include "common/host_memory.hpp"
#include "xsbench.hpp"

#if !defined(PROXY_OPENMP_TARGET)
#define PARALLEL_FOR parallel for
#define PARALLEL_LOOKUPS parallel for schedule(dynamic, 256)  // some take 80 times longer
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__NVCOMPILER)
// gcc's device threads are whole warps, whose lanes are filled by simd
#define PARALLEL_FOR target teams distribute parallel for simd
#define PARALLEL_LOOKUPS PARALLEL_FOR
#else
#define PARALLEL_FOR target teams distribute parallel for thread_limit(block)
#define PARALLEL_LOOKUPS PARALLEL_FOR
#endif

namespace xsbench {

namespace fault = proxy::fault;

// The loops are functions of plain pointers: a pointer inside an object would stay the host's. The
// device's tables are put together in the loop.
template <Method method, Grid grid>
void lookup(const Point* points, const double* energies, const std::int32_t* index,
            const std::int32_t* counts, const std::int32_t* ids, const double* concentrations,
            std::int32_t* values, Macro* macros, const Problem problem,
            [[maybe_unused]] int block) {
#pragma omp PARALLEL_LOOKUPS
  for (std::int64_t i = 0; i < problem.items - fault::dropped_tail; ++i) {
    const Tables<Pointer> tables = {points, energies,       index,        counts,
                                    ids,    concentrations, problem.shape};
    const Outcome outcome = work_item<method, grid>(tables, i - (fault::off_by_one && i > 0));
    values[i] = outcome.value;
    const std::int64_t place = place_of(problem, i);
    if (place >= 0) macros[place] = outcome.macro;
  }
}

inline std::int64_t reduce(const std::int32_t* values, std::int64_t n, [[maybe_unused]] int block) {
  std::int64_t sum = 0;
#pragma omp PARALLEL_FOR reduction(+ : sum)
  for (std::int64_t i = fault::lost_partial ? n / 2 : 0; i < n; ++i) sum += values[i];
  return sum;
}

inline void clear(std::int32_t* values, Macro* macros, const Extents size,
                  [[maybe_unused]] int block) {
#pragma omp PARALLEL_FOR  // on a host also the first touch of the pages
  for (std::int64_t i = 0; i < size.values; ++i) values[i] = 0;
#pragma omp PARALLEL_FOR
  for (std::int64_t i = 0; i < size.macros; ++i) macros[i] = Macro{};
}

template <Method method, Grid grid>
class OpenMP : public Model {
 public:
  OpenMP(const Problem& problem, const Tables<Pointer>& tables, int block)
      : problem(problem),
        size(extents(problem)),
        tables(tables),
        block(block),
        values(proxy::untouched<std::int32_t>(size.values)),
        macros(proxy::untouched<Macro>(size.macros)) {
#if defined(PROXY_OPENMP_TARGET)
    on_device(true);
#endif
  }
  ~OpenMP() override {
#if defined(PROXY_OPENMP_TARGET)
    on_device(false);
#endif
    std::free(values);
    std::free(macros);
  }

  void clear() override { xsbench::clear(values, macros, size, block); }
  void lookup() override {
    xsbench::lookup<method, grid>(tables.points, tables.energies, tables.index, tables.counts,
                                  tables.ids, tables.concentrations, values, macros, problem,
                                  block);
  }
  std::int64_t reduce() override { return xsbench::reduce(values, size.values, block); }

  void read(std::int64_t begin, std::int64_t count, std::int32_t* out) override {
    copy_out(values, begin, count, out);
  }
  void read(std::int64_t begin, std::int64_t count, Macro* out) override {
    copy_out(macros, begin, count, out);
  }

 private:
#if defined(PROXY_OPENMP_TARGET)
  // Brings the tables to the device and makes room for the results, or takes both away.
  void on_device(bool there) {
    const Extents size = this->size;
    const Point* points = tables.points;
    const double *energies = tables.energies, *concentrations = tables.concentrations;
    const std::int32_t *index = tables.index, *counts = tables.counts, *ids = tables.ids;
    std::int32_t* values = this->values;
    Macro* macros = this->macros;
    if (there) {
#pragma omp target enter data map(to : points[0 : size.points], energies[0 : size.energies], \
                                      index[0 : size.index])                                 \
    map(to : counts[0 : size.counts], ids[0 : size.ids])                                     \
    map(to : concentrations[0 : size.concentrations])                                        \
    map(alloc : values[0 : size.values], macros[0 : size.macros])
    } else {
#pragma omp target exit data map(delete : points[0 : size.points], energies[0 : size.energies], \
                                     index[0 : size.index])                                     \
    map(delete : counts[0 : size.counts], ids[0 : size.ids])                                    \
    map(delete : concentrations[0 : size.concentrations])                                       \
    map(delete : values[0 : size.values], macros[0 : size.macros])
    }
  }
#endif

  template <class T>
  static void copy_out(T* from, std::int64_t begin, std::int64_t count, T* out) {
#if defined(PROXY_OPENMP_TARGET)
#pragma omp target update from(from[begin : count])
#endif
    std::copy_n(from + begin, count, out);
  }

  Problem problem;
  Extents size;
  Tables<Pointer> tables;
  int block;
  std::int32_t* values;
  Macro* macros;
};

std::unique_ptr<Model> make_model(const proxy::Device&, const Problem& problem,
                                  const Tables<Pointer>& tables, int block) {
  return make_for<OpenMP>(problem, tables, block);
}

bool uses_tables_in_place() { return true; }

}  // namespace xsbench
