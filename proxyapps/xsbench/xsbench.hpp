// Macroscopic neutron cross sections of a reactor's materials, looked up at random energies.
//
// Nuclide n has a table of energies E_n[g], ascending, with five microscopic cross sections
// X_n[g][k] at each. At energy p, with g such that E_n[g] <= p < E_n[g + 1],
//
//   f         = (E_n[g + 1] - p) / (E_n[g + 1] - E_n[g])
//   x_n[k](p) = X_n[g + 1][k] - f (X_n[g + 1][k] - X_n[g][k])
//   macro[k]  = sum over the nuclides n of a material of concentration_n x_n[k](p)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "common/device.hpp"
#include "common/element.hpp"

namespace xsbench {

// Lookups one by one (event), or in chains in which each one decides where the random numbers of
// the next begin, as along the history of a particle.
enum class Method { event, history };

// How g is found: by one bisection in the union of all nuclides' energies, whose rows hold every
// nuclide's g; by a bisection among the few energies that share a bin of width 1/bins; or by a
// bisection in each nuclide's whole table.
enum class Grid { unionized, hash, nuclide };

constexpr int materials = 12;
constexpr int channels = 5;  // total, elastic, absorption, fission, nu-fission

struct Point {
  double energy;
  double xs[channels];
};
struct Macro {
  double xs[channels];
};

struct Shape {
  std::int64_t nuclides, gridpoints;  // of each nuclide
  std::int64_t bins;                  // of the hash grid
  std::int64_t slots;                 // for the nuclides of one material
  std::int64_t lookups_per_particle;  // in history mode
};

template <class T>
using Pointer = T*;

// What a lookup reads. Array<const T> is what a model's arrays are: a pointer, or a view.
template <template <class> class Array>
struct Tables {
  Array<const Point> points;           // [nuclide][gridpoint]
  Array<const double> energies;        // unionized: all energies, ascending
  Array<const std::int32_t> index;     // unionized: [energy][nuclide]; hash: [bin][nuclide]
  Array<const std::int32_t> counts;    // [material]: its number of nuclides
  Array<const std::int32_t> ids;       // [material][slot]: which nuclides
  Array<const double> concentrations;  // [material][slot]
  Shape shape;
};

// The random numbers: x <- (a x + 1) mod 2^63, scaled to [0, 1).
constexpr std::uint64_t multiplier = 2806196910506780709, increment = 1;
constexpr std::uint64_t modulus = std::uint64_t(1) << 63;
constexpr std::uint64_t lookup_seed = 1070, points_seed = 42, concentrations_seed = 1070 * 1070;

ELEMENT double draw(std::uint64_t& x) {
  x = (multiplier * x + increment) % modulus;
  return static_cast<double>(static_cast<std::int64_t>(x)) * 0x1p-63;
}

// x after n draws. One draw is an affine map, and so is any number of them: the map is squared once
// per bit of n. Wrapping at 2^64 on the way is harmless, because 2^63 divides it.
ELEMENT std::uint64_t skip(std::uint64_t x, std::uint64_t n) {
  std::uint64_t a = multiplier, c = increment, factor = 1, offset = 0;
  for (; n > 0; n >>= 1) {
    if (n & 1) {
      factor *= a;
      offset = offset * a + c;
    }
    c *= a + 1;
    a *= a;
  }
  return (factor * x + offset) % modulus;
}

// Material m is hit with probability p[m]. The bounds between materials 0|1, 1|2, ... are sums of
// p[m], ..., p[1], added in this order; material 0, fuel, is what lies above the last bound.
struct Bounds {
  double below[materials];
};
constexpr double probabilities[materials] = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064,
                                             0.066, 0.055, 0.008, 0.015, 0.025, 0.013};
constexpr Bounds sum_bounds() {
  Bounds bounds{};
  for (int m = 0; m < materials; ++m)
    for (int k = m; k > 0; --k) bounds.below[m] += probabilities[k];
  return bounds;
}
constexpr Bounds material_bounds = sum_bounds();
ELEMENT int draw_material(std::uint64_t& x) {
  constexpr Bounds bounds = material_bounds;  // so that a device need not know the outer one
  const double roll = draw(x);
  int m = 0;
  for (int k = 0; k < materials; ++k) m += roll >= bounds.below[k];
  return m < materials ? m : 0;
}

