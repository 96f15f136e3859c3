// Kokkos: views of sites. On a device a league of teams, each with the elements of some whole
// sites; on a host, where a thread works through its sites in order, a range of sites.
#include <Kokkos_Core.hpp>

#include "common/devices/kokkos_space.hpp"
#include "su3_bench.hpp"

namespace su3_bench {

using Space = proxy::KokkosSpace;
using Memory = typename Space::memory_space;
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
using Teams = Kokkos::TeamPolicy<Space, Kokkos::IndexType<std::int64_t>>;
constexpr bool on_host = std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>;
constexpr bool by_site = on_host && by_site_on_host;

template <class T>
class KokkosModel : public Model<T> {
  using Sites = Kokkos::View<Site<T>*, Memory>;
  using Matrices = Kokkos::View<Matrix<T>[4], Memory>;
  using HostSites =
      Kokkos::View<Site<T>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  KokkosModel(std::int64_t length, int block)
      : length(length),
        sites(length * length * length * length),
        group(sites_per_group(block)),
        a(Kokkos::view_alloc(Kokkos::WithoutInitializing, "a"), sites),
        b(Kokkos::view_alloc(Kokkos::WithoutInitializing, "b")),
        c(Kokkos::view_alloc(Kokkos::WithoutInitializing, "c"), sites) {}

  // a lambda must not capture `this`, which the device cannot follow: members are copied first
  void fill(const Input input) override {
    const Sites a = this->a, c = this->c;
    const Matrices b = this->b;
    const std::int64_t length = this->length;
    Kokkos::parallel_for(
        "fill", Range(0, sites), KOKKOS_LAMBDA(const std::int64_t i) {
          fill_site(a(i), c(i), i, length, input);
          if (i == 0) fill_b(b.data(), input);
        });
    wait();
  }
  void multiply() override {
    const Sites a = this->a, c = this->c;
    const Matrices b = this->b;
    const std::int64_t end = sites - fault::dropped_tail;
    const auto element =
        KOKKOS_LAMBDA(const std::int64_t i, const int j, const int k, const int l) {
      c(i).link[j].e[k][l] = row_times_column(a(i - (fault::off_by_one && i > 0)).link[j],
                                              b(fault::wrong_direction ? 0 : j), k, l);
    };
    if (by_site) {
      Kokkos::parallel_for(
          "multiply", Range(0, end), KOKKOS_LAMBDA(const std::int64_t i) {
            for (int j = 0; j < 4; ++j)
              for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) element(i, j, k, l);
          });
    } else {
      const int group = this->group;
      // a host's teams are as large as it has threads to share
      const Teams teams =
          on_host ? Teams(groups(), Kokkos::AUTO) : Teams(groups(), group * elements_per_site);
      Kokkos::parallel_for(
          "multiply", teams, KOKKOS_LAMBDA(const typename Teams::member_type& team) {
            const std::int64_t first = team.league_rank() * static_cast<std::int64_t>(group);
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group * elements_per_site),
                                 [&](const int n) {
                                   const std::int64_t i = first + n / elements_per_site;
                                   if (i < end) element(i, n / 9 % 4, n / 3 % 3, n % 3);
                                 });
          });
    }
  }
  void wait() override { Space().fence("end of a sample"); }

  void read(std::int64_t begin, std::int64_t count, Site<T>* host) override {
    Kokkos::deep_copy(HostSites(host, count),
                      Kokkos::subview(c, Kokkos::make_pair(begin, begin + count)));
  }
  proxy::Launch launch() const override {
    if (on_host) return {};
    return {group * elements_per_site, groups()};
  }

 private:
  std::int64_t groups() const { return (sites + group - 1) / group; }

  std::int64_t length, sites;
  int group;  // sites of a team
  Sites a;
  Matrices b;
  Sites c;
};

template <class T>
std::unique_ptr<Model<T>> make_model(const proxy::Device&, std::int64_t length, int block) {
  return std::make_unique<KokkosModel<T>>(length, block);
}
template std::unique_ptr<Model<float>> make_model(const proxy::Device&, std::int64_t, int);
template std::unique_ptr<Model<double>> make_model(const proxy::Device&, std::int64_t, int);

}  // namespace su3_bench
