// This machine's CPUs, seen as one device.
#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "../device.hpp"

namespace proxy {

namespace {

// The text behind "<label> :" in a file like /proc/cpuinfo.
std::string field(const std::string& path, const std::string& label) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, label.size(), label) != 0) continue;
    const auto colon = line.find(':');
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    if (colon != std::string::npos && begin != std::string::npos) return line.substr(begin);
  }
  return "";
}

std::uint64_t number_in(const std::string& path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : otherwise;
}

// What this process may still take, with the limit of its control group if there is one.
std::uint64_t available_memory() {
  std::uint64_t kibibytes = 0;
  std::istringstream(field("/proc/meminfo", "MemAvailable")) >> kibibytes;
  const std::string group = "/sys/fs/cgroup/memory";
  const std::uint64_t limit = number_in(group + ".max", UINT64_MAX);
  const std::uint64_t used = number_in(group + ".current", 0);
  return std::min(kibibytes * 1024, limit > used ? limit - used : 0);
}

}  // namespace

Device host_device(const std::string& runtime) {
  utsname system{};
  uname(&system);
  Device device;
  device.vendor = "cpu";
  device.name = field("/proc/cpuinfo", "model name");
  device.architecture = system.machine;
  if (device.name.empty()) device.name = device.architecture;
  device.driver = std::string(system.sysname) + " " + system.release;
  device.runtime = runtime;
  device.memory_bytes = available_memory();
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) device.threads = CPU_COUNT(&allowed);
  return device;
}

}  // namespace proxy
