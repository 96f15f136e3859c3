// ELEMENT marks the arithmetic of one element (one cell, one lookup, one atom pair, one site),
// which every model of an app shares. OpenACC's routine directive is not allowed on members and
// breaks templates; forced inlining works everywhere.
#pragma once

#if defined(__CUDACC__) || defined(__HIP__)
#define ELEMENT __host__ __device__ inline
#elif defined(_OPENACC)
#define ELEMENT __attribute__((always_inline)) inline
#else
#define ELEMENT inline
#endif
