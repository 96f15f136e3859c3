# SYCL: Khronos' C++ of queues and kernels, of AdaptiveCpp or of Intel's DPC++
# native-on: intel
#
# AdaptiveCpp: ACPP_ROOT (its bin/acpp becomes the C++ compiler unless one was named), or acpp as
# CMAKE_CXX_COMPILER. DPC++: icpx or clang++ as CMAKE_CXX_COMPILER.
set(PROXY_ACPP_CPU omp.accelerated CACHE STRING "AdaptiveCpp's flow on target cpu: omp.accelerated or generic")

macro(model_choose_compiler)
  proxy_root(ACPP_ROOT root)
  find_program(acpp NAMES acpp syclcc HINTS ${root} PATH_SUFFIXES bin NO_CACHE)
  if(acpp)
    proxy_suggest_compiler(${acpp})
  endif()
endmacro()

macro(model_setup)
  get_filename_component(compiler ${CMAKE_CXX_COMPILER} NAME)
  if(compiler MATCHES "^(acpp|syclcc)")
    set(acpp_target_cpu ${PROXY_ACPP_CPU})
    set(acpp_target_nvidia cuda:${PROXY_ARCHITECTURE})
    set(acpp_target_amd hip:${PROXY_ARCHITECTURE})
    set(acpp_target_intel generic)
    set(flags --acpp-targets=${acpp_target_${PROXY_VENDOR}})
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} --version OUTPUT_VARIABLE version ERROR_QUIET)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+[^ \n]*" version "${version}")
    set(MODEL_COMPILER "acpp (${MODEL_COMPILER} ${MODEL_COMPILER_VERSION})")
    set(MODEL_COMPILER_VERSION "${version}")
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "IntelLLVM|Clang")
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-fsycl PROXY_HAVE_FSYCL)
    if(NOT PROXY_HAVE_FSYCL)
      proxy_cannot("${CMAKE_CXX_COMPILER} is no SYCL compiler; set ACPP_ROOT, or CMAKE_CXX_COMPILER to acpp or icpx")
    endif()
    set(dpcpp_cpu -fsycl -fsycl-targets=spir64_x86_64)
    set(dpcpp_nvidia -fsycl -fsycl-targets=nvptx64-nvidia-cuda -Xsycl-target-backend=nvptx64-nvidia-cuda
                     --cuda-gpu-arch=${PROXY_ARCHITECTURE})
    set(dpcpp_amd -fsycl -fsycl-targets=amdgcn-amd-amdhsa -Xsycl-target-backend=amdgcn-amd-amdhsa
                  --offload-arch=${PROXY_ARCHITECTURE})
    set(dpcpp_intel -fsycl -fsycl-targets=intel_gpu_${PROXY_ARCHITECTURE})
    set(flags ${dpcpp_${PROXY_VENDOR}})
  else()
    proxy_cannot("no SYCL compiler; set ACPP_ROOT to an installation of AdaptiveCpp, or CMAKE_CXX_COMPILER to icpx")
  endif()
  list(APPEND MODEL_FLAGS ${flags})
  set(MODEL_LINK_FLAGS ${flags})
endmacro()
