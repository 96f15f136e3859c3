// Docking: the energy of a ligand in many poses in front of a protein, after an empirical
// forcefield. A pair of atoms l (ligand) and p (protein) at distance d, whose radii add up to R and
// which leave a gap g = max(d - R, 0), contributes
//
//   steric       76 max(1 - d/R, 0)
//   charge       45 q_l q_p max(1 - g/c, 0)       c = 4 between two atoms of type F, else 2;
//                                                 never positive where an atom is of type E
//   desolvation  (h_l + h_p) max(1 - g/s, 0)      s = 5.5 where both h are negative, 1 where one
//                                                 is, and nothing where none is or h_p is 0;
//                                                 |h_l| + |h_p| where their signs differ
//
// The energy of a pose is half the sum over all pairs. All of it is single precision.
//
// Everything that computes is compiled once per rule of arithmetic (cmake/math.cmake), in a
// namespace of the rule's name, so that no linker can take one for the other.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "build_info.hpp"
#include "common/device.hpp"
#include "common/element.hpp"

#if !defined(PROXY_MATH)
#define PROXY_MATH contract
#endif

// A work item's poses: on a device their data must be registers, on a CPU they are a vector's
// lanes.
#if defined(__CUDA_ARCH__) || defined(__NVPTX__) || defined(__AMDGCN__) || defined(__SPIRV__)
#define EACH_POSE _Pragma("unroll")
#elif defined(_OPENMP)
#define EACH_POSE _Pragma("omp simd")
#else
#define EACH_POSE
#endif

// Inlined however long: what a function is given a pointer to cannot be registers.
#define INLINED __attribute__((always_inline)) ELEMENT

