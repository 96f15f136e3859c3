// Multiplies the links of a lattice, times it, and checks every element.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/program.hpp"
#include "common/timer.hpp"
#include "su3_bench.hpp"

namespace {

using namespace su3_bench;
using proxy::Kernel;
using proxy::Options;
using proxy::Report;

void declare(Options& options) {
  options.add_count("lattice", "sites along each of the four directions", 1, 8192);
  options.add_choice("precision", "type of the numbers", {"f64", "f32"});
  options.add_count("calls-per-sample", "calls of the kernel that are timed together", 1, 100'000);
}

// The links are read and written once, and the four matrices b read; what a cache adds is not
// counted.
template <class T>
std::int64_t touched_bytes(std::int64_t sites) {
  return (2 * 4 * sites + 4) * static_cast<std::int64_t>(sizeof(Matrix<T>));
}

// What is allocated, and what the public code counts: the sites with what stands beside the links.
template <class T>
std::int64_t allocated_bytes(std::int64_t sites) {
  return 2 * sites * static_cast<std::int64_t>(sizeof(Site<T>)) +
         4 * static_cast<std::int64_t>(sizeof(Matrix<T>));
}

// The worst of many absolute errors. Elements are sums of six products of numbers up to 1, which
// may cancel, so that nothing can be asked of relative errors.
class Worst {
 public:
  explicit Worst(double tolerance) : tolerance_(tolerance) {}

  void add(double actual, double expected) {
    const double error = std::abs(actual - expected);
    const bool good = error <= tolerance_;                          // not if one is NaN
    const bool shown = failed_ == 0 && (!good || error >= error_);  // the worst, or the first wrong
    if (!good) ++failed_;
    if (shown) {
      error_ = error;
      actual_ = actual;
      expected_ = expected;
      at_ = count_;
    }
    ++count_;
  }

  proxy::Check check(const std::string& name, const std::string& what) const {
    const std::string all = std::to_string(count_), at = std::to_string(at_);
    const std::string counted =
        failed_ == 0 ? "the worst of " + all + ", at " + at
                     : std::to_string(failed_) + " of " + all + " wrong, the first at " + at;
    return {name,       what + ", absolute error; " + counted,
            expected_,  actual_,
            tolerance_, count_ > 0 && failed_ == 0};
  }

 private:
  double tolerance_, error_ = 0, actual_ = std::nan(""), expected_ = std::nan("");
  std::int64_t count_ = 0, failed_ = 0, at_ = 0;
};

// Calls visit(i, site) with every site of c.
template <class T, class Visit>
void for_each_site(Model<T>& model, std::int64_t sites, Report& report, const Visit& visit) {
  constexpr std::int64_t chunk = 1 << 14;
  std::vector<Site<T>> host(std::min(chunk, sites));
  for (std::int64_t begin = 0; begin < sites; begin += chunk) {
    const std::int64_t count = std::min(chunk, sites - begin);
    const proxy::Timer timer;
    model.read(begin, count, host.data());
    report.device_to_host_seconds += timer.seconds();
    for (std::int64_t i = 0; i < count; ++i) visit(begin + i, host[i]);
  }
}

// In double precision, from the values at the start, with nothing of what the models use.
struct Expected {
  double re[3][3] = {}, im[3][3] = {};

  template <class T>
  Expected(const Complex<T> (&a)[3][3], const Complex<T> (&b)[3][3]) {
    for (int k = 0; k < 3; ++k)
      for (int m = 0; m < 3; ++m)
        for (int l = 0; l < 3; ++l) {
          const double x = a[k][m].re, y = a[k][m].im, u = b[m][l].re, v = b[m][l].im;
          re[k][l] += x * u - y * v;
          im[k][l] += x * v + y * u;
        }
  }
};

template <class T>
Matrix<T> initial_matrix(std::int64_t link) {
  Matrix<T> matrix;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) matrix.e[k][l] = initial<T>(Input::hashed, link, k, l);
  return matrix;
}

template <class T>
void check_elements(Model<T>& model, std::int64_t length, std::int64_t sites, Report& report) {
  const double tolerance = std::is_same_v<T, float> ? 3e-5 : 1e-13;
  Worst real(tolerance), imaginary(tolerance), place(0);
  Matrix<T> b[4];
  for (int j = 0; j < 4; ++j) b[j] = initial_matrix<T>(-1 - j);
  for_each_site(model, sites, report, [&](std::int64_t i, const Site<T>& site) {
    for (int j = 0; j < 4; ++j) {
      const Expected expected(initial_matrix<T>(4 * i + j).e, b[j].e);
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          real.add(site.link[j].e[k][l].re, expected.re[k][l]);
          imaginary.add(site.link[j].e[k][l].im, expected.im[k][l]);
        }
    }
    const std::int64_t at =
        site.x + length * (site.y + length * (site.z + length * std::int64_t(site.t)));
    const bool is_even = (std::int64_t(site.x) + site.y + site.z + site.t) % 2 == 0;
    place.add(static_cast<double>(site.index), static_cast<double>(i));
    place.add(static_cast<double>(at), static_cast<double>(i));
    place.add(site.parity, is_even ? even : odd);
  });
  auto& checks = report.verdict.checks;
  checks.push_back(real.check("elements.real", "every real part against the host's"));
  checks.push_back(
      imaginary.check("elements.imaginary", "every imaginary part against the host's"));
  checks.push_back(
      place.check("sites", "index, coordinates and parity beside the links, untouched"));
}

