# CUDA: NVIDIA's language of kernels and thread blocks; on a CPU the same source runs on HIP-CPU
# native-on: nvidia
#
# nvidia: nvcc or clang++ as CMAKE_CUDA_COMPILER, found as CMake's CUDA language does; clang++ takes
# its headers from CUDAToolkit_ROOT. cpu: HIP_CPU_ROOT and TBB.
macro(model_choose_compiler)
endmacro()

macro(model_setup)
  if(PROXY_VENDOR STREQUAL "cpu")
    include(hip_cpu)
    hip_cpu_setup()
  elseif(PROXY_VENDOR STREQUAL "nvidia")
    include(cuda_language)
    cuda_language_setup()
  else()
    proxy_cannot("CUDA compiles for nvidia only; use the model hip for amd")
  endif()
endmacro()
