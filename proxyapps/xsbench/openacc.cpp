// OpenACC: a parallel loop over the work items, on arrays that are present on the device.
#include <openacc.h>

#include <algorithm>
#include <cstdlib>

#include "common/fault.hpp"
#include "common/host_memory.hpp"
#include "xsbench.hpp"

// gcc chooses the length of its vectors when it compiles
#if defined(__NVCOMPILER)
#define BLOCK vector_length(block)
#else
#define BLOCK
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
#pragma acc parallel loop present(points, energies, index, counts, ids, concentrations) \
    present(values, macros) BLOCK
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
#pragma acc parallel loop present(values) reduction(+ : sum) BLOCK
  for (std::int64_t i = fault::lost_partial ? n / 2 : 0; i < n; ++i) sum += values[i];
  return sum;
}

inline void clear(std::int32_t* values, Macro* macros, const Extents size,
                  [[maybe_unused]] int block) {
#pragma acc parallel loop present(values) BLOCK
  for (std::int64_t i = 0; i < size.values; ++i) values[i] = 0;
#pragma acc parallel loop present(macros) BLOCK
  for (std::int64_t i = 0; i < size.macros; ++i) macros[i] = Macro{};
}

template <Method method, Grid grid>
class OpenACC : public Model {
 public:
  OpenACC(const Problem& problem, const Tables<Pointer>& tables, int block)
      : problem(problem),
        size(extents(problem)),
        tables(tables),
        block(block),
        values(proxy::untouched<std::int32_t>(size.values)),
        macros(proxy::untouched<Macro>(size.macros)) {
    on_device(true);
  }
  ~OpenACC() override {
    on_device(false);
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
  // Brings the tables to the device and makes room for the results, or takes both away.
  void on_device(bool there) {
    const Extents size = this->size;
    const Point* points = tables.points;
    const double *energies = tables.energies, *concentrations = tables.concentrations;
    const std::int32_t *index = tables.index, *counts = tables.counts, *ids = tables.ids;
    std::int32_t* values = this->values;
    Macro* macros = this->macros;
    if (there) {
#pragma acc enter data copyin(points[0 : size.points], energies[0 : size.energies]) \
    copyin(index[0 : size.index], counts[0 : size.counts], ids[0 : size.ids])       \
        copyin(concentrations[0 : size.concentrations])                             \
            create(values[0 : size.values], macros[0 : size.macros])
    } else {
#pragma acc exit data delete (points[0 : size.points], energies[0 : size.energies]) delete (     \
    index[0 : size.index], counts[0 : size.counts],                                              \
    ids[0 : size.ids]) delete (concentrations[0 : size.concentrations], values[0 : size.values], \
                               macros[0 : size.macros])
    }
  }

  template <class T>
  static void copy_out(T* from, std::int64_t begin, std::int64_t count, T* out) {
#pragma acc update self(from[begin : count])
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
  return make_for<OpenACC>(problem, tables, block);
}

bool uses_tables_in_place() { return true; }

}  // namespace xsbench
