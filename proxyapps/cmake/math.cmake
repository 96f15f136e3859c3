# The rules for floating-point arithmetic, per compiler.
#
# contract  a*b+c may become one rounding, and nothing else may change; compilers that are looser by
#           default are told so. Neither errno nor the flags of exceptions are kept, which change no
#           result but keep loops from becoming vectors.
# fast      reordering, approximate division and square root, no NaN; these flags stand behind those
#           of contract
function(proxy_math_flags rule compiler_id out)
  if(rule STREQUAL "fast")
    set(flags -ffast-math)
    if(compiler_id STREQUAL "NVIDIA")
      set(flags -use_fast_math)
    elseif(compiler_id STREQUAL "NVHPC")
      set(flags -Knoieee -Mfprelaxed)
      if(PROXY_VENDOR STREQUAL "nvidia")
        list(APPEND flags -gpu=fastmath)
      endif()
    elseif(compiler_id STREQUAL "IntelLLVM")
      set(flags -fp-model=fast)
    endif()
    set(${out} ${flags} PARENT_SCOPE)
    return()
  elseif(NOT rule STREQUAL "contract")
    message(FATAL_ERROR "math rule ${rule} is unknown; there are: contract, fast")
  endif()
  if(compiler_id STREQUAL "NVIDIA")
    set(flags -fmad=true)
  elseif(compiler_id STREQUAL "NVHPC")
    set(flags -Kieee -Mfma)
  elseif(compiler_id STREQUAL "IntelLLVM")
    set(flags -fp-model=precise -ffp-contract=fast)
  elseif(compiler_id MATCHES "^(GNU|.*Clang)$")
    set(flags -fno-fast-math -fno-math-errno -fno-trapping-math -ffp-contract=fast)
  else()
    message(FATAL_ERROR "compiler ${compiler_id}: add its flags for contraction to cmake/math.cmake")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()