ELEMENT double energy_of(double energy) { return energy; }
ELEMENT double energy_of(const Point& point) { return point.energy; }

// The largest i in [low, high) whose energy is not above p; low if there is none. The loop carries
// how many are left because then compilers for CPUs branch instead of selecting: a processor that
// guesses the branch fetches the next energy before it has compared this one.
template <class Array>
ELEMENT std::int64_t bisect(const Array& array, double p, std::int64_t low, std::int64_t high) {
  std::int64_t left = high - low;
  while (left > 1) {
    const std::int64_t middle = low + left / 2;
    if (energy_of(array[middle]) > p)
      high = middle;
    else
      low = middle;
    left = high - low;
  }
  return low;
}

// The row of the index that serves energy p.
template <Grid grid, template <class> class Array>
ELEMENT std::int64_t find_row(const Tables<Array>& tables, double p) {
  const Shape& shape = tables.shape;
  if (grid == Grid::unionized)
    return bisect(tables.energies, p, 0, shape.nuclides * shape.gridpoints - 1) * shape.nuclides;
  if (grid == Grid::hash) {
    const auto bin = static_cast<std::int64_t>(p * static_cast<double>(shape.bins));
    return (bin < shape.bins ? bin : shape.bins - 1) * shape.nuclides;
  }
  return 0;
}

// The position in `points` of nuclide n's last gridpoint at or below p.
template <Grid grid, template <class> class Array>
ELEMENT std::int64_t find_point(const Tables<Array>& tables, double p, std::int64_t row,
                                std::int64_t n) {
  const std::int64_t first = n * tables.shape.gridpoints;
  if (grid == Grid::unionized) return first + tables.index[row + n];
  if (grid == Grid::hash)  // the next bin's gridpoint bounds this one's; there is a row for it
    return bisect(tables.points, p, first + tables.index[row + n],
                  first + tables.index[row + tables.shape.nuclides + n] + 1);
  return bisect(tables.points, p, first, first + tables.shape.gridpoints - 1);
}

template <Grid grid, template <class> class Array>
ELEMENT Macro macroscopic(const Tables<Array>& tables, double p, int material) {
  Macro macro{};
  const std::int64_t row = find_row<grid>(tables, p);
  const std::int64_t first = material * tables.shape.slots;
  const std::int64_t last = first + tables.counts[material];
  for (std::int64_t slot = first; slot < last; ++slot) {
    const std::int64_t at = find_point<grid>(tables, p, row, tables.ids[slot]);
    const double concentration = tables.concentrations[slot];
    const Point& low = tables.points[at];
    const Point& high = tables.points[at + 1];
    const double f = (high.energy - p) / (high.energy - low.energy);
    for (int k = 0; k < channels; ++k)
      macro.xs[k] += (high.xs[k] - f * (high.xs[k] - low.xs[k])) * concentration;
  }
  return macro;
}

// 1 to 5: which cross section is the largest, the first of them if there are several.
ELEMENT std::int32_t largest(const Macro& macro) {
  double most = -1.0;
  std::int32_t at = 0;
  for (int k = 0; k < channels; ++k)
    if (macro.xs[k] > most) {
      most = macro.xs[k];
      at = k;
    }
  return at + 1;
}

// What one work item leaves behind: the sum of largest() over its lookups, and the last lookup's
// cross sections.
struct Outcome {
  std::int32_t value;
  Macro macro;
};

