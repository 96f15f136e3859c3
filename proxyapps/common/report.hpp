// What a run found out, and how it is written down.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device.hpp"
#include "verdict.hpp"

namespace proxy {

// The times of one kernel. A sample is the time of `calls_per_sample` calls and one
// synchronisation.
struct Kernel {
  std::string name;
  std::int64_t bytes = 0;  // moved by one call, as the app counts them
  std::int64_t flops = 0;  // done by one call
  std::int64_t calls_per_sample = 1;
  Launch launch;
  std::vector<double> samples;         // seconds, none ever left out
  std::vector<double> warmup_samples;  // seconds, before the samples

  double median_seconds() const;  // of one call
  double best_seconds() const;    // of one call
};

// A figure of merit: `value` from the median of the samples, `best` from the shortest.
struct Fom {
  std::string name;
  double value = 0;
  double best = 0;
  std::string unit;
  std::string direction;  // higher or lower
};

struct Report {
  std::string more_flags;  // the compiler's, behind those of the tree
  std::string precision;   // f64 or f32, of an app without a choice
  std::int64_t working_set_bytes = 0;
  std::int64_t iterations = 0;
  std::int64_t warmup = 0;
  Verdict verdict;
  std::vector<Kernel> kernels;
  std::vector<Fom> foms;
  double host_to_device_seconds = 0;
  double device_to_host_seconds = 0;
  double initialisation_seconds = 0;
};

class Json;
class Options;

void write_device(Json& json, const Device& device);
std::string to_json(const Report& report, const Options& options, const Device& device);
// For people; `profile` adds a table of the kernels' times.
std::string to_text(const Report& report, const Options& options, const Device& device,
                    bool profile);

}  // namespace proxy
