// The device an app runs on: which one it is, and how a model's runtime is told to use it. Exactly
// one file in devices/ is linked, the one of the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proxy {

// Empty strings and zeros mean "not known here".
struct Device {
  int index = 0;
  std::string vendor;        // nvidia, amd, intel or cpu
  std::string name;          // as the vendor writes it
  std::string architecture;  // sm_80, gfx90a, x86_64
  std::string uuid;
  std::string pci;
  std::string driver;
  std::string runtime;
  std::uint64_t memory_bytes = 0;  // of the device; on a CPU what this process may still take
  std::int64_t multiprocessors = 0;
  std::int64_t threads = 0;  // hardware threads that this process may use (CPU only)
};

// How a kernel was launched; zero where the model does not say.
struct Launch {
  std::int64_t block = 0;
  std::int64_t grid = 0;
  std::int64_t per_item = 0;  // elements that one work item handles, where the user may choose
};

std::vector<Device> list_devices();
void select_device(const Device& device);

// This machine's CPUs as one device.
Device host_device(const std::string& runtime);

// The target's GPUs as their driver's own library names them, for models whose runtime cannot: same
// order and same masks (CUDA_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES) as in the vendor's runtime. At
// most `count` of them; a device that the driver does not name is listed by its index alone.
std::vector<Device> gpu_devices(int count, const std::string& runtime);

}  // namespace proxy
