// The SYCL devices of the target's vendor, in SYCL's order.
#include "sycl_device.hpp"

#include "build_info.hpp"

namespace proxy {

namespace {

std::vector<sycl::device> of_target() {
  const std::string vendor = build::vendor;
  std::vector<sycl::device> found;
  for (const auto& device : sycl::device::get_devices()) {
    const std::string made_by = device.get_info<sycl::info::device::vendor>();
    const bool fits = vendor == "cpu"      ? device.is_cpu()
                      : vendor == "nvidia" ? made_by.find("NVIDIA") != std::string::npos
                      : vendor == "amd"    ? made_by.find("AMD") != std::string::npos ||
                                              made_by.find("Advanced Micro") != std::string::npos
                                        : made_by.find("Intel") != std::string::npos;
    if (fits && (vendor == "cpu" || device.is_gpu())) found.push_back(device);
  }
  if (vendor == "cpu" && found.size() > 1)
    found.resize(1);  // one CPU, however many runtimes see it
  return found;
}

}  // namespace

std::vector<Device> list_devices() {
  const auto found = of_target();
  if (found.empty()) return {};
  const std::string runtime = "SYCL, " +
                              found[0].get_platform().get_info<sycl::info::platform::name>() + " " +
                              found[0].get_platform().get_info<sycl::info::platform::version>();
  if (std::string(build::vendor) == "cpu") return {host_device(runtime)};
  auto devices = gpu_devices(static_cast<int>(found.size()), runtime);
  for (auto& device : devices) {
    const auto& sycl = found[device.index];
    device.name = sycl.get_info<sycl::info::device::name>();
    device.memory_bytes = sycl.get_info<sycl::info::device::global_mem_size>();
    if (device.driver.empty()) device.driver = sycl.get_info<sycl::info::device::driver_version>();
  }
  return devices;
}

sycl::device sycl_device(const Device& device) { return of_target().at(device.index); }

void select_device(const Device&) {}  // a queue is made for its device

}  // namespace proxy
