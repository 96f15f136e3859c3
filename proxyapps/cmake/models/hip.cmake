# HIP: AMD's counterpart of CUDA, from the same source; on a CPU it runs on HIP-CPU
# native-on: amd
#
# amd: clang++ or amdclang++ (CMAKE_CXX_COMPILER), ROCM_PATH where ROCm is not in /opt/rocm or /usr.
# cpu: HIP_CPU_ROOT and TBB.
macro(model_choose_compiler)
  if(PROXY_VENDOR STREQUAL "amd")
    find_program(hip_clang NAMES amdclang++ clang++ HINTS ${ROCM_PATH} $ENV{ROCM_PATH} /opt/rocm
                 PATH_SUFFIXES bin llvm/bin NO_CACHE)
    if(hip_clang)
      proxy_suggest_compiler(${hip_clang})
    endif()
  endif()
endmacro()

macro(model_setup)
  if(PROXY_VENDOR STREQUAL "cpu")
    include(hip_cpu)
    hip_cpu_setup()
  elseif(PROXY_VENDOR STREQUAL "amd")
    include(hip_language)
    hip_language_setup()
  else()
    proxy_cannot("HIP compiles for amd only here; use the model cuda for nvidia (it is the same source)")
  endif()
endmacro()
