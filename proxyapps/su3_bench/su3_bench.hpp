// Products of SU(3) matrices on a lattice of length^4 sites. Each site holds one link, a 3x3
// complex matrix, per direction j; all links of one direction are multiplied by the same matrix:
//
//   c[i].link[j] = a[i].link[j] b[j]        for every site i and direction j = 0..3,
//   c_kl = sum over m = 0..2 of a_km b_ml   for each of the nine elements of a link.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "common/device.hpp"
#include "common/element.hpp"
#include "common/fault.hpp"

namespace su3_bench {

// As aligned as it is large, so that a device moves a number with one instruction.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

template <class T>
struct Matrix {
  Complex<T> e[3][3];
};

// What a lattice code keeps per site, of which the kernel touches the links alone: 9/10 of the
// bytes.
template <class T>
struct Site {
  Matrix<T> link[4];
  std::int32_t x, y, z, t;
  std::int64_t index;
  std::int8_t parity;
  std::int8_t padding[8 * sizeof(T) - 25];
};
static_assert(sizeof(Site<double>) == 640 && sizeof(Site<float>) == 320);

constexpr int elements_per_site = 4 * 3 * 3;
constexpr std::int8_t odd = 1, even = 2;

// sum + x y
template <class T>
ELEMENT Complex<T> multiply_add(Complex<T> x, Complex<T> y, Complex<T> sum) {
  return {sum.re + x.re * y.re - x.im * y.im, sum.im + x.re * y.im + x.im * y.re};
}

// Element (k, l) of the product a b.
template <class T>
ELEMENT Complex<T> row_times_column(const Matrix<T>& a, const Matrix<T>& b, int k, int l) {
  Complex<T> sum = {0, 0};
  for (int m = 0; m < 3; ++m) sum = multiply_add(a.e[k][m], b.e[m][l], sum);
  return sum;
}

// Values at the start: a hash of where an element is, so that none can stand in for another, or the
// public code's constants a = 1 and b = 1/3, whose product is 1 everywhere.
enum class Input { hashed, constant };

// A number in [-1, 1), exact in either precision: the finaliser of the generator SplitMix64.
template <class T>
ELEMENT T hashed(std::uint64_t key) {
  key = (key + 1) * 0x9e3779b97f4a7c15;
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
  key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
  key ^= key >> 31;
  constexpr int bits = std::numeric_limits<T>::digits;
  constexpr std::int64_t one = std::int64_t(1) << (bits - 1);
  return T(std::int64_t(key >> (64 - bits)) - one) / T(one);
}

// Element (k, l) of link number `link` of a (4 i + j), or of matrix -1 - j of b
template <class T>
ELEMENT Complex<T> initial(Input input, std::int64_t link, int k, int l) {
  if (input == Input::constant) return {link < 0 ? T(1) / T(3) : T(1), 0};
  const std::uint64_t key = static_cast<std::uint64_t>((link * 3 + k) * 3 + l) * 2;
  return {hashed<T>(key), hashed<T>(key + 1)};
}

template <class T>
ELEMENT void fill_b(Matrix<T>* b, Input input) {
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) b[j].e[k][l] = initial<T>(input, -1 - j, k, l);
}

template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

// The links of c start as NaN, so that an element that is never written cannot pass.
template <class T>
ELEMENT void fill_site(Site<T>& a, Site<T>& c, std::int64_t i, std::int64_t length, Input input) {
  a.x = static_cast<std::int32_t>(i % length);
  a.y = static_cast<std::int32_t>(i / length % length);
  a.z = static_cast<std::int32_t>(i / (length * length) % length);
  a.t = static_cast<std::int32_t>(i / (length * length * length));
  a.index = i;
  a.parity = (a.x + a.y + a.z + a.t) % 2 == 0 ? even : odd;
  c.x = a.x, c.y = a.y, c.z = a.z, c.t = a.t;
  c.index = a.index;
  c.parity = a.parity;
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        a.link[j].e[k][l] = initial<T>(input, 4 * i + j, k, l);
        c.link[j].e[k][l] = {not_a_number<T>, not_a_number<T>};
      }
}

namespace fault {
using namespace proxy::fault;
// all links are multiplied by the first of the four matrices, which constant input cannot tell
constexpr bool wrong_direction = injected == "wrong_direction";
}  // namespace fault

// What a model must provide. It owns a, b and c on its device. fill() and read() return when the
// device is done; multiply() may return earlier, and wait() returns when all of them are done.
template <class T>
struct Model {
  virtual ~Model() = default;
  virtual void fill(Input input) = 0;  // a and b at the start, c not a number
  virtual void multiply() = 0;
  virtual void wait() = 0;
  // Copies sites begin .. begin + count - 1 of c to the host.
  virtual void read(std::int64_t begin, std::int64_t count, Site<T>* host) = 0;
  // How the product is launched, where the model decides or knows.
  virtual proxy::Launch launch() const { return {}; }
};

// length^4 sites on the device; work-groups of at most `block` where the model has them.
template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device& device, std::int64_t length, int block);

// On a device a thread computes one element, and work-groups take whole sites, so that where an
// element is follows from small numbers: as many sites as fit into `block` threads, and no more
// than 16, since a block's third dimension, which the links are along, ends at 64.
constexpr int sites_per_group(int block) {
  return block < 2 * elements_per_site    ? 1
         : block < 16 * elements_per_site ? block / elements_per_site
                                          : 16;
}

// On a host a thread is better off with a whole site. Tests run there what a device would run.
#if defined(PROXY_WORK_GROUPS)
constexpr bool by_site_on_host = false;
#else
constexpr bool by_site_on_host = true;
#endif

}  // namespace su3_bench
