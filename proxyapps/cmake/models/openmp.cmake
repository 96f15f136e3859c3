# OpenMP: directives for loops, on the host's threads or in target regions on a device
# native-on: cpu
#
# Compilers: gcc, clang, nvc++, icpx, ROCm's amdclang++ (CMAKE_CXX_COMPILER). clang finds CUDA in
# CUDAToolkit_ROOT or CUDA_HOME, and ROCm in ROCM_PATH.
option(PROXY_OPENMP_TARGET "On target cpu: run the target regions on the host instead of host loops" OFF)

macro(model_choose_compiler)
endmacro()

macro(model_setup)
  set(id ${CMAKE_CXX_COMPILER_ID})
  set(arch ${PROXY_ARCHITECTURE})
  set(flags "")
  if(PROXY_VENDOR STREQUAL "cpu")
    if(id STREQUAL "GNU")
      set(flags -fopenmp -foffload=disable)
    elseif(id STREQUAL "NVHPC")
      set(flags -mp=multicore)
    elseif(id STREQUAL "IntelLLVM")
      set(flags -fiopenmp)
    else()
      set(flags -fopenmp)
    endif()
  elseif(id STREQUAL "GNU")
    include(gcc_offload)
    gcc_offload_flags(flags link_flags)
    list(PREPEND flags -fopenmp)
  elseif(id STREQUAL "NVHPC" AND PROXY_VENDOR STREQUAL "nvidia")
    string(REPLACE "sm_" "cc" cc ${arch})
    set(flags -mp=gpu -gpu=${cc})
  elseif(id STREQUAL "IntelLLVM" AND PROXY_VENDOR STREQUAL "intel")
    set(flags -fiopenmp -fopenmp-targets=spir64)
  elseif(id MATCHES "Clang" AND PROXY_VENDOR MATCHES "nvidia|amd")
    set(flags -fopenmp --offload-arch=${arch})
    include(clang_offload)
    clang_offload_flags(more)
    clang_openmp_offload_flags(openmp_flags link_flags)
    list(APPEND flags ${more} ${openmp_flags})
  else()
    proxy_cannot("${id} cannot compile for it; set CMAKE_CXX_COMPILER to clang++, g++, nvc++ (nvidia), "
                 "amdclang++ (amd) or icpx (intel)")
  endif()

  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fopenmp")
  if(id STREQUAL "NVHPC")
    set(CMAKE_REQUIRED_FLAGS "-mp")
  endif()
  check_cxx_source_compiles("#include <omp.h>
    int main() { return omp_get_max_threads() > 0 ? 0 : 1; }" PROXY_HAVE_OPENMP)
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT PROXY_HAVE_OPENMP)
    proxy_cannot("${CMAKE_CXX_COMPILER} does not compile and link OpenMP; install its runtime "
                 "(libomp-dev for clang), or set CMAKE_CXX_COMPILER to g++")
  endif()

  list(APPEND MODEL_FLAGS ${flags})
  set(MODEL_LINK_FLAGS ${flags} ${link_flags})
  if(PROXY_OPENMP_TARGET OR NOT PROXY_VENDOR STREQUAL "cpu")
    set(MODEL_DEFINITIONS PROXY_OPENMP_TARGET)
  endif()
endmacro()