// The public code's: constant input, on which the real parts of a site's elements add up to 36.
template <class T>
void check_constant(Model<T>& model, std::int64_t sites, Report& report) {
  model.fill(Input::constant);
  model.multiply();
  model.wait();
  double sum = 0;
  for_each_site(model, sites, report, [&](std::int64_t, const Site<T>& site) {
    double of_site = 0;
    for (const auto& link : site.link)
      for (const auto& row : link.e)
        for (const auto& element : row) of_site += element.re;
    sum += of_site;
  });
  sum /= static_cast<double>(sites);
  constexpr double tolerance = 1e-6;
  const bool passed = std::abs(sum - elements_per_site) <= tolerance;  // not if it is NaN
  report.verdict.checks.push_back({"checksum",
                                   "real parts on constant input, summed by site, absolute error",
                                   elements_per_site, sum, tolerance, passed});
}

void add_foms(const Kernel& kernel, std::int64_t allocated, Report& report) {
  const double median = kernel.median_seconds(), best = kernel.best_seconds();
  const auto rate = [&](const char* name, std::int64_t amount, const char* unit) {
    report.foms.push_back({name, amount / median, amount / best, unit, "higher"});
  };
  report.foms.push_back({"time", median, best, "s", "lower"});
  rate("flop_rate", kernel.flops, "flop/s");
  rate("bandwidth", kernel.bytes, "B/s");
  rate("bw_upstream", allocated, "B/s");
}

template <class T>
void check_memory(std::int64_t length, std::int64_t sites, const proxy::Device& device) {
  const auto available = static_cast<std::int64_t>(device.memory_bytes);
  if (available == 0 || allocated_bytes<T>(sites) <= available) return;
  std::int64_t fits = length;
  while (fits > 1 && allocated_bytes<T>(fits * fits * fits * fits) > available) --fits;
  throw proxy::UsageError("--lattice", std::to_string(length),
                          "two arrays of sites that fit in memory (these need " +
                              std::to_string(allocated_bytes<T>(sites)) + " bytes of " +
                              std::to_string(available) + ")",
                          std::to_string(fits) + " on " + device.name);
}

template <class T>
Report run_as(const Options& options, const proxy::Device& device) {
  const std::int64_t length = options.count("lattice");
  const std::int64_t sites = length * length * length * length;
  check_memory<T>(length, sites, device);

  Report report;
  report.working_set_bytes = allocated_bytes<T>(sites);
  report.iterations = options.count("iterations");
  report.warmup = options.count("warmup");

  const proxy::Timer initialisation;
  const auto model = make_model<T>(device, length, static_cast<int>(options.count("block")));
  model->fill(Input::hashed);
  report.initialisation_seconds = initialisation.seconds();

  Kernel kernel;
  kernel.name = "multiply";
  kernel.bytes = touched_bytes<T>(sites);
  kernel.flops = sites * elements_per_site * 3 * 8;
  kernel.calls_per_sample = options.count("calls-per-sample");
  kernel.launch = model->launch();
  for (std::int64_t round = 0; round < report.warmup + report.iterations; ++round) {
    const proxy::Timer timer;
    for (std::int64_t call = 0; call < kernel.calls_per_sample; ++call) model->multiply();
    model->wait();
    (round < report.warmup ? kernel.warmup_samples : kernel.samples).push_back(timer.seconds());
  }
  report.kernels = {kernel};
  add_foms(kernel, report.working_set_bytes, report);
  check_elements(*model, length, sites, report);
  check_constant(*model, sites, report);
  return report;
}

Report run(const Options& options, const proxy::Device& device) {
  return options.text("precision") == "f32" ? run_as<float>(options, device)
                                            : run_as<double>(options, device);
}

}  // namespace

int main(int argc, char** argv) { return proxy::run_program(argc, argv, declare, run); }