// Work item i: lookup i (event) or particle i with all its lookups (history).
template <Method method, Grid grid, template <class> class Array>
ELEMENT Outcome work_item(const Tables<Array>& tables, std::int64_t i) {
  const std::int64_t lookups = method == Method::event ? 1 : tables.shape.lookups_per_particle;
  const std::int64_t draws = method == Method::event ? 2 : 10 * lookups;
  std::uint64_t seed = skip(lookup_seed, static_cast<std::uint64_t>(draws * i));
  Outcome outcome{};
  for (std::int64_t lookup = 0; lookup < lookups; ++lookup) {
    const double p = draw(seed);
    const int material = draw_material(seed);
    outcome.macro = macroscopic<grid>(tables, p, material);
    outcome.value += largest(outcome.macro);
    if (method == Method::history) {  // what was found decides how the particle goes on
      std::uint64_t large = 0;
      for (int k = 0; k < channels; ++k) large += outcome.macro.xs[k] > 1.0;
      seed = skip(seed, large);
    }
  }
  return outcome;
}

struct Problem {
  Method method;
  Grid grid;
  Shape shape;
  std::int64_t items;  // work items
  std::int64_t kept;   // of the first and of the last so many the cross sections are kept
};

// Where the cross sections of item i are kept; -1 if they are not.
ELEMENT std::int64_t place_of(const Problem& problem, std::int64_t i) {
  if (i < problem.kept) return i;
  return i < problem.items - problem.kept ? -1 : i - problem.items + 2 * problem.kept;
}

// How many elements each array has.
struct Extents {
  std::int64_t points, energies, index, counts, ids, concentrations;  // tables
  std::int64_t values, macros;                                        // results

  std::int64_t table_bytes() const {
    return points * sizeof(Point) + (energies + concentrations) * sizeof(double) +
           (index + counts + ids) * sizeof(std::int32_t);
  }
  std::int64_t result_bytes() const {
    return values * sizeof(std::int32_t) + macros * sizeof(Macro);
  }
};
inline Extents extents(const Problem& problem) {
  const Shape& shape = problem.shape;
  const std::int64_t points = shape.nuclides * shape.gridpoints, slots = materials * shape.slots;
  // one element stands in for a table that a grid does not need
  const std::int64_t energies = problem.grid == Grid::unionized ? points : 1;
  const std::int64_t rows = problem.grid == Grid::hash ? shape.bins + 1 : energies;
  return {points, energies, rows * shape.nuclides, materials,
          slots,  slots,    problem.items,         2 * problem.kept};
}

// What a model must provide. It owns the tables and the results on its device. Every call returns
// when the device is done.
struct Model {
  virtual ~Model() = default;
  virtual void clear() = 0;           // sets all results to 0
  virtual void lookup() = 0;          // work_item(i) for all i
  virtual std::int64_t reduce() = 0;  // the sum of all values
  // Copies results begin .. begin + count - 1 to the host: values of items, cross sections by
  // place.
  virtual void read(std::int64_t begin, std::int64_t count, std::int32_t* values) = 0;
  virtual void read(std::int64_t begin, std::int64_t count, Macro* macros) = 0;
  // How kernels are launched, where the model decides or knows.
  virtual proxy::Launch launch(const std::string& kernel) const {
    (void)kernel;
    return {};
  }
};

// The tables are the host's. Where the device is the host, a model may use them where they are:
// they outlive it.
std::unique_ptr<Model> make_model(const proxy::Device& device, const Problem& problem,
                                  const Tables<Pointer>& tables, int block);

// Does it, or does it make copies?
bool uses_tables_in_place();

// An M<method, grid> for the problem's: each combination is compiled by itself, so that no kernel
// carries what it does not use.
template <template <Method, Grid> class M, class... Arguments>
std::unique_ptr<Model> make_for(const Problem& problem, Arguments&&... arguments) {
  const auto with = [&](auto method) -> std::unique_ptr<Model> {
    constexpr Method m = decltype(method)::value;
    switch (problem.grid) {
      case Grid::unionized:
        return std::make_unique<M<m, Grid::unionized>>(problem, arguments...);
      case Grid::hash:
        return std::make_unique<M<m, Grid::hash>>(problem, arguments...);
      default:
        return std::make_unique<M<m, Grid::nuclide>>(problem, arguments...);
    }
  };
  if (problem.method == Method::event) return with(std::integral_constant<Method, Method::event>());
  return with(std::integral_constant<Method, Method::history>());
}

}  // namespace xsbench
