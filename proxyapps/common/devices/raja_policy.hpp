// RAJA's names for the target. On a device loops are queued, and the resource waits for them.
#pragma once

#include <RAJA/RAJA.hpp>
#include <cstdint>
#include <cstdlib>

#include "../host_memory.hpp"

namespace proxy {

#if defined(PROXY_RAJA_CUDA)
constexpr bool raja_on_device = true;
using RajaResource = RAJA::resources::Cuda;
using RajaReduce = RAJA::cuda_reduce;
template <int block>
using RajaPolicy = RAJA::cuda_exec_async<block>;
#elif defined(PROXY_RAJA_HIP)
constexpr bool raja_on_device = true;
using RajaResource = RAJA::resources::Hip;
using RajaReduce = RAJA::hip_reduce;
template <int block>
using RajaPolicy = RAJA::hip_exec_async<block>;
#elif defined(PROXY_RAJA_OPENMP)
constexpr bool raja_on_device = false;
using RajaResource = RAJA::resources::Host;
using RajaReduce = RAJA::omp_reduce;
template <int block>
using RajaPolicy = RAJA::omp_parallel_for_exec;
#endif

// Memory for n elements where the loops run. The host's resource aligns to 16 bytes only, which
// splits every second access of a wide vector unit over two cache lines.
template <class T>
T* raja_allocate(RajaResource resource, std::int64_t n) {
  if constexpr (raja_on_device)
    return resource.template allocate<T>(n);
  else
    return untouched<T>(n);
}

template <class T>
void raja_free(RajaResource resource, T* memory) {
  if constexpr (raja_on_device)
    resource.deallocate(memory);
  else
    std::free(memory);
}

}  // namespace proxy
