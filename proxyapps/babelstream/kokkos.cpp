// Kokkos: views in the space's memory, parallel_for and parallel_reduce over a range.
#include <Kokkos_Core.hpp>

#include "babelstream.hpp"
#include "common/devices/kokkos_space.hpp"
#include "common/fault.hpp"

namespace babelstream {

namespace fault = proxy::fault;
using Space = proxy::KokkosSpace;
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

template <class T>
class KokkosModel : public Model<T> {
  using View = Kokkos::View<T*, typename Space::memory_space>;
  using HostView = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  explicit KokkosModel(std::int64_t n)
      : n(n),
        a(Kokkos::view_alloc(Kokkos::WithoutInitializing, "a"), n),
        b(Kokkos::view_alloc(Kokkos::WithoutInitializing, "b"), n),
        c(Kokkos::view_alloc(Kokkos::WithoutInitializing, "c"), n) {}

  // a lambda must not capture `this`, which the device cannot follow: views are copied first
  void fill() override {
    const View a = this->a, b = this->b, c = this->c;
    Kokkos::parallel_for(
        "fill", Range(0, n), KOKKOS_LAMBDA(const std::int64_t i) {
          a(i) = initial_a<T>(i);
          b(i) = initial_b<T>(i);
          c(i) = initial_c<T>(i);
        });
    wait();
  }
  void copy() override {
    const View a = this->a, c = this->c;
    Kokkos::parallel_for(
        "copy", Range(0, n), KOKKOS_LAMBDA(const std::int64_t i) {
          c(i) = babelstream::copy(a(i - (fault::off_by_one && i > 0)));
        });
  }
  void mul(const T s) override {
    const View b = this->b, c = this->c;
    Kokkos::parallel_for(
        "mul", Range(0, n),
        KOKKOS_LAMBDA(const std::int64_t i) { b(i) = babelstream::mul(c(i), s); });
  }
  void add() override {
    const View a = this->a, b = this->b, c = this->c;
    Kokkos::parallel_for(
        "add", Range(0, n),
        KOKKOS_LAMBDA(const std::int64_t i) { c(i) = babelstream::add(a(i), b(i)); });
  }
  void triad(const T s) override {
    const View a = this->a, b = this->b, c = this->c;
    Kokkos::parallel_for(
        "triad", Range(0, n - fault::dropped_tail),
        KOKKOS_LAMBDA(const std::int64_t i) { a(i) = babelstream::triad(b(i), c(i), s); });
  }
  void nstream(const T s) override {
    const View a = this->a, b = this->b, c = this->c;
    Kokkos::parallel_for(
        "nstream", Range(0, n),
        KOKKOS_LAMBDA(const std::int64_t i) { a(i) = babelstream::nstream(a(i), b(i), c(i), s); });
  }
  T dot() override {
    const View a = this->a, b = this->b;
    T sum = 0;  // a reduction into a host scalar waits for its result
    Kokkos::parallel_reduce(
        "dot", Range(fault::lost_partial ? n / 2 : 0, n),
        KOKKOS_LAMBDA(const std::int64_t i, T& partial) { partial += product(a(i), b(i)); }, sum);
    return sum;
  }
  void wait() override { Space().fence("end of a sample"); }

  void read(Array array, std::int64_t begin, std::int64_t count, T* host) override {
    const View& from = array == Array::a ? a : array == Array::b ? b : c;
    Kokkos::deep_copy(HostView(host, count),
                      Kokkos::subview(from, Kokkos::make_pair(begin, begin + count)));
  }

 private:
  std::int64_t n;
  View a, b, c;
};

// Kokkos chooses the work-group size of a range itself.
template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t n, int) {
  return std::make_unique<KokkosModel<T>>(n);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace babelstream
