// RAJA: forall over a range with the policy of the target. RAJA leaves memory to others; the
// resources that come with it allocate on devices, copy, and wait.
#include <RAJA/RAJA.hpp>

#include "babelstream.hpp"
#include "common/devices/raja_policy.hpp"
#include "common/error.hpp"
#include "common/fault.hpp"

namespace babelstream {

namespace fault = proxy::fault;
using Resource = proxy::RajaResource;
using Range = RAJA::TypedRangeSegment<std::int64_t>;

template <class T, int block>
class RajaModel : public Model<T> {
  using Policy = proxy::RajaPolicy<block>;

 public:
  explicit RajaModel(std::int64_t n) : n(n) {
    for (T** array : {&a, &b, &c}) *array = proxy::raja_allocate<T>(resource, n);
  }
  ~RajaModel() override {
    for (T* array : {a, b, c}) proxy::raja_free(resource, array);
  }

  // a lambda must not capture `this`, which the device cannot follow: pointers are copied first
  void fill() override {
    T *const a = this->a, *const b = this->b, *const c = this->c;
    RAJA::forall<Policy>(resource, Range(0, n), [=] RAJA_HOST_DEVICE(std::int64_t i) {
      a[i] = initial_a<T>(i);
      b[i] = initial_b<T>(i);
      c[i] = initial_c<T>(i);
    });
    wait();
  }
  void copy() override {
    T *const a = this->a, *const c = this->c;
    RAJA::forall<Policy>(resource, Range(0, n), [=] RAJA_HOST_DEVICE(std::int64_t i) {
      c[i] = babelstream::copy(a[i - (fault::off_by_one && i > 0)]);
    });
  }
  void mul(T s) override {
    T *const b = this->b, *const c = this->c;
    RAJA::forall<Policy>(resource, Range(0, n), [=] RAJA_HOST_DEVICE(std::int64_t i) {
      b[i] = babelstream::mul(c[i], s);
    });
  }
  void add() override {
    T *const a = this->a, *const b = this->b, *const c = this->c;
    RAJA::forall<Policy>(resource, Range(0, n), [=] RAJA_HOST_DEVICE(std::int64_t i) {
      c[i] = babelstream::add(a[i], b[i]);
    });
  }
  void triad(T s) override {
    T *const a = this->a, *const b = this->b, *const c = this->c;
    RAJA::forall<Policy>(
        resource, Range(0, n - fault::dropped_tail),
        [=] RAJA_HOST_DEVICE(std::int64_t i) { a[i] = babelstream::triad(b[i], c[i], s); });
  }
  void nstream(T s) override {
    T *const a = this->a, *const b = this->b, *const c = this->c;
    RAJA::forall<Policy>(resource, Range(0, n), [=] RAJA_HOST_DEVICE(std::int64_t i) {
      a[i] = babelstream::nstream(a[i], b[i], c[i], s);
    });
  }
  T dot() override {
    T *const a = this->a, *const b = this->b;
    RAJA::ReduceSum<proxy::RajaReduce, T> sum(0);
    RAJA::forall<Policy>(resource, Range(fault::lost_partial ? n / 2 : 0, n),
                         [=] RAJA_HOST_DEVICE(std::int64_t i) { sum += product(a[i], b[i]); });
    return sum.get();  // waits for the device
  }
  void wait() override { resource.wait(); }

  void read(Array array, std::int64_t begin, std::int64_t count, T* host) override {
    const T* from = array == Array::a ? a : array == Array::b ? b : c;
    resource.memcpy(host, from + begin, count * sizeof(T));
    wait();
  }
  proxy::Launch launch(const std::string&) const override {
    if (!proxy::raja_on_device) return {};
    return {block, (n + block - 1) / block};
  }

 private:
  std::int64_t n;
  Resource resource = Resource::get_default();
  T *a = nullptr, *b = nullptr, *c = nullptr;
};

// The work-group size is part of RAJA's policy, so each one is compiled.
template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t n, int block) {
  if (block == 128) return std::make_unique<RajaModel<T, 128>>(n);
  if (block == 256 || !proxy::raja_on_device) return std::make_unique<RajaModel<T, 256>>(n);
  if (block == 512) return std::make_unique<RajaModel<T, 512>>(n);
  if (block == 1024) return std::make_unique<RajaModel<T, 1024>>(n);
  throw proxy::UsageError("--block", std::to_string(block), "128, 256, 512 or 1024");
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace babelstream
