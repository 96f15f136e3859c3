// The tables on the host, made by all its threads before anything is timed.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "common/host_memory.hpp"
#include "xsbench.hpp"

namespace xsbench {

// Calls f(begin, end) for slices of 0 .. n - 1 that together hold each number once, one slice per
// thread.
template <class F>
void in_slices(int threads, std::int64_t n, F f) {
  std::vector<std::thread> others;
  const auto bound = [&](std::int64_t t) { return n / threads * t + std::min(n % threads, t); };
  for (int t = 1; t < threads; ++t) {
    try {
      others.emplace_back(f, bound(t), bound(t + 1));
    } catch (const std::system_error&) {  // no more threads to be had
      f(bound(t), bound(t + 1));
    }
  }
  f(bound(0), bound(1));
  for (auto& other : others) other.join();
}

class HostTables {
 public:
  HostTables(const Problem& problem, bool large, int threads)
      : shape(problem.shape), threads(threads), sizes(extents(problem)) {
    points = allocate<Point>(sizes.points);
    energies = allocate<double>(sizes.energies);
    index = allocate<std::int32_t>(sizes.index);
    counts = allocate<std::int32_t>(sizes.counts);
    ids = allocate<std::int32_t>(sizes.ids);
    concentrations = allocate<double>(sizes.concentrations);
    fill_materials(large);
    fill_points();
    if (problem.grid == Grid::unionized) fill_unionized();
    if (problem.grid == Grid::hash) fill_hash();
  }

  Tables<Pointer> tables() const {
    return {points.get(), energies.get(),       index.get(), counts.get(),
            ids.get(),    concentrations.get(), shape};
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <class T>
  using Array = std::unique_ptr<T[], Free>;
  template <class T>
  static Array<T> allocate(std::int64_t n) {
    return Array<T>(proxy::untouched<T>(n));
  }

  // Which nuclides are in fuel, cladding, cold and hot water, the vessel, ... (Hoogenboom-Martin).
  void fill_materials(bool large) {
    std::vector<int> fuel = {58, 59, 60, 61, 40, 42, 43, 44, 45, 46, 1,  2,  3,  7,  8,  9,  10,
                             29, 57, 47, 48, 0,  62, 15, 33, 34, 52, 53, 54, 55, 56, 18, 23, 41};
    if (large)
      for (int n = 68; n < 355; ++n) fuel.push_back(n);
    const std::vector<int> cladding = {63, 64, 65, 66, 67};
    const std::vector<int> water = {24, 41, 4, 5};
    const std::vector<int> vessel = {19, 20, 21, 22, 35, 36, 37, 38, 39, 25, 27, 28, 29, 30,
                                     31, 32, 26, 49, 50, 51, 11, 12, 13, 14, 6,  16, 17};
    const std::vector<int> structure = {24, 41, 4,  5,  19, 20, 21, 22, 35, 36, 37,
                                        38, 39, 25, 49, 50, 51, 11, 12, 13, 14};
    const std::vector<int> assembly = {24, 41, 4, 5, 63, 64, 65, 66, 67};
    const std::vector<int>* const made_of[materials] = {
        &fuel,      &cladding,  &water,     &water,     &vessel,   &structure,
        &structure, &structure, &structure, &structure, &assembly, &assembly};
    std::uint64_t seed = concentrations_seed;
    std::fill_n(ids.get(), sizes.ids, 0);
    std::fill_n(concentrations.get(), sizes.concentrations, 0);
    for (int m = 0; m < materials; ++m) {
      counts[m] = static_cast<std::int32_t>(made_of[m]->size());
      for (int k = 0; k < counts[m]; ++k) {
        ids[m * shape.slots + k] = (*made_of[m])[k];
        concentrations[m * shape.slots + k] = draw(seed);
      }
    }
  }

  // Each nuclide's points are six random numbers each, then sorted by energy.
  void fill_points() {
    in_slices(threads, shape.nuclides, [this](std::int64_t begin, std::int64_t end) {
      std::uint64_t seed = skip(points_seed, 6 * begin * shape.gridpoints);
      for (std::int64_t n = begin; n < end; ++n) {
        Point* const first = points.get() + n * shape.gridpoints;
        for (Point* point = first; point < first + shape.gridpoints; ++point) {
          point->energy = draw(seed);
          for (double& xs : point->xs) xs = draw(seed);
        }
        std::sort(first, first + shape.gridpoints,
                  [](const Point& a, const Point& b) { return a.energy < b.energy; });
      }
    });
  }

  // How many of nuclide n's energies are below p, or not above it.
  std::int64_t below(std::int64_t n, double p) const {
    const Point* const first = points.get() + n * shape.gridpoints;
    return std::lower_bound(first, first + shape.gridpoints, p,
                            [](const Point& point, double q) { return point.energy < q; }) -
           first;
  }
  std::int64_t up_to(std::int64_t n, double p) const {
    const Point* const first = points.get() + n * shape.gridpoints;
    return std::upper_bound(first, first + shape.gridpoints, p,
                            [](double q, const Point& point) { return q < point.energy; }) -
           first;
  }
  // The lower of the two gridpoints between which p is interpolated.
  std::int32_t interval(std::int64_t n, double p) const {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(up_to(n, p) - 1, 0, shape.gridpoints - 2));
  }

