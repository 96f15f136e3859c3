// SYCL: device allocations and one in-order queue. On a device one work item per element of c, and
// work-groups with the elements of some whole sites; on a host, where a thread works through its
// items in order, one work item per site.
#include <sycl/sycl.hpp>

#include "common/devices/sycl_device.hpp"
#include "common/error.hpp"
#include "su3_bench.hpp"

namespace su3_bench {

template <class T>
class Sycl : public Model<T> {
 public:
  Sycl(const proxy::Device& device, std::int64_t length, int block)
      : length(length),
        sites(length * length * length * length),
        group(sites_per_group(block)),
        groups((sites + group - 1) / group),
        queue(proxy::sycl_device(device), sycl::property::queue::in_order()),
        by_site(by_site_on_host && queue.get_device().is_cpu()),
        a(allocate<Site<T>>(sites)),
        b(allocate<Matrix<T>>(4)),
        c(allocate<Site<T>>(sites)) {}
  ~Sycl() override {
    sycl::free(a, queue);
    sycl::free(b, queue);
    sycl::free(c, queue);
  }

  // a lambda must not capture `this`, which the device cannot follow: members are copied first
  void fill(Input input) override {
    queue.parallel_for(sycl::range<1>(sites),
                       [a = a, b = b, c = c, length = length, input](sycl::id<1> id) {
                         const std::int64_t i = id[0];
                         fill_site(a[i], c[i], i, length, input);
                         if (i == 0) fill_b(b, input);
                       });
    wait();
  }
  void multiply() override {
    const std::int64_t end = sites - fault::dropped_tail;
    const auto element = [a = a, b = b, c = c](std::int64_t i, int j, int k, int l) {
      c[i].link[j].e[k][l] = row_times_column(a[i - (fault::off_by_one && i > 0)].link[j],
                                              b[fault::wrong_direction ? 0 : j], k, l);
    };
    if (by_site) {
      queue.parallel_for(sycl::range<1>(end), [element](sycl::id<1> i) {
        for (int j = 0; j < 4; ++j)
          for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) element(i[0], j, k, l);
      });
      return;
    }
    const std::size_t items = group * elements_per_site;
    queue.parallel_for(sycl::nd_range<1>(groups * items, items), [element, group = group,
                                                                  end](sycl::nd_item<1> item) {
      // small numbers within the group, so that nothing large is divided
      const auto n = static_cast<int>(item.get_local_id(0));
      const std::int64_t first = static_cast<std::int64_t>(item.get_group(0)) * group;
      const std::int64_t i = first + n / elements_per_site;
      if (i < end) element(i, n / 9 % 4, n / 3 % 3, n % 3);
    });
  }
  void wait() override { queue.wait_and_throw(); }

  void read(std::int64_t begin, std::int64_t count, Site<T>* host) override {
    queue.copy(c + begin, host, count).wait();
  }
  proxy::Launch launch() const override {
    if (by_site) return {};
    return {elements_per_site * group, groups};
  }

 private:
  template <class Element>
  Element* allocate(std::int64_t count) {
    if (auto* memory = sycl::malloc_device<Element>(count, queue)) return memory;
    throw proxy::DeviceError("allocating " + std::to_string(count * sizeof(Element)) +
                             " bytes on the device failed");
  }

  std::int64_t length, sites;
  int group;  // sites of a work-group
  std::int64_t groups;
  sycl::queue queue;
  bool by_site;
  Site<T>* a;
  Matrix<T>* b;
  Site<T>* c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device& device, std::int64_t length, int block) {
  return std::make_unique<Sycl<T>>(device, length, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace su3_bench
