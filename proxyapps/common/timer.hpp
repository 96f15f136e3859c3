#pragma once

#include <chrono>

namespace proxy {

// Seconds on the host's monotonic clock since construction. Whatever is timed must have waited for
// its device before seconds() is read.
class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace proxy
