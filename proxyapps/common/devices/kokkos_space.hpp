#pragma once

#include <Kokkos_Core.hpp>

namespace proxy {

// Where kernels run: on a cpu the host's threads even if this Kokkos also has a device.
#if defined(PROXY_KOKKOS_HOST)
using KokkosSpace = Kokkos::DefaultHostExecutionSpace;
#else
using KokkosSpace = Kokkos::DefaultExecutionSpace;
#endif

}  // namespace proxy
