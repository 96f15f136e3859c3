#include "program.hpp"

#include <exception>
#include <iostream>
#include <new>

#include "build_info.hpp"
#include "json.hpp"

namespace proxy {

namespace {

int show_devices(const std::string& json_path) {
  const auto devices = list_devices();
  if (!json_path.empty()) {
    Json json;
    json.begin_object().key("devices").begin_array();
    for (const auto& device : devices) write_device(json, device);
    json.end_array().end_object();
    write_file(json_path, json.text());
  } else {
    for (const auto& device : devices)
      std::cout << device.index << ": " << device.name << " (" << device.vendor << ' '
                << device.architecture << ", " << device.memory_bytes / 1'000'000'000.0 << " GB"
                << (device.uuid.empty() ? "" : ", " + device.uuid) << ")\n";
  }
  if (devices.empty())
    throw DeviceError("no device found for target " + std::string(build::target));
  return 0;
}

Device chosen_device(std::int64_t index) {
  const auto devices = list_devices();
  if (devices.empty())
    throw DeviceError(
        "no device found for target " + std::string(build::target) +
        "; is the driver there, and does a mask such as CUDA_VISIBLE_DEVICES hide it?");
  const auto count = static_cast<std::int64_t>(devices.size());
  if (index >= count)
    throw UsageError("--device", std::to_string(index), "the index of a device",
                     "0 to " + std::to_string(count - 1));
  select_device(devices[index]);
  return devices[index];
}

int run_checked(int argc, char** argv, Options& options, void (*declare)(Options&),
                Report (*run)(const Options&, const Device&)) {
  declare(options);
  options.parse(argc, argv);
  if (options.flag("help")) {
    std::cout << options.usage();
    return 0;
  }
  const std::string json_path = options.text("json");
  if (!json_path.empty()) check_writable(json_path);
  if (options.flag("list-devices")) return show_devices(json_path);

  const Device device = chosen_device(options.count("device"));
  const Report report = run(options, device);
  // with "--json -" standard output holds one JSON document and nothing else
  (json_path == "-" ? std::cerr : std::cout)
      << to_text(report, options, device, options.flag("profile")) << std::flush;
  if (!json_path.empty()) write_file(json_path, to_json(report, options, device));
  return report.verdict.status() == "ok" ? 0 : 1;
}

}  // namespace

int run_program(int argc, char** argv, void (*declare)(Options&),
                Report (*run)(const Options&, const Device&)) {
  std::string program = app_info().name;
  const auto failed = [&](int status, const std::string& why) {
    std::cerr << program << ": " << why << std::endl;
    return status;
  };
  try {
    Options options(app_info());
    program = options.program();
    return run_checked(argc, argv, options, declare, run);
  } catch (const UsageError& error) {
    return failed(2, error.what());
  } catch (const std::bad_alloc&) {
    return failed(3, "out of memory");
  } catch (const std::exception& error) {
    return failed(3, error.what());
  } catch (...) {
    return failed(3, "an error of unknown kind");
  }
}

}  // namespace proxy
