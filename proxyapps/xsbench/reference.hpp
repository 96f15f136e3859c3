// The lookups once more on the host, straight from the definition: the standard library's search in
// each nuclide's own table, whatever the grid of the model. Only the random numbers and the tables
// of the nuclides and materials are the same code and the same data.
#pragma once

#include <algorithm>
#include <vector>

#include "host_tables.hpp"
#include "xsbench.hpp"

namespace xsbench {

class Reference {
 public:
  Reference(const Problem& problem, const Tables<Pointer>& tables, int threads)
      : problem(problem), tables(tables), starts(tables.shape.nuclides * (bins + 1)) {
    // where each nuclide's search may begin and end, or it would take hours for large problems
    in_slices(threads, tables.shape.nuclides, [this](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n)
        for (std::int64_t bin = 0; bin <= bins; ++bin)
          start(n, bin) = above(n, 0, this->tables.shape.gridpoints,
                                static_cast<double>(bin) / static_cast<double>(bins));
    });
  }

  Outcome item(std::int64_t i) const {
    const bool event = problem.method == Method::event;
    const std::int64_t lookups = event ? 1 : tables.shape.lookups_per_particle;
    const std::uint64_t draws = event ? 2 : 10 * lookups;
    std::uint64_t seed = skip(lookup_seed, draws * static_cast<std::uint64_t>(i));
    Outcome outcome{};
    for (std::int64_t lookup = 0; lookup < lookups; ++lookup) {
      const double p = draw(seed);
      outcome.macro = macro(p, draw_material(seed));
      const double* const xs = outcome.macro.xs;
      outcome.value += static_cast<std::int32_t>(std::max_element(xs, xs + channels) - xs) + 1;
      const auto large = std::count_if(xs, xs + channels, [](double x) { return x > 1.0; });
      if (!event)
        for (int k = 0; k < large; ++k) draw(seed);
    }
    return outcome;
  }

 private:
  static constexpr std::int64_t bins = 1 << 12;  // a power of two, so that edges are exact

  // The first gridpoint of nuclide n in [low, high) whose energy is above p.
  std::int64_t above(std::int64_t n, std::int64_t low, std::int64_t high, double p) const {
    const Point* const first = tables.points + n * tables.shape.gridpoints;
    const auto less = [](double q, const Point& point) { return q < point.energy; };
    return std::upper_bound(first + low, first + high, p, less) - first;
  }
  std::int64_t& start(std::int64_t n, std::int64_t bin) { return starts[n * (bins + 1) + bin]; }

  Macro macro(double p, int material) const {
    Macro sum{};
    const auto bin = std::min(static_cast<std::int64_t>(p * bins), bins - 1);
    for (int slot = 0; slot < tables.counts[material]; ++slot) {
      const std::int64_t n = tables.ids[material * tables.shape.slots + slot];
      const double concentration = tables.concentrations[material * tables.shape.slots + slot];
      const std::int64_t* const bounds = &starts[n * (bins + 1) + bin];
      const std::int64_t upper = std::clamp<std::int64_t>(above(n, bounds[0], bounds[1], p), 1,
                                                          tables.shape.gridpoints - 1);
      const Point& high = tables.points[n * tables.shape.gridpoints + upper];
      const Point& low = (&high)[-1];
      const double share = (high.energy - p) / (high.energy - low.energy);
      for (int k = 0; k < channels; ++k)
        sum.xs[k] += concentration * (high.xs[k] - share * (high.xs[k] - low.xs[k]));
    }
    return sum;
  }

  const Problem& problem;
  Tables<Pointer> tables;
  std::vector<std::int64_t> starts;
};

}  // namespace xsbench
