#pragma once

#include <sycl/sycl.hpp>

#include "../device.hpp"

namespace proxy {

// The SYCL device that list_devices() described.
sycl::device sycl_device(const Device& device);

}  // namespace proxy
