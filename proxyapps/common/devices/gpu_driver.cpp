// GPUs as their driver's library names them. NVIDIA's and AMD's differ in the names of the
// functions alone; the library is opened at run time, so that nothing needs it to build or to
// start.
#include <dlfcn.h>

#include <cstdio>

#include "../device.hpp"
#include "build_info.hpp"

namespace proxy {

namespace {

struct Names {
  const char *library, *init, *count, *name, *pci, *uuid, *memory, *version;
};
constexpr Names nvidia = {"libcuda.so.1",        "cuInit",
                          "cuDeviceGetCount",    "cuDeviceGetName",
                          "cuDeviceGetPCIBusId", "cuDeviceGetUuid_v2",
                          "cuDeviceTotalMem_v2", "cuDriverGetVersion"};
constexpr Names amd = {
    "libamdhip64.so",       "hipInit",          "hipGetDeviceCount", "hipDeviceGetName",
    "hipDeviceGetPCIBusId", "hipDeviceGetUuid", "hipDeviceTotalMem", "hipDriverGetVersion"};

class Driver {
 public:
  explicit Driver(const Names& names) : names_(names) {
    library_ = dlopen(names.library, RTLD_NOW | RTLD_LOCAL);
    if (library_ && call(names.init, 0U)) call(names.count, &count_);
  }

  int count() const { return count_; }

  std::string version() const {
    int number = 0;
    return call(names_.version, &number) ? std::to_string(number) : "";
  }

  void describe(Device& device) const {
    char text[256] = "";
    unsigned char uuid[16] = {};
    std::size_t bytes = 0;
    const int index = device.index;
    if (call(names_.name, text, int{sizeof text}, index)) device.name = text;
    if (call(names_.pci, text, int{sizeof text}, index)) device.pci = text;
    if (call(names_.uuid, uuid, index)) device.uuid = written(uuid);
    if (call(names_.memory, &bytes, index)) device.memory_bytes = bytes;
    constexpr int multiprocessors = 16, major = 75, minor = 76;  // CUdevice_attribute
    int value = 0, second = 0;
    if (!call("cuDeviceGetAttribute", &value, multiprocessors, index)) return;
    device.multiprocessors = value;
    if (call("cuDeviceGetAttribute", &value, major, index) &&
        call("cuDeviceGetAttribute", &second, minor, index))
      device.architecture = "sm_" + std::to_string(value) + std::to_string(second);
  }

 private:
  // False if the function is missing or failed.
  template <class... Arguments>
  bool call(const char* function, Arguments... arguments) const {
    if (!library_) return false;
    const auto address = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, function));
    return address && address(arguments...) == 0;
  }

  static std::string written(const unsigned char (&uuid)[16]) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", uuid[i]);
      text += digits;
      if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
    }
    return text;
  }

  const Names& names_;
  void* library_ = nullptr;
  int count_ = 0;
};

}  // namespace

std::vector<Device> gpu_devices(int count, const std::string& runtime) {
  const std::string vendor = build::vendor;
  const Driver driver(vendor == "amd" ? amd : nvidia);
  std::vector<Device> devices;
  for (int index = 0; index < count; ++index) {
    Device device;
    device.index = index;
    device.vendor = vendor;
    device.name = vendor + " device " + std::to_string(index);
    device.architecture = build::architecture;  // unless the driver says what it really is
    device.driver = driver.version();
    device.runtime = runtime;
    if (index < driver.count() && vendor != "intel") driver.describe(device);
    devices.push_back(device);
  }
  return devices;
}

}  // namespace proxy
