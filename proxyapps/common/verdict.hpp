// Did the answer check out?
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace proxy {

struct Check {
  std::string name;
  std::string what;  // what was compared with what, in words
  double expected = 0;
  double actual = 0;
  double tolerance = 0;        // relative to `expected` unless `what` says otherwise
  std::optional<bool> passed;  // empty: this could not be checked
};

struct Verdict {
  std::vector<Check> checks;
  // "wrong" if a check failed, else "not_checked" if one could not be made (or none was), else "ok"
  std::string status() const;
};

// Compares many numbers with what they should be, and keeps the worst.
class Comparison {
 public:
  explicit Comparison(double relative_tolerance) : tolerance_(relative_tolerance) {}

  void add(double actual, double expected) {
    // in this order an actual value that is NaN or infinite fails
    const double error = std::abs(actual - expected);
    const bool good = error <= tolerance_ * std::abs(expected);
    const double scaled = good ? error / std::max(std::abs(expected), smallest_)
                               : std::numeric_limits<double>::infinity();
    if (!good && failed_++ == 0) worst_ = -1;  // the first failure is the one to show
    if (scaled > worst_) {
      worst_ = scaled;
      actual_ = actual;
      expected_ = expected;
      worst_at_ = count_;
    }
    ++count_;
  }

  // `what` says what was compared; how many and where is added.
  Check check(const std::string& name, const std::string& what) const;

 private:
  static constexpr double smallest_ = std::numeric_limits<double>::min();
  double tolerance_;
  double worst_ = -1;
  double actual_ = std::numeric_limits<double>::quiet_NaN();
  double expected_ = std::numeric_limits<double>::quiet_NaN();
  std::int64_t count_ = 0;
  std::int64_t failed_ = 0;
  std::int64_t worst_at_ = 0;
};

}  // namespace proxy
