// SYCL: device allocations and one in-order queue; dot is a reduction.
#include <sycl/sycl.hpp>

#include "babelstream.hpp"
#include "common/devices/sycl_device.hpp"
#include "common/error.hpp"
#include "common/fault.hpp"

namespace babelstream {

namespace fault = proxy::fault;

template <class T>
class Sycl : public Model<T> {
 public:
  Sycl(const proxy::Device& device, std::int64_t n, int block)
      : n(n), block(block), queue(proxy::sycl_device(device), sycl::property::queue::in_order()) {
    for (T** array : {&a, &b, &c}) *array = allocate(n);
    sum = allocate(1);
  }
  ~Sycl() override {
    for (T* array : {a, b, c, sum}) sycl::free(array, queue);
  }

  // a lambda must not capture `this`, which the device cannot follow: pointers are copied first
  void fill() override {
    queue.parallel_for(work(), [a = a, b = b, c = c, n = n](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i >= n) return;
      a[i] = initial_a<T>(i);
      b[i] = initial_b<T>(i);
      c[i] = initial_c<T>(i);
    });
    wait();
  }
  void copy() override {
    queue.parallel_for(work(), [a = a, c = c, n = n](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i < n) c[i] = babelstream::copy(a[i - (fault::off_by_one && i > 0)]);
    });
  }
  void mul(T s) override {
    queue.parallel_for(work(), [b = b, c = c, n = n, s](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i < n) b[i] = babelstream::mul(c[i], s);
    });
  }
  void add() override {
    queue.parallel_for(work(), [a = a, b = b, c = c, n = n](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i < n) c[i] = babelstream::add(a[i], b[i]);
    });
  }
  void triad(T s) override {
    queue.parallel_for(work(), [a = a, b = b, c = c, n = n, s](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i < n - fault::dropped_tail) a[i] = babelstream::triad(b[i], c[i], s);
    });
  }
  void nstream(T s) override {
    queue.parallel_for(work(), [a = a, b = b, c = c, n = n, s](sycl::nd_item<1> item) {
      const std::int64_t i = item.get_global_id(0);
      if (i < n) a[i] = babelstream::nstream(a[i], b[i], c[i], s);
    });
  }
  T dot() override {
    const std::int64_t first = fault::lost_partial ? n / 2 : 0;
    T result = 0;
    queue.parallel_for(
        sycl::range<1>(n - first),
        sycl::reduction(sum, sycl::plus<T>(), sycl::property::reduction::initialize_to_identity()),
        [a = a + first, b = b + first](sycl::id<1> i, auto& partial) {
          partial += product(a[i], b[i]);
        });
    queue.copy(sum, &result, 1).wait();
    return result;
  }
  void wait() override { queue.wait_and_throw(); }

  void read(Array array, std::int64_t begin, std::int64_t count, T* host) override {
    const T* from = array == Array::a ? a : array == Array::b ? b : c;
    queue.copy(from + begin, host, count).wait();
  }
  proxy::Launch launch(const std::string& kernel) const override {
    if (kernel == "dot") return {};  // the runtime's choice
    return {block, (n + block - 1) / block};
  }

 private:
  sycl::nd_range<1> work() const {
    return {sycl::range<1>((n + block - 1) / block * block), sycl::range<1>(block)};
  }
  T* allocate(std::int64_t count) {
    if (T* memory = sycl::malloc_device<T>(count, queue)) return memory;
    throw proxy::DeviceError("allocating " + std::to_string(count * sizeof(T)) +
                             " bytes on the device failed");
  }

  std::int64_t n;
  int block;
  sycl::queue queue;
  T *a = nullptr, *b = nullptr, *c = nullptr, *sum = nullptr;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device& device, std::int64_t n, int block) {
  return std::make_unique<Sycl<T>>(device, n, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace babelstream
