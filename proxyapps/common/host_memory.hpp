#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace proxy {

// Host memory for n elements that nothing has touched yet, so that the threads which work on a page
// can be the first to do so. Aligned to huge pages; released with std::free. Throws std::bad_alloc.
template <class T>
T* untouched(std::int64_t n) {
  constexpr std::size_t huge_page = 2 * 1024 * 1024;
  const std::size_t bytes = (n * sizeof(T) + huge_page - 1) / huge_page * huge_page;
  if (void* memory = std::aligned_alloc(huge_page, bytes)) return static_cast<T*>(memory);
  throw std::bad_alloc();
}

}  // namespace proxy
