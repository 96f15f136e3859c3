// OpenMP cannot say which device it uses; the driver's library can.
#include <omp.h>

#include "../device.hpp"
#include "../error.hpp"
#include "build_info.hpp"

namespace proxy {

namespace {

const bool on_cpu = std::string(build::vendor) == "cpu";

}  // namespace

std::vector<Device> list_devices() {
  const std::string runtime = "OpenMP " + std::to_string(_OPENMP);
  if (on_cpu) return {host_device(runtime)};
  return gpu_devices(omp_get_num_devices(), runtime);
}

void select_device(const Device& device) {
#if defined(PROXY_OPENMP_TARGET)
  if (on_cpu) return omp_set_default_device(omp_get_initial_device());
  omp_set_default_device(device.index);
  int on_host = 1;
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  if (on_host) throw DeviceError("target regions run on the host instead of on " + device.name);
#else
  (void)device;
#endif
}

}  // namespace proxy
