#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "build_info.hpp"
#include "json.hpp"
#include "options.hpp"

namespace proxy {

namespace {

double median(std::vector<double> numbers) {
  if (numbers.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(numbers.begin(), numbers.end());
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[half] : 0.5 * (numbers[half - 1] + numbers[half]);
}

double smallest(const std::vector<double>& numbers) {
  return numbers.empty() ? std::numeric_limits<double>::quiet_NaN()
                         : *std::min_element(numbers.begin(), numbers.end());
}

void write_verdict(Json& json, const Verdict& verdict) {
  json.key("verdict").begin_object().member("status", verdict.status());
  json.key("checks").begin_array();
  for (const auto& check : verdict.checks) {
    json.begin_object().member("name", check.name).member("what", check.what);
    json.member("expected", check.expected).member("actual", check.actual);
    json.member("tolerance", check.tolerance).key("passed");
    check.passed ? json.value(*check.passed) : json.null();
    json.end_object();
  }
  json.end_array().end_object();
}

void write_kernel(Json& json, const Kernel& kernel) {
  json.begin_object().member("name", kernel.name);
  json.member("samples", kernel.samples).member("warmup_samples", kernel.warmup_samples);
  json.member("bytes", kernel.bytes).member("flops", kernel.flops);
  json.member("calls_per_sample", kernel.calls_per_sample).key("launch").begin_object();
  if (kernel.launch.block > 0) json.member("block", kernel.launch.block);
  if (kernel.launch.grid > 0) json.member("grid", kernel.launch.grid);
  if (kernel.launch.per_item > 0) json.member("per_item", kernel.launch.per_item);
  json.end_object().end_object();
}

void write_problem(Json& json, const Report& report, const Options& options) {
  json.key("problem").begin_object().member("name", options.problem_name());
  json.key("parameters").begin_object();
  std::string precision = report.precision;
  for (const auto& parameter : options.problem_parameters()) {
    std::string option = parameter;
    std::replace(option.begin(), option.end(), '_', '-');
    if (parameter == "precision")
      precision = options.text(option);
    else if (options.is_count(option))
      json.member(parameter, options.count(option));
    else if (options.is_real(option))
      json.member(parameter, options.real(option));
    else
      json.member(parameter, options.text(option));
  }
  json.end_object().known("precision", precision);
  json.member("working_set_bytes", report.working_set_bytes).end_object();
}

}  // namespace

double Kernel::median_seconds() const { return median(samples) / calls_per_sample; }
double Kernel::best_seconds() const { return smallest(samples) / calls_per_sample; }

void write_device(Json& json, const Device& device) {
  json.begin_object().member("index", device.index).known("vendor", device.vendor);
  json.known("name", device.name).known("architecture", device.architecture);
  json.known("uuid", device.uuid).known("pci", device.pci);
  json.known("driver", device.driver).known("runtime", device.runtime);
  json.known("memory_bytes", device.memory_bytes);
  json.known("multiprocessors", device.multiprocessors).known("threads", device.threads);
  json.end_object();
}

std::string to_json(const Report& report, const Options& options, const Device& device) {
  Json json;
  json.begin_object().member("schema_version", 1);
  json.member("app", options.app().name).member("model", build::model);
  json.member("target", build::target).member("app_version", options.app().version);
  write_problem(json, report, options);
  json.member("iterations", report.iterations).member("warmup", report.warmup);
  json.key("device");
  write_device(json, device);
  const std::string flags =
      build::flags + (report.more_flags.empty() ? "" : ' ' + report.more_flags);
  json.key("compiler").begin_object().member("name", build::compiler);
  json.member("version", build::compiler_version).member("flags", flags).end_object();
  write_verdict(json, report.verdict);
  json.key("kernels").begin_array();
  for (const auto& kernel : report.kernels) write_kernel(json, kernel);
  json.end_array().key("foms").begin_array();
  for (const auto& fom : report.foms) {
    json.begin_object().member("name", fom.name).member("value", fom.value);
    json.member("best", fom.best).member("unit", fom.unit);
    json.member("direction", fom.direction).end_object();
  }
  json.end_array().key("transfers").begin_object();
  json.member("host_to_device_seconds", report.host_to_device_seconds);
  json.member("device_to_host_seconds", report.device_to_host_seconds).end_object();
  json.member("initialisation_seconds", report.initialisation_seconds).end_object();
  return json.text();
}

std::string to_text(const Report& report, const Options& options, const Device& device,
                    bool profile) {
  std::ostringstream out;
  const std::string problem = options.problem_name();
  out << options.program() << " on " << device.name << " (" << build::target << "), problem "
      << (problem.empty() ? "of its own" : problem) << ", " << report.working_set_bytes / 1e6
      << " MB, " << report.iterations << " iterations after " << report.warmup << " warm-ups\n";
  out << std::left << std::setprecision(4);
  const auto column = [&](const auto& content) { out << std::setw(14) << content; };
  if (profile) {
    for (const char* title : {"kernel", "median [s]", "min [s]", "GB/s", "GFLOP/s"}) column(title);
    out << '\n';
    for (const auto& kernel : report.kernels) {
      const double seconds = kernel.median_seconds();
      column(kernel.name), column(seconds), column(kernel.best_seconds());
      column(kernel.bytes / seconds * 1e-9), column(kernel.flops / seconds * 1e-9);
      out << '\n';
    }
  }
  for (const char* title : {"figure", "median", "best", "unit"}) column(title);
  out << '\n';
  for (const auto& fom : report.foms) {
    column(fom.name), column(fom.value), column(fom.best), column(fom.unit);
    out << '\n';
  }
  out << "answer: " << report.verdict.status() << '\n' << std::setprecision(17);
  for (const auto& check : report.verdict.checks)
    if (check.passed != true)
      out << "  " << check.name << ": " << (check.passed ? "wrong" : "not checked") << ": "
          << check.what << ": expected " << check.expected << ", actual " << check.actual
          << ", tolerance " << check.tolerance << '\n';
  return out.str();
}

}  // namespace proxy
