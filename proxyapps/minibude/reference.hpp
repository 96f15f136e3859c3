// The energy of a pose once more, for checking: in double precision, written straight from the
// formula, pair by pair, and leaving out pairs too far apart to matter. Shares nothing with the
// models but the deck.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "minibude.hpp"

namespace minibude {

// 1 up to a gap of 0, then a straight line to 0 at a gap of `width`.
inline double ramp(double gap, double width) {
  if (gap < 0) return 1;
  return gap < width ? 1 - gap / width : 0;
}

inline double reference_pair(const AtomType& l, const AtomType& p, double distance) {
  const double contact = static_cast<double>(l.radius) + p.radius;
  const double gap = distance - contact;
  const double steric = gap < 0 ? 76 * (1 - distance / contact) : 0;

  double charge = 45.0 * l.elsc * p.elsc;
  if (l.hbtype == hbtype_E || p.hbtype == hbtype_E) charge = -std::abs(charge);
  charge *= ramp(gap, l.hbtype == hbtype_F && p.hbtype == hbtype_F ? 4 : 2);

  double desolvation = 0;
  const bool l_negative = l.hphb < 0, p_negative = p.hphb < 0;
  if (p.hphb != 0 && (l_negative || p_negative)) {
    desolvation = static_cast<double>(l.hphb) + p.hphb;
    if (static_cast<double>(l.hphb) * p.hphb < 0)
      desolvation = std::abs(static_cast<double>(l.hphb)) + std::abs(static_cast<double>(p.hphb));
    desolvation *= ramp(gap, l_negative && p_negative ? 5.5 : 1);
  }
  return steric + charge + desolvation;
}

inline double reference_energy(const Deck& deck, std::int64_t pose) {
  constexpr double widest = 5.5;  // of the ramps
  float largest = 0;
  for (std::int32_t t = 0; t < deck.type_count; ++t)
    largest = std::max(largest, deck.forcefield[t].radius);
  double number[6];
  for (int k = 0; k < 6; ++k) number[k] = deck.poses[k * deck.pose_count + pose];
  const double sx = std::sin(number[0]), cx = std::cos(number[0]);
  const double sy = std::sin(number[1]), cy = std::cos(number[1]);
  const double sz = std::sin(number[2]), cz = std::cos(number[2]);
  double sum = 0;
  for (std::int32_t i = 0; i < deck.ligand_count; ++i) {
    const Atom& l = deck.ligand[i];
    const AtomType& l_type = deck.forcefield[l.type];
    // about x, then about y, then about z
    const double y1 = cx * l.y - sx * l.z, z1 = sx * l.y + cx * l.z;
    const double x2 = cy * l.x + sy * z1, z2 = cy * z1 - sy * l.x;
    const double x = cz * x2 - sz * y1 + number[3];
    const double y = sz * x2 + cz * y1 + number[4];
    const double z = z2 + number[5];
    const double far = static_cast<double>(l_type.radius) + largest + widest;
    for (std::int32_t j = 0; j < deck.protein_count; ++j) {
      const Atom& p = deck.protein[j];
      const double dx = x - p.x, dy = y - p.y, dz = z - p.z;
      const double square = dx * dx + dy * dy + dz * dz;
      if (square < far * far)
        sum += reference_pair(l_type, deck.forcefield[p.type], std::sqrt(square));
    }
  }
  return sum / 2;
}

// Of every pose, on the host's threads.
inline std::vector<double> reference_energies(const Deck& deck) {
  const std::int64_t n = deck.pose_count;
  std::vector<double> energies(n);
  const std::int64_t count =
      std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, (n + 63) / 64);
  std::vector<std::thread> threads;
  for (std::int64_t t = 0; t < count; ++t)
    threads.emplace_back([&deck, &energies, begin = n * t / count, end = n * (t + 1) / count] {
      for (std::int64_t i = begin; i < end; ++i) energies[i] = reference_energy(deck, i);
    });
  for (auto& thread : threads) thread.join();
  return energies;
}

}  // namespace minibude
