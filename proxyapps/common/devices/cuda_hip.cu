// The devices of the CUDA or HIP runtime, or this machine's CPUs under HIP-CPU.
#include <cstdio>
#include <string>

#include "../cuda_hip.hpp"
#include "../device.hpp"

namespace proxy {

#if defined(__HIP_CPU_RT__)

std::vector<Device> list_devices() { return {host_device("HIP-CPU")}; }

#else

namespace {

#if defined(GPU_IS_CUDA)
std::string architecture(const gpuDeviceProp_t& properties) {
  return "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
}
bool get_uuid(int index, gpuUUID_t& id) {
  gpuDeviceProp_t properties;
  if (gpuGetDeviceProperties(&properties, index) != gpuSuccess) return false;
  id = properties.uuid;
  return true;
}
#else
std::string architecture(const gpuDeviceProp_t& properties) {
  const std::string name = properties.gcnArchName;  // gfx90a:sramecc+:xnack-
  return name.substr(0, name.find(':'));
}
bool get_uuid(int index, gpuUUID_t& id) { return hipDeviceGetUuid(&id, index) == hipSuccess; }
#endif

std::string uuid(int index) {
  gpuUUID_t id;
  if (!get_uuid(index, id)) return "";
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(id.bytes[i]));
    text += digits;
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

}  // namespace

std::vector<Device> list_devices() {
  int count = 0, driver = 0, runtime = 0;
  if (gpuGetDeviceCount(&count) != gpuSuccess) return {};  // no driver or no device
  gpu_check(gpuDriverGetVersion(&driver), "asking for the driver's version");
  gpu_check(gpuRuntimeGetVersion(&runtime), "asking for the runtime's version");
  std::vector<Device> devices;
  for (int index = 0; index < count; ++index) {
    gpuDeviceProp_t properties;
    gpu_check(gpuGetDeviceProperties(&properties, index), "asking for a device's properties");
    char pci[32] = "";
    gpu_check(gpuDeviceGetPCIBusId(pci, sizeof pci, index), "asking for a device's PCI id");
    Device device;
    device.index = index;
    device.vendor = GPU_VENDOR;
    device.name = properties.name;
    device.architecture = architecture(properties);
    device.uuid = uuid(index);
    device.pci = pci;
    device.driver = std::to_string(driver);
    device.runtime = GPU_RUNTIME " " + std::to_string(runtime);
    device.memory_bytes = properties.totalGlobalMem;
    device.multiprocessors = properties.multiProcessorCount;
    devices.push_back(device);
  }
  return devices;
}

#endif

void select_device(const Device& device) {
  gpu_check(gpuSetDevice(device.index), "selecting " + device.name);
}

}  // namespace proxy
