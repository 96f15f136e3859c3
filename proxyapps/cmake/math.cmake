# The rule for floating-point arithmetic, per compiler: a*b+c may become one rounding (contraction),
# and nothing else may change. Compilers that are looser by default are told so.
#
# An app with a second problem under looser rules (miniBUDE with fast math) would get its flags here,
# as another value of `rule`, and add_proxy_app another executable.
function(proxy_math_flags rule compiler_id out)
  if(NOT rule STREQUAL "contract")
    message(FATAL_ERROR "math rule ${rule} is unknown; there is: contract")
  endif()
  if(compiler_id STREQUAL "NVIDIA")
    set(flags -fmad=true)
  elseif(compiler_id STREQUAL "NVHPC")
    set(flags -Kieee -Mfma)
  elseif(compiler_id STREQUAL "IntelLLVM")
    set(flags -fp-model=precise -ffp-contract=fast)
  elseif(compiler_id MATCHES "^(GNU|.*Clang)$")
    set(flags -fno-fast-math -ffp-contract=fast)
  else()
    message(FATAL_ERROR "compiler ${compiler_id}: add its flags for contraction to cmake/math.cmake")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()
