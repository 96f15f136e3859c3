// The frame of every app's main(): options, devices, errors, output, exit status.
#pragma once

#include "device.hpp"
#include "error.hpp"
#include "options.hpp"
#include "report.hpp"

namespace proxy {

// `declare` adds the app's own options; `run` does the work on the selected device.
// Returns the exit status: 0 only if the answer was verified, 1 if it is wrong or could not be
// checked, 2 for bad usage, 3 for trouble with the device or its memory.
int run_program(int argc, char** argv, void (*declare)(Options&),
                Report (*run)(const Options&, const Device&));

}  // namespace proxy