namespace minibude {

// The records of a deck's files, as they are there; aligned so that one load fetches one.
struct alignas(16) Atom {
  float x, y, z;
  std::int32_t type;  // an index of the forcefield
};
struct alignas(16) AtomType {
  std::int32_t hbtype;  // of hydrogen bond: a letter's code
  float radius, hphb, elsc;
};
constexpr std::int32_t hbtype_E = 69, hbtype_F = 70;

// A deck where a model keeps it. A pose is three angles and a shift: poses holds six arrays of
// pose_count numbers, one behind the other.
struct Deck {
  const Atom *protein, *ligand;
  const AtomType* forcefield;
  const float* poses;
  std::int32_t protein_count, ligand_count, type_count;
  std::int64_t pose_count;
};

constexpr bool on_cpu = *proxy::build::architecture == '\0';

// Poses per work item: the powers of two up to this one, all of which are compiled. (On a device 16
// fill the registers.)
constexpr int most_ppwi = on_cpu ? 128 : 32;

// Calls f with a compile-time constant that equals ppwi.
template <int W = 1, class F>
auto with_ppwi(int ppwi, F&& f) {
  if constexpr (W < most_ppwi)
    if (ppwi > W) return with_ppwi<2 * W>(ppwi, f);
  return f(std::integral_constant<int, W>());
}

// What a model must provide. It owns the deck and the energies on its device.
struct Model {
  virtual ~Model() = default;
  virtual void clear() = 0;  // sets every energy to NaN, so that none can be left over
  virtual void dock() = 0;   // computes every energy; returns when the device is done
  virtual void read(float* energies) = 0;
  // How the kernel is launched, where the model decides or knows.
  virtual proxy::Launch launch() const { return {}; }
};

// The deck is copied from the host's memory; work-groups of `block` work items where the model has
// them, and `ppwi` poses per work item.
namespace contract {
std::unique_ptr<Model> make_model(const proxy::Device& device, const Deck& host, int ppwi,
                                  int block);
}
namespace fast {
std::unique_ptr<Model> make_model(const proxy::Device& device, const Deck& host, int ppwi,
                                  int block);
}

namespace PROXY_MATH {

// What a pair of atoms has in every pose.
struct Pair {
  float radius, inverse_radius;
  float charge, charge_slope;
  float desolvation, desolvation_slope;
};

ELEMENT Pair make_pair(const AtomType& l, const AtomType& p) {
  Pair pair;
  pair.radius = p.radius + l.radius;
  pair.inverse_radius = 1.0f / pair.radius;

  const float charge = l.elsc * p.elsc;
  pair.charge = l.hbtype == hbtype_E || p.hbtype == hbtype_E ? -fabsf(charge) : charge;
  pair.charge_slope = l.hbtype == hbtype_F && p.hbtype == hbtype_F ? 1 / 4.0f : 1 / 2.0f;

  // where the two signs differ, both count as positive
  const float ph = p.hphb < 0.0f && l.hphb > 0.0f ? -p.hphb : p.hphb;
  const float lh = p.hphb > 0.0f && l.hphb < 0.0f ? -l.hphb : l.hphb;
  const bool both = p.hphb < 0.0f && l.hphb < 0.0f, one = p.hphb < 0.0f || l.hphb < 0.0f;
  pair.desolvation = one && p.hphb != 0.0f ? ph + lh : 0.0f;
  pair.desolvation_slope = both ? 1 / 5.5f : 1 / 1.0f;
  return pair;
}

ELEMENT float positive(float x) { return x > 0.0f ? x : 0.0f; }

// The energy of a pair whose atoms are (x, y, z) apart, twice over. Maxima instead of branches:
// every compiler makes vectors of them, whatever it may assume about numbers.
ELEMENT float energy(const Pair& pair, float x, float y, float z) {
  const float distance = sqrtf(x * x + y * y + z * z);
  const float gap = positive(distance - pair.radius);
  const float steric = 76.0f * positive(1.0f - distance * pair.inverse_radius);
  const float charge = pair.charge * positive(1.0f - gap * pair.charge_slope);
  const float desolvation = pair.desolvation * positive(1.0f - gap * pair.desolvation_slope);
  return steric + 45.0f * charge + desolvation;
}

// How a pose moves the ligand: a rotation about x, then y, then z, and a shift.
struct Transform {
  float m[3][4];
};

INLINED Transform make_transform(const Deck& deck, std::int64_t pose) {
  const float* const at = deck.poses + pose;
  const std::int64_t n = deck.pose_count;
  const float sx = sinf(at[0]), cx = cosf(at[0]);
  const float sy = sinf(at[n]), cy = cosf(at[n]);
  const float sz = sinf(at[2 * n]), cz = cosf(at[2 * n]);
  return {{{cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, at[3 * n]},
           {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, at[4 * n]},
           {-sy, sx * cy, cx * cy, at[5 * n]}}};
}

// One work item: the energies of the W poses first, first + stride, ... The last pose stands in for
// those behind it. What a pair of atoms has in every pose is looked up once for all of them.
template <int W>
INLINED void dock(const Deck& deck, const AtomType* forcefield, std::int64_t first,
                  std::int64_t stride, float (&energies)[W]) {
  Transform transforms[W];
  EACH_POSE
  for (int w = 0; w < W; ++w) {
    const std::int64_t pose = first + w * stride;
    transforms[w] = make_transform(deck, pose < deck.pose_count ? pose : deck.pose_count - 1);
    energies[w] = 0.0f;
  }
  for (std::int32_t i = 0; i < deck.ligand_count; ++i) {
    const Atom l = deck.ligand[i];
    const AtomType l_type = forcefield[l.type];
    float x[W], y[W], z[W];
    EACH_POSE
    for (int w = 0; w < W; ++w) {
      const auto& m = transforms[w].m;
      x[w] = m[0][3] + l.x * m[0][0] + l.y * m[0][1] + l.z * m[0][2];
      y[w] = m[1][3] + l.x * m[1][0] + l.y * m[1][1] + l.z * m[1][2];
      z[w] = m[2][3] + l.x * m[2][0] + l.y * m[2][1] + l.z * m[2][2];
    }
    for (std::int32_t j = 0; j < deck.protein_count; ++j) {
      const Atom p = deck.protein[j];
      const Pair pair = make_pair(l_type, forcefield[p.type]);
      EACH_POSE
      for (int w = 0; w < W; ++w) energies[w] += energy(pair, x[w] - p.x, y[w] - p.y, z[w] - p.z);
    }
  }
  EACH_POSE
  for (int w = 0; w < W; ++w) energies[w] *= 0.5f;
}

}  // namespace PROXY_MATH
}  // namespace minibude
