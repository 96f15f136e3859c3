// Runs the kernels in the classic order, times them, and checks every element and every sum.
#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "babelstream.hpp"
#include "common/program.hpp"
#include "common/timer.hpp"

namespace {

using namespace babelstream;
using proxy::Kernel;
using proxy::Options;
using proxy::Report;

// Bytes are words read and written; what a cache adds (write-allocate) is not counted.
struct KernelFacts {
  const char* name;
  std::int64_t words, flops;  // per element
};
constexpr std::array<KernelFacts, 6> facts = {{{"copy", 2, 0},
                                               {"mul", 2, 1},
                                               {"add", 3, 1},
                                               {"triad", 3, 2},
                                               {"dot", 2, 2},
                                               {"nstream", 4, 3}}};
enum { COPY, MUL, ADD, TRIAD, DOT, NSTREAM };

struct Setup {
  std::int64_t n, iterations, warmup, calls;
};

void declare(Options& options) {
  options.add_count("size", "elements of each of the three arrays", 1,
                    std::numeric_limits<std::int64_t>::max() / 64);
  options.add_choice("precision", "type of the elements", {"f64", "f32"});
  options.add_count("calls-per-sample", "calls of a kernel that are timed together", 1, 100'000);
}

// The kernels on the scalars of one period: what a, b, c and dot must be. Which elements share a
// scalar follows from the index alone.
template <class T>
class Replay {
 public:
  explicit Replay(std::int64_t n) : n_(n) {
    for (std::int64_t r = 0; r < period; ++r)
      values_.push_back({initial_a<T>(r), initial_b<T>(r), initial_c<T>(r)});
  }

  // One round of the classic order; calls of one kernel repeat what the first did.
  void classic() {
    const T s = T(scalar);
    for (auto& [a, b, c] : values_) {
      c = copy(a);
      b = mul(c, s);
      c = add(a, b);
      a = triad(b, c, s);
    }
  }

  void nstream() {
    for (auto& [a, b, c] : values_) a = babelstream::nstream(a, b, c, T(scalar));
  }

  double dot() const {
    long double sum = 0;
    for (std::int64_t r = 0; r < period; ++r) {
      const std::int64_t elements = n_ / period + (r < n_ % period ? 1 : 0);
      sum += static_cast<long double>(elements) * product(values_[r][0], values_[r][1]);
    }
    return static_cast<double>(sum);
  }

  T value(Array array, std::int64_t i) const {
    return values_[i % period][static_cast<std::size_t>(array)];
  }

 private:
  std::int64_t n_;
  std::vector<std::array<T, 3>> values_;
};

template <class T>
void check_arrays(Model<T>& model, const Replay<T>& replay, const Setup& setup,
                  const std::string& loop, std::int64_t rounds, Report& report) {
  constexpr std::int64_t chunk = 1 << 20;
  std::vector<T> host(std::min(chunk, setup.n));
  // a round adds at most about one rounding error; the floor is the public code's rule
  const double tolerance = std::max<double>(100, rounds) * std::numeric_limits<T>::epsilon();
  for (const auto& [array, name] : {std::pair{Array::a, "a"}, {Array::b, "b"}, {Array::c, "c"}}) {
    proxy::Comparison comparison(tolerance);
    for (std::int64_t begin = 0; begin < setup.n; begin += chunk) {
      const std::int64_t count = std::min(chunk, setup.n - begin);
      const proxy::Timer timer;
      model.read(array, begin, count, host.data());
      report.device_to_host_seconds += timer.seconds();
      for (std::int64_t i = 0; i < count; ++i)
        comparison.add(host[i], replay.value(array, begin + i));
    }
    report.verdict.checks.push_back(comparison.check(
        loop + "." + name,
        std::string("every element of ") + name + " against the same kernels on scalars"));
  }
}

template <class T>
void check_sums(const std::vector<T>& sums, const std::vector<double>& expected, const Setup& setup,
                Report& report) {
  constexpr bool single = std::is_same_v<T, float>;
  constexpr double eps = std::numeric_limits<T>::epsilon();
  // In single precision nothing tighter holds for every correct order of adding than the bound of a
  // serial chain, on top of what the elements themselves may be off.
  const double tolerance = single ? (static_cast<double>(setup.n) + 200) * eps : 1e-8;
  proxy::Comparison comparison(tolerance);
  for (std::size_t i = 0; i < sums.size(); ++i) comparison.add(sums[i], expected[i]);
  auto check = comparison.check("classic.dot", "every dot against the sum over the scalars");
  if (tolerance > 0.01 && single) {
    check.what += "; the bound of a serial chain of this length is above 1 %";
    check.passed.reset();
  }
  report.verdict.checks.push_back(check);
}

// Runs one sample: k calls and one synchronisation.
template <class T>
void sample(Model<T>& model, Kernel& kernel, bool warm, const std::function<void()>& call) {
  const proxy::Timer timer;
  for (std::int64_t k = 0; k < kernel.calls_per_sample; ++k) call();
  model.wait();
  (warm ? kernel.samples : kernel.warmup_samples).push_back(timer.seconds());
}

template <class T>
void run_classic(Model<T>& model, const Setup& setup, Report& report) {
  const T s = T(scalar);
  const std::int64_t rounds = setup.warmup + setup.iterations;
  auto& kernels = report.kernels;
  Replay<T> replay(setup.n);
  std::vector<T> sums;
  std::vector<double> expected;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const bool warm = round >= setup.warmup;
    sample<T>(model, kernels[COPY], warm, [&] { model.copy(); });
    sample<T>(model, kernels[MUL], warm, [&] { model.mul(s); });
    sample<T>(model, kernels[ADD], warm, [&] { model.add(); });
    sample<T>(model, kernels[TRIAD], warm, [&] { model.triad(s); });
    sample<T>(model, kernels[DOT], warm, [&] { sums.push_back(model.dot()); });
    replay.classic();
    expected.resize(sums.size(), replay.dot());
  }
  check_arrays(model, replay, setup, "classic", rounds, report);
  check_sums(sums, expected, setup, report);
}

template <class T>
void run_nstream(Model<T>& model, const Setup& setup, Report& report) {
  const std::int64_t rounds = setup.warmup + setup.iterations;
  Replay<T> replay(setup.n);
  model.fill();
  for (std::int64_t round = 0; round < rounds; ++round)
    sample<T>(model, report.kernels[NSTREAM], round >= setup.warmup,
              [&] { model.nstream(T(scalar)); });
  for (std::int64_t call = 0; call < rounds * setup.calls; ++call) replay.nstream();
  check_arrays(model, replay, setup, "nstream", rounds * setup.calls, report);
}

void add_foms(Report& report) {
  double total = 0, best_total = 0;
  for (const auto& kernel : report.kernels) {
    const double median = kernel.median_seconds(), best = kernel.best_seconds();
    report.foms.push_back(
        {kernel.name, kernel.bytes / median, kernel.bytes / best, "B/s", "higher"});
    if (kernel.name == "nstream") continue;
    total += median;
    best_total += best;
  }
  report.foms.push_back({"total", total, best_total, "s", "lower"});
}

// Values shrink by s (2 + s) = 0.96 a round and their products twice as fast; before they leave the
// range of normal numbers the comparison would lose its meaning.
template <class T>
void check_rounds(const Setup& setup) {
  constexpr std::int64_t limit = std::is_same_v<T, float> ? 900 : 8'000;
  if (setup.iterations + setup.warmup > limit)
    throw proxy::UsageError(
        "--iterations",
        std::to_string(setup.iterations) + " after --warmup " + std::to_string(setup.warmup),
        "so few that the values do not shrink to nothing", std::to_string(limit) + " together");
}

template <class T>
void check_memory(const Setup& setup, const proxy::Device& device) {
  const auto limit = static_cast<std::int64_t>(device.memory_bytes / (3 * sizeof(T)));
  if (device.memory_bytes > 0 && setup.n > limit)
    throw proxy::UsageError("--size", std::to_string(setup.n), "three arrays that fit in memory",
                            std::to_string(limit) + " elements on " + device.name);
}

template <class T>
Report run_as(const Options& options, const proxy::Device& device) {
  const Setup setup = {options.count("size"), options.count("iterations"), options.count("warmup"),
                       options.count("calls-per-sample")};
  check_rounds<T>(setup);
  check_memory<T>(setup, device);

  Report report;
  report.working_set_bytes = 3 * setup.n * static_cast<std::int64_t>(sizeof(T));
  report.iterations = setup.iterations;
  report.warmup = setup.warmup;

  const proxy::Timer timer;
  const auto model = make_model<T>(device, setup.n, static_cast<int>(options.count("block")));
  model->fill();
  report.initialisation_seconds = timer.seconds();

  for (const auto& [name, words, flops] : facts) {
    Kernel kernel;
    kernel.name = name;
    kernel.bytes = words * setup.n * static_cast<std::int64_t>(sizeof(T));
    kernel.flops = flops * setup.n;
    kernel.calls_per_sample = setup.calls;
    kernel.launch = model->launch(name);
    report.kernels.push_back(kernel);
  }
  run_classic(*model, setup, report);
  run_nstream(*model, setup, report);
  add_foms(report);
  return report;
}

Report run(const Options& options, const proxy::Device& device) {
  return options.text("precision") == "f32" ? run_as<float>(options, device)
                                            : run_as<double>(options, device);
}

}  // namespace

int main(int argc, char** argv) { return proxy::run_program(argc, argv, declare, run); }
