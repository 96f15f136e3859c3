#include <RAJA/RAJA.hpp>

#include "../device.hpp"
#include "../error.hpp"
#include "build_info.hpp"

#if defined(PROXY_RAJA_CUDA) || defined(PROXY_RAJA_HIP)
#include "../cuda_hip.hpp"
#endif

namespace proxy {

std::vector<Device> list_devices() {
  const std::string runtime = "RAJA " + std::to_string(RAJA_VERSION_MAJOR) + "." +
                              std::to_string(RAJA_VERSION_MINOR) + "." +
                              std::to_string(RAJA_VERSION_PATCHLEVEL);
#if defined(PROXY_RAJA_CUDA) || defined(PROXY_RAJA_HIP)
  int count = 0;
  return gpu_devices(gpuGetDeviceCount(&count) == gpuSuccess ? count : 0, runtime);
#else
  return {host_device(runtime + " (OpenMP)")};
#endif
}

// RAJA uses whichever device is current in the vendor's runtime.
void select_device(const Device& device) {
#if defined(PROXY_RAJA_CUDA) || defined(PROXY_RAJA_HIP)
  gpu_check(gpuSetDevice(device.index), "selecting " + device.name);
#else
  (void)device;
#endif
}

}  // namespace proxy
