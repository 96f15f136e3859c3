// Kokkos is told its device when it is initialised, once per process.
#include <Kokkos_Core.hpp>
#include <cstdlib>

#include "../device.hpp"
#include "build_info.hpp"
#include "kokkos_space.hpp"
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#include "../cuda_hip.hpp"
#endif

namespace proxy {

namespace {

// Kokkos' own count ends the program where there is no device.
[[maybe_unused]] int count_devices() {
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  int count = 0;
  return gpuGetDeviceCount(&count) == gpuSuccess ? count : 0;
#else
  return Kokkos::num_devices();
#endif
}

}  // namespace

std::vector<Device> list_devices() {
  const std::string runtime = std::string("Kokkos ") + std::to_string(KOKKOS_VERSION / 10000) +
                              "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                              std::to_string(KOKKOS_VERSION % 100) + " (" + KokkosSpace::name() +
                              ")";
#if defined(PROXY_KOKKOS_HOST)
  return {host_device(runtime)};
#else
  return gpu_devices(count_devices(), runtime);
#endif
}

void select_device(const Device& device) {
  auto settings = Kokkos::InitializationSettings().set_disable_warnings(true);
#if !defined(PROXY_KOKKOS_HOST)
  settings.set_device_id(device.index);
#else
  (void)device;
#endif
  Kokkos::initialize(settings);
  std::atexit(Kokkos::finalize);
}

}  // namespace proxy
