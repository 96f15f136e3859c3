// Vector kernels on three arrays a, b, c of n elements; s is the scalar.
//
//   copy     c = a            mul      b = s c          add      c = a + b
//   triad    a = b + s c      dot      sum of a b       nstream  a = a + b + s c
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/device.hpp"
#include "common/element.hpp"

namespace babelstream {

constexpr double scalar = 0.4;

// Values at the start depend on the index with a prime period, so that no element can stand in for
// its neighbour, or for one a block or a power of two away. The weights are exact in either
// precision.
constexpr std::int64_t period = 1021;

template <class T>
ELEMENT T weight(std::int64_t i) {
  return T(1) + T(i % period) / T(1024);
}
template <class T>
ELEMENT T initial_a(std::int64_t i) {
  return T(0.1) * weight<T>(i);
}
template <class T>
ELEMENT T initial_b(std::int64_t i) {
  return T(0.2) * weight<T>(i);
}
template <class T>
ELEMENT T initial_c(std::int64_t) {
  return T(0);
}

template <class T>
ELEMENT T copy(T a) {
  return a;
}
template <class T>
ELEMENT T mul(T c, T s) {
  return s * c;
}
template <class T>
ELEMENT T add(T a, T b) {
  return a + b;
}
template <class T>
ELEMENT T triad(T b, T c, T s) {
  return b + s * c;
}
template <class T>
ELEMENT T nstream(T a, T b, T c, T s) {
  return a + b + s * c;
}
template <class T>
ELEMENT T product(T a, T b) {
  return a * b;
}

enum class Array { a, b, c };

// What a model must provide. It owns the arrays on its device. fill() and dot() return when the
// device is done; the other kernels may return earlier, and wait() returns when all of them are
// done.
template <class T>
struct Model {
  virtual ~Model() = default;
  virtual void fill() = 0;  // the values at the start, computed on the device
  virtual void copy() = 0;
  virtual void mul(T s) = 0;
  virtual void add() = 0;
  virtual void triad(T s) = 0;
  virtual void nstream(T s) = 0;
  virtual T dot() = 0;
  virtual void wait() = 0;
  // Copies elements begin .. begin + count - 1 to the host.
  virtual void read(Array array, std::int64_t begin, std::int64_t count, T* host) = 0;
  // How kernels are launched, where the model decides or knows.
  virtual proxy::Launch launch(const std::string& kernel) const {
    (void)kernel;
    return {};
  }
};

// n elements on the device; work-groups of `block` where the model has them.
template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device& device, std::int64_t n, int block);

}  // namespace babelstream
