// Thin aliases for what CUDA and HIP call by two names, so that one source serves both. Launches go
// through LAUNCH, because HIP on a CPU (HIP-CPU) is plain C++ and has no <<< >>>.
#pragma once

#include <string>

#include "error.hpp"

#if defined(__NVCC__) || (defined(__clang__) && defined(__CUDA__) && !defined(__HIP__))

#include <cuda_runtime.h>
#define GPU_IS_CUDA
#define GPU_VENDOR "nvidia"
#define GPU_RUNTIME "CUDA"
#define LAUNCH(kernel, grid, block, shared_bytes, ...) \
  kernel<<<dim3(grid), dim3(block), shared_bytes>>>(__VA_ARGS__)
#define gpuDeviceGetPCIBusId cudaDeviceGetPCIBusId
#define gpuDeviceProp_t cudaDeviceProp
#define gpuDeviceSynchronize cudaDeviceSynchronize
#define gpuDriverGetVersion cudaDriverGetVersion
#define gpuError_t cudaError_t
#define gpuFree cudaFree
#define gpuFreeHost cudaFreeHost
#define gpuGetDeviceCount cudaGetDeviceCount
#define gpuGetDeviceProperties cudaGetDeviceProperties
#define gpuGetErrorString cudaGetErrorString
#define gpuGetLastError cudaGetLastError
#define gpuMalloc cudaMalloc
#define gpuMallocHost cudaMallocHost
#define gpuMemcpy cudaMemcpy
#define gpuMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define gpuMemcpyHostToDevice cudaMemcpyHostToDevice
#define gpuMemset cudaMemset
#define gpuRuntimeGetVersion cudaRuntimeGetVersion
#define gpuSetDevice cudaSetDevice
#define gpuSuccess cudaSuccess
#define gpuUUID_t cudaUUID_t

#else

#include <hip/hip_runtime.h>
#define GPU_VENDOR "amd"
#define GPU_RUNTIME "HIP"
#define LAUNCH(kernel, grid, block, shared_bytes, ...) \
  hipLaunchKernelGGL((kernel), dim3(grid), dim3(block), shared_bytes, 0, __VA_ARGS__)
#define gpuDeviceGetPCIBusId hipDeviceGetPCIBusId
#define gpuDeviceProp_t hipDeviceProp_t
#define gpuDeviceSynchronize hipDeviceSynchronize
#define gpuDriverGetVersion hipDriverGetVersion
#define gpuError_t hipError_t
#define gpuFree hipFree
#define gpuFreeHost hipHostFree
#define gpuGetDeviceCount hipGetDeviceCount
#define gpuGetDeviceProperties hipGetDeviceProperties
#define gpuGetErrorString hipGetErrorString
#define gpuGetLastError hipGetLastError
#define gpuMalloc hipMalloc
#define gpuMallocHost hipHostMalloc
#define gpuMemcpy hipMemcpy
#define gpuMemcpyDeviceToHost hipMemcpyDeviceToHost
#define gpuMemcpyHostToDevice hipMemcpyHostToDevice
#define gpuMemset hipMemset
#define gpuRuntimeGetVersion hipRuntimeGetVersion
#define gpuSetDevice hipSetDevice
#define gpuSuccess hipSuccess
#define gpuUUID_t hipUUID

#endif

namespace proxy {

// Turns an error of the runtime into an exception that says what was being done.
inline void gpu_check(gpuError_t error, const std::string& doing) {
  if (error != gpuSuccess) throw DeviceError(doing + ": " + gpuGetErrorString(error));
}

// Device memory for n elements.
template <class T>
T* gpu_allocate(std::size_t n) {
  void* memory = nullptr;
  gpu_check(gpuMalloc(&memory, n * sizeof(T)),
            "allocating " + std::to_string(n * sizeof(T)) + " bytes on the device");
  return static_cast<T*>(memory);
}

}  // namespace proxy
