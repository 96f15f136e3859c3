// RAJA: a launch of teams, each with the links of some whole sites; the nest of loops in it is over
// a team's 3 x 3 x links threads on a device and sequential on a host. RAJA leaves memory to
// others; camp's resources, which come with it, allocate and copy.
#include <RAJA/RAJA.hpp>

#include "common/devices/raja_policy.hpp"
#include "su3_bench.hpp"

namespace su3_bench {

using Resource = proxy::RajaResource;
using Sites = RAJA::TypedRangeSegment<std::int64_t>;
using Range = RAJA::TypedRangeSegment<int>;

#if defined(PROXY_RAJA_CUDA)
using Launch = RAJA::LaunchPolicy<RAJA::cuda_launch_t<true>>;  // true: queued
using Teams = RAJA::LoopPolicy<RAJA::cuda_block_x_direct>;
using ThreadsX = RAJA::LoopPolicy<RAJA::cuda_thread_x_direct>;
using ThreadsY = RAJA::LoopPolicy<RAJA::cuda_thread_y_direct>;
using ThreadsZ = RAJA::LoopPolicy<RAJA::cuda_thread_z_direct>;
#elif defined(PROXY_RAJA_HIP)
using Launch = RAJA::LaunchPolicy<RAJA::hip_launch_t<true>>;
using Teams = RAJA::LoopPolicy<RAJA::hip_block_x_direct>;
using ThreadsX = RAJA::LoopPolicy<RAJA::hip_thread_x_direct>;
using ThreadsY = RAJA::LoopPolicy<RAJA::hip_thread_y_direct>;
using ThreadsZ = RAJA::LoopPolicy<RAJA::hip_thread_z_direct>;
#else
using Launch = RAJA::LaunchPolicy<RAJA::omp_launch_t>;
using Teams = RAJA::LoopPolicy<RAJA::omp_for_exec>;
using ThreadsX = RAJA::LoopPolicy<RAJA::seq_exec>;
using ThreadsY = RAJA::LoopPolicy<RAJA::seq_exec>;
using ThreadsZ = RAJA::LoopPolicy<RAJA::seq_exec>;
#endif

template <class T>
class RajaModel : public Model<T> {
 public:
  RajaModel(std::int64_t length, int block)
      : length(length),
        sites(length * length * length * length),
        group(proxy::raja_on_device ? sites_per_group(block) : 1),
        groups((sites + group - 1) / group),
        a(resource.template allocate<Site<T>>(sites)),
        b(resource.template allocate<Matrix<T>>(4)),
        c(resource.template allocate<Site<T>>(sites)) {}
  ~RajaModel() override {
    resource.deallocate(a);
    resource.deallocate(b);
    resource.deallocate(c);
  }

  // a lambda must not capture `this`, which the device cannot follow: members are copied first
  void fill(Input input) override {
    Site<T>*const a = this->a, *const c = this->c;
    Matrix<T>* const b = this->b;
    const std::int64_t length = this->length;
    RAJA::forall<proxy::RajaPolicy<256>>(resource, Sites(0, sites),
                                         [=] RAJA_HOST_DEVICE(std::int64_t i) {
                                           fill_site(a[i], c[i], i, length, input);
                                           if (i == 0) fill_b(b, input);
                                         });
    wait();
  }
  void multiply() override {
    const Site<T>* const __restrict a = this->a;
    const Matrix<T>* const __restrict b = this->b;
    Site<T>* const __restrict c = this->c;
    const std::int64_t end = sites - fault::dropped_tail, groups = this->groups;
    const int group = this->group;
    RAJA::launch<Launch>(
        resource,
        RAJA::LaunchParams(RAJA::Teams(static_cast<int>(groups)), RAJA::Threads(3, 3, 4 * group)),
        [=] RAJA_HOST_DEVICE(RAJA::LaunchContext context) {
          RAJA::loop<Teams>(context, Sites(0, groups), [&](std::int64_t team) {
            RAJA::loop<ThreadsZ>(context, Range(0, 4 * group), [&](int link) {
              RAJA::loop<ThreadsY>(context, Range(0, 3), [&](int k) {
                RAJA::loop<ThreadsX>(context, Range(0, 3), [&](int l) {
                  const std::int64_t i = team * group + link / 4;
                  const int j = link % 4;
                  if (i < end)
                    c[i].link[j].e[k][l] =
                        row_times_column(a[i - (fault::off_by_one && i > 0)].link[j],
                                         b[fault::wrong_direction ? 0 : j], k, l);
                });
              });
            });
          });
        });
  }
  void wait() override { resource.wait(); }

  void read(std::int64_t begin, std::int64_t count, Site<T>* host) override {
    resource.memcpy(host, c + begin, count * sizeof(Site<T>));
    wait();
  }
  proxy::Launch launch() const override {
    if (!proxy::raja_on_device) return {};
    return {elements_per_site * group, groups};
  }

 private:
  std::int64_t length, sites;
  int group;  // sites of a team
  std::int64_t groups;
  Resource resource = Resource::get_default();
  Site<T>* a;
  Matrix<T>* b;
  Site<T>* c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t length, int block) {
  return std::make_unique<RajaModel<T>>(length, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace su3_bench
