// Makes the tables, times the lookups and the reduction, and checks what came out.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/program.hpp"
#include "common/timer.hpp"
#include "host_tables.hpp"
#include "reference.hpp"
#include "xsbench.hpp"

namespace {

using namespace xsbench;
using proxy::Kernel;
using proxy::Options;
using proxy::Report;

constexpr std::int64_t hash_modulus = 999983;
constexpr std::int64_t full_gridpoints = 11303;

// Sums of all values that the public code, too, arrives at, whatever the grid.
struct Known {
  Method method;
  bool large;
  std::int64_t lookups;
  std::int64_t hash;
};
constexpr Known known[] = {
    {Method::event, false, 1'000, 3044},          {Method::event, false, 100'000, 299541},
    {Method::event, false, 1'000'000, 999388},    {Method::event, false, 2'000'000, 998920},
    {Method::event, false, 17'000'000, 945990},   {Method::event, true, 1'000, 3019},
    {Method::event, true, 100'000, 298914},       {Method::event, true, 17'000'000, 952131},
    {Method::history, false, 34'000, 101914},     {Method::history, false, 340'000, 17910},
    {Method::history, false, 17'000'000, 941535}, {Method::history, true, 17'000'000, 954318},
};

void declare(Options& options) {
  options.add_choice("method", "lookups one by one, or in chains", {"event", "history"});
  options.add_choice("grid", "how a nuclide's gridpoint is found",
                     {"unionized", "hash", "nuclide"});
  options.add_choice("size", "68 or 355 nuclides, 34 or 321 of them in fuel", {"small", "large"});
  options.add_count("gridpoints", "energies of each nuclide", 2, 1'000'000'000);
  options.add_count("hash-bins", "bins of the hash grid", 1, 1'000'000'000);
  options.add_count("lookups", "lookups of one sample, of all particles together", 1,
                    std::int64_t{1} << 38);
  options.add_count("lookups-per-particle", "lookups of one particle, in history mode", 1,
                    100'000'000);
}

bool is_large(const Options& options) { return options.text("size") == "large"; }

Problem read_problem(const Options& options) {
  Problem problem{};
  problem.method = options.text("method") == "event" ? Method::event : Method::history;
  const std::string& grid = options.text("grid");
  problem.grid = grid == "unionized" ? Grid::unionized
                 : grid == "hash"    ? Grid::hash
                                     : Grid::nuclide;
  const bool large = is_large(options);
  problem.shape = {large ? 355 : 68, options.count("gridpoints"), options.count("hash-bins"),
                   large ? 321 : 34, options.count("lookups-per-particle")};
  problem.items = options.count("lookups");
  if (problem.method == Method::history) {
    const std::int64_t chain = problem.shape.lookups_per_particle;
    if (problem.items % chain != 0)
      throw proxy::UsageError("--lookups", std::to_string(problem.items),
                              "a multiple of --lookups-per-particle " + std::to_string(chain));
    problem.items /= chain;
  }
  problem.kept = std::min<std::int64_t>((problem.items + 1) / 2, 500);
  return problem;
}

// What the problem takes is known before any of it is allocated.
void check_memory(const Problem& problem, const proxy::Device& device, const proxy::Device& host) {
  const auto gigabytes = [](double bytes) {
    const double tenths = std::ceil(bytes / 1e8);
    return std::to_string(static_cast<std::int64_t>(tenths) / 10) + "." +
           std::to_string(static_cast<std::int64_t>(tenths) % 10) + " GB";
  };
  const auto require = [&](double bytes, const proxy::Device& where) {
    const auto there = static_cast<double>(where.memory_bytes);
    if (there > 0 && bytes > there)
      throw proxy::UsageError(
          "the problem needs " + gigabytes(bytes) + " of memory (" +
          std::to_string(std::int64_t(bytes)) + " bytes), but " + where.name + " has " +
          gigabytes(there) +
          "; choose fewer --gridpoints or --lookups, --size small, or --grid hash");
  };
  const auto tables = static_cast<double>(extents(problem).table_bytes());
  const auto results = static_cast<double>(extents(problem).result_bytes());
  if (device.vendor == "cpu") {
    require(results + tables * (uses_tables_in_place() ? 1 : 2), device);
  } else {
    require(results + tables, device);
    require(tables, host);
  }
}

// What a lookup touches and computes, on average; caches and whole sectors are not considered.
void count_work(const Problem& problem, const std::int32_t* counts, Kernel& lookup,
                Kernel& reduce) {
  const Shape& shape = problem.shape;
  double visits = 0;  // nuclides per lookup
  double fuel = 1;
  for (int m = 1; m < materials; ++m) {
    visits += probabilities[m] * counts[m];
    fuel -= probabilities[m];
  }
  visits += fuel * counts[0];
  const auto steps = [](double n) { return std::ceil(std::log2(std::max(n, 1.0))); };
  const auto gridpoints = static_cast<double>(shape.gridpoints);
  double row = 0, point = 0;  // bytes for finding the row, and in it a nuclide's gridpoint
  if (problem.grid == Grid::unionized) {
    row = 8 * steps(static_cast<double>(shape.nuclides) * gridpoints);
    point = 4;
  } else if (problem.grid == Grid::hash) {
    point = 8 + 8 * steps(gridpoints / static_cast<double>(shape.bins) + 1);
  } else {
    point = 8 * steps(gridpoints);
  }
  const double table = 2 * sizeof(Point) + sizeof(std::int32_t) + sizeof(double);
  const auto lookups =
      static_cast<double>(problem.items) *
      static_cast<double>(problem.method == Method::event ? 1 : shape.lookups_per_particle);
  const auto results = problem.items * static_cast<std::int64_t>(sizeof(std::int32_t));
  lookup.bytes = std::llround(lookups * (row + visits * (table + point))) + results;
  lookup.flops = std::llround(lookups * visits * (3 + channels * 5));
  reduce.bytes = results;
}

std::optional<std::int64_t> known_hash(const Problem& problem, const Options& options) {
  if (problem.shape.gridpoints != full_gridpoints) return {};
  if (problem.method == Method::history && problem.shape.lookups_per_particle != 34) return {};
  for (const auto& [method, large, lookups, hash] : known)
    if (method == problem.method && large == is_large(options) &&
        lookups == options.count("lookups"))
      return hash;
  return {};
}

// Compares values with the reference: all of them where no expected sum is known (then it is the
// reference's), else about 10,000 evenly spread ones and the last.
void check_values(Model& model, const Problem& problem, const Reference& reference,
                  const std::vector<std::int64_t>& sums, std::optional<std::int64_t> hash,
                  int threads, Report& report) {
  const std::int64_t chunk = 1 << 20, last = problem.items - 1;
  const std::int64_t stride = hash ? std::max<std::int64_t>(1, problem.items / 10'000) : 1;
  std::vector<std::int32_t> values(std::min(chunk, problem.items)), expected;
  std::int64_t sum = 0, expected_sum = 0;
  proxy::Comparison comparison(0);
  for (std::int64_t begin = 0; begin < problem.items; begin += chunk) {
    const std::int64_t end = std::min(begin + chunk, problem.items);
    const proxy::Timer timer;
    model.read(begin, end - begin, values.data());
    report.device_to_host_seconds += timer.seconds();
    for (std::int64_t i = begin; i < end; ++i) sum += values[i - begin];

    std::vector<std::int64_t> picked;
    for (std::int64_t i = (begin + stride - 1) / stride * stride; i < end; i += stride)
      picked.push_back(i);
    if (end - 1 == last && (picked.empty() || picked.back() != last)) picked.push_back(last);
    const auto count = static_cast<std::int64_t>(picked.size());
    expected.resize(count);
    in_slices(threads, count, [&](std::int64_t first, std::int64_t stop) {
      for (std::int64_t k = first; k < stop; ++k) expected[k] = reference.item(picked[k]).value;
    });
    for (std::int64_t k = 0; k < count; ++k) {
      comparison.add(values[picked[k] - begin], expected[k]);
      expected_sum += expected[k];
    }
  }
  report.verdict.checks.push_back(comparison.check(
      "values", "which cross section is the largest, against the reference, exactly"));

  const std::int64_t actual = sum % hash_modulus;
  const std::int64_t wanted = hash ? *hash : expected_sum % hash_modulus;
  report.verdict.checks.push_back({"hash",
                                   std::string("the sum of all values modulo 999983, against ") +
                                       (hash ? "the published one" : "the reference's"),
                                   static_cast<double>(wanted), static_cast<double>(actual), 0,
                                   actual == wanted});

  proxy::Comparison reduced(0);
  for (const std::int64_t one : sums)
    reduced.add(static_cast<double>(one), static_cast<double>(sum));
  report.verdict.checks.push_back(
      reduced.check("sum", "every reduction against the sum of the values on the host, exactly"));
}

void check_macros(Model& model, const Problem& problem, const Reference& reference,
                  Report& report) {
  std::vector<Macro> macros(2 * problem.kept);
  const proxy::Timer timer;
  model.read(0, 2 * problem.kept, macros.data());
  report.device_to_host_seconds += timer.seconds();
  proxy::Comparison comparison(1e-12);
  const auto compare = [&](std::int64_t i) {
    const Macro expected = reference.item(i).macro;
    for (int k = 0; k < channels; ++k)
      comparison.add(macros[place_of(problem, i)].xs[k], expected.xs[k]);
  };
  for (std::int64_t i = 0; i < problem.kept; ++i) compare(i);
  for (std::int64_t i = problem.items - problem.kept; i < problem.items; ++i) compare(i);
  report.verdict.checks.push_back(comparison.check(
      "macros", "the cross sections of the first and the last " + std::to_string(problem.kept) +
                    " work items, five each, against the reference"));
}

template <class Call>
auto sample(Kernel& kernel, bool warm, Call call) {
  const proxy::Timer timer;
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    (warm ? kernel.samples : kernel.warmup_samples).push_back(timer.seconds());
  } else {
    const auto result = call();
    (warm ? kernel.samples : kernel.warmup_samples).push_back(timer.seconds());
    return result;
  }
}

Report run(const Options& options, const proxy::Device& device) {
  const Problem problem = read_problem(options);
  const proxy::Device host = proxy::host_device("");
  check_memory(problem, device, host);
  const int threads = static_cast<int>(std::max<std::int64_t>(1, host.threads));

  Report report;
  report.working_set_bytes = extents(problem).table_bytes() + extents(problem).result_bytes();
  report.iterations = options.count("iterations");
  report.warmup = options.count("warmup");

  const proxy::Timer initialisation;
  const HostTables on_host(problem, is_large(options), threads);
  report.initialisation_seconds = initialisation.seconds();
  const Tables<Pointer> tables = on_host.tables();
  const proxy::Timer transfer;  // allocation included
  const auto model = make_model(device, problem, tables, static_cast<int>(options.count("block")));
  report.host_to_device_seconds = transfer.seconds();

  Kernel lookup, reduce;
  lookup.name = "lookup";
  reduce.name = "reduce";
  lookup.launch = model->launch(lookup.name);
  reduce.launch = model->launch(reduce.name);
  count_work(problem, tables.counts, lookup, reduce);
  std::vector<std::int64_t> sums;
  for (std::int64_t round = 0; round < report.warmup + report.iterations; ++round) {
    const bool warm = round >= report.warmup;
    model->clear();  // or a lookup that is left out would find its result of the round before
    sample(lookup, warm, [&] { model->lookup(); });
    sums.push_back(sample(reduce, warm, [&] { return model->reduce(); }));
  }
  report.kernels = {lookup, reduce};

  const auto lookups = static_cast<double>(options.count("lookups"));
  report.foms = {{"lookups", lookups / lookup.median_seconds(), lookups / lookup.best_seconds(),
                  "1/s", "higher"},
                 {"reduction", reduce.median_seconds(), reduce.best_seconds(), "s", "lower"}};
  const Reference reference(problem, tables, threads);
  check_macros(*model, problem, reference, report);
  check_values(*model, problem, reference, sums, known_hash(problem, options), threads, report);
  return report;
}

}  // namespace

int main(int argc, char** argv) { return proxy::run_program(argc, argv, declare, run); }
