// Docks every pose of a deck, times it, and checks every energy.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "common/program.hpp"
#include "common/timer.hpp"
#include "deck.hpp"
#include "minibude.hpp"
#include "reference.hpp"

namespace {

using namespace minibude;
using proxy::Kernel;
using proxy::Options;
using proxy::Report;

constexpr int default_ppwi = on_cpu ? 64 : 4;  // fills vectors, leaves registers
constexpr double tolerance = 2.5e-4;           // 0.025 %, the public code's

void declare(Options& options) {
  constexpr std::int64_t atoms = 100'000'000;
  options.add_text("deck", "\"synthetic\", or a folder with a deck in the public format");
  options.add_count("protein-atoms", "atoms of the protein", 1, atoms);
  options.add_count("ligand-atoms", "atoms of the ligand", 1, atoms);
  options.add_count("atom-types", "entries of the forcefield", 1, 1024);
  options.add_count("poses", "poses of the ligand; the first ones of a deck", 1,
                    std::numeric_limits<std::int64_t>::max() / 64);
  options.add_count("seed", "what a synthetic deck is made from", 0, 1'000'000'000);
  options.add_choice("math", "rule of arithmetic that the model was compiled with",
                     {"contract", "fast"});
  std::vector<std::string> choices = {"auto"};
  for (int ppwi = 1; ppwi <= most_ppwi; ppwi *= 2) choices.push_back(std::to_string(ppwi));
  options.add_choice("ppwi", "poses per work item; auto is " + std::to_string(default_ppwi),
                     choices);
}

// Bytes of the deck and of the energies. Read once and written once, that is also a call's traffic.
std::int64_t memory_bytes(const Sizes& sizes) {
  return 16 * (sizes.protein + sizes.ligand + sizes.types) + (6 + 1) * 4 * sizes.poses;
}

void check_memory(const Sizes& sizes, const proxy::Device& device) {
  const std::int64_t needed = memory_bytes(sizes);
  if (device.memory_bytes > 0 && static_cast<std::uint64_t>(needed) > device.memory_bytes)
    throw proxy::UsageError(
        "--poses", std::to_string(sizes.poses),
        "a deck that fits in memory: this one needs " + std::to_string(needed) + " bytes",
        std::to_string(device.memory_bytes) + " bytes on " + device.name);
}

// As the public code counts: what a pair of atoms has in every pose is worked out once per ppwi.
std::int64_t flops(const Sizes& sizes, std::int64_t ppwi) {
  const std::int64_t item =
      28 * ppwi + sizes.ligand * (2 + 18 * ppwi + sizes.protein * (10 + 30 * ppwi));
  return static_cast<std::int64_t>(static_cast<double>(item) * static_cast<double>(sizes.poses) /
                                   static_cast<double>(ppwi));
}

// An energy below 1 is a difference of much larger numbers: there the tolerance is absolute.
void check(const std::vector<float>& energies, const std::vector<double>& expected,
           const std::string& name, const std::string& against, Report& report) {
  proxy::Comparison far(tolerance);
  proxy::Check near = {
      name + ".near_zero", "", 0, 0, tolerance, true,
  };
  std::int64_t near_count = 0;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    if (std::abs(expected[i]) >= 1) {
      far.add(energies[i], expected[i]);
      continue;
    }
    ++near_count;
    const double error = energies[i] - expected[i];
    if (std::abs(error) <= tolerance && std::abs(error) <= std::abs(near.actual)) continue;
    if (*near.passed) near.actual = error;  // the first failure is the one to show
    if (!(std::abs(error) <= tolerance)) near.passed = false;
  }
  near.what = "difference from " + against + " of the " + std::to_string(near_count) +
              " below 1; the tolerance is absolute";
  if (near_count > 0) report.verdict.checks.push_back(near);
  if (near_count < static_cast<std::int64_t>(energies.size()))
    report.verdict.checks.push_back(far.check(name, "every energy from 1 on against " + against));
}

Report run(const Options& options, const proxy::Device& device) {
  const Sizes sizes = {options.count("protein-atoms"), options.count("ligand-atoms"),
                       options.count("atom-types"), options.count("poses")};
  const std::string& asked = options.text("ppwi");
  const int ppwi = asked.empty() || asked == "auto" ? default_ppwi : std::stoi(asked);
  check_memory(sizes, device);
  const std::string source = options.text("deck");
  const HostDeck deck = source == "synthetic" ? synthetic_deck(sizes, options.count("seed"))
                                              : read_deck(source, sizes);
  const bool fast = options.text("math") == "fast";

  Report report;
  report.precision = "f32";
  report.more_flags = fast ? proxy::build::fast_math_flags : "";
  report.working_set_bytes = memory_bytes(sizes);
  report.iterations = options.count("iterations");
  report.warmup = options.count("warmup");
  const proxy::Timer timer;
  const auto model = (fast ? fast::make_model : contract::make_model)(
      device, deck.view(), ppwi, static_cast<int>(options.count("block")));
  model->clear();
  report.initialisation_seconds = timer.seconds();

  Kernel kernel;
  kernel.name = "dock";
  kernel.bytes = memory_bytes(sizes);
  kernel.flops = flops(sizes, ppwi);
  kernel.launch = model->launch();
  kernel.launch.per_item = ppwi;
  std::vector<float> first(sizes.poses), last(sizes.poses);
  const auto read = [&](std::vector<float>& energies) {
    const proxy::Timer timer;
    model->read(energies.data());
    report.device_to_host_seconds += timer.seconds();
  };
  const std::int64_t rounds = report.warmup + report.iterations;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const proxy::Timer timer;
    model->dock();
    (round < report.warmup ? kernel.warmup_samples : kernel.samples).push_back(timer.seconds());
    if (round > 0) continue;
    read(first);  // a call may leave something behind that makes the next one right
    if (rounds > 1) model->clear();
  }
  read(last);
  report.kernels.push_back(kernel);

  const bool given = !deck.energies.empty();
  const std::vector<double> expected = given ? deck.energies : reference_energies(deck.view());
  const std::string against =
      given ? "the deck's own energies" : "a serial code's in double precision";
  check(first, expected, "first_call", against, report);
  check(last, expected, "last_call", against, report);

  const double interactions = static_cast<double>(sizes.poses) * static_cast<double>(sizes.ligand) *
                              static_cast<double>(sizes.protein);
  report.foms.push_back({"interactions", interactions / kernel.median_seconds(),
                         interactions / kernel.best_seconds(), "1/s", "higher"});
  return report;
}

}  // namespace

int main(int argc, char** argv) { return proxy::run_program(argc, argv, declare, run); }
