// OpenACC names a device's kind and number; the driver's library knows the rest.
#include <openacc.h>

#include "../device.hpp"
#include "../error.hpp"
#include "build_info.hpp"

namespace proxy {

namespace {

const bool on_cpu = std::string(build::vendor) == "cpu";

acc_device_t kind() {
  if (on_cpu) return acc_device_host;
  return std::string(build::vendor) == "nvidia" ? acc_device_nvidia : acc_device_radeon;
}

}  // namespace

std::vector<Device> list_devices() {
  const std::string runtime = "OpenACC " + std::to_string(_OPENACC);
  if (on_cpu) return {host_device(runtime)};
  return gpu_devices(acc_get_num_devices(kind()), runtime);
}

void select_device(const Device& device) {
#if !defined(__NVCOMPILER)  // whose host code knows no other kind
  acc_set_device_type(kind());
#endif
  if (on_cpu) return;
  acc_set_device_num(device.index, kind());
  int on_host = 1;
#pragma acc parallel copyout(on_host)
  on_host = acc_on_device(acc_device_host);
  if (on_host) throw DeviceError("parallel regions run on the host instead of on " + device.name);
}

}  // namespace proxy