  // Energies are spread evenly over [0, 1), so each thread takes those of some parts of it.
  void fill_unionized() {
    const std::int64_t parts = 64 * threads;
    const auto edge = [parts](std::int64_t part) {
      return part < parts ? static_cast<double>(part) / static_cast<double>(parts) : 2.0;
    };
    std::vector<std::int64_t> start(parts + 1, 0);
    in_slices(threads, parts, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin + 1; part <= end; ++part)
        for (std::int64_t n = 0; n < shape.nuclides; ++n) start[part] += below(n, edge(part));
    });
    in_slices(threads, parts, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin; part < end; ++part) {
        double* to = energies.get() + start[part];
        for (std::int64_t n = 0; n < shape.nuclides; ++n) {
          const Point* const first = points.get() + n * shape.gridpoints;
          const Point* const stop = first + below(n, edge(part + 1));
          for (const Point* point = first + below(n, edge(part)); point < stop; ++point)
            *to++ = point->energy;
        }
        std::sort(energies.get() + start[part], to);
      }
    });
    in_slices(threads, sizes.energies, [this](std::int64_t begin, std::int64_t end) {
      if (begin < end) fill_rows(begin, end);
    });
  }

  // From one energy to the next a nuclide's gridpoint moves by one or not at all.
  void fill_rows(std::int64_t begin, std::int64_t end) {
    std::vector<std::int32_t> at(shape.nuclides);
    std::vector<double> next(shape.nuclides);  // the energy from which `at` is too low
    const auto move_to = [&](std::int64_t n, std::int32_t g) {
      at[n] = g;
      next[n] = g < shape.gridpoints - 2 ? points[n * shape.gridpoints + g + 1].energy : 2.0;
    };
    for (std::int64_t n = 0; n < shape.nuclides; ++n) move_to(n, interval(n, energies[begin]));
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t n = 0; n < shape.nuclides; ++n)
        while (energies[row] >= next[n]) move_to(n, at[n] + 1);
      std::copy(at.begin(), at.end(), index.get() + row * shape.nuclides);
    }
  }

  void fill_hash() {
    in_slices(threads, shape.bins + 1, [this](std::int64_t begin, std::int64_t end) {
      for (std::int64_t bin = begin; bin < end; ++bin)
        for (std::int64_t n = 0; n < shape.nuclides; ++n)
          index[bin * shape.nuclides + n] =
              interval(n, static_cast<double>(bin) / static_cast<double>(shape.bins));
    });
  }

  Shape shape;
  int threads;
  Extents sizes;
  Array<Point> points;
  Array<double> energies, concentrations;
  Array<std::int32_t> index, counts, ids;
};

}  // namespace xsbench
