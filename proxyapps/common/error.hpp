// The errors that a program turns into an exit status (see program.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace proxy {

// What the user asked for makes no sense: exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
  UsageError(const std::string& option, const std::string& got, const std::string& expected,
             const std::string& limit = "")
      : std::runtime_error(option + ": got " + got + ", expected " + expected +
                           (limit.empty() ? "" : ", limit " + limit)) {}
};

// The device or its memory does not do what it must: exit status 3.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace proxy
