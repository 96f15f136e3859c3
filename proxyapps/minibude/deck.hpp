// A deck on the host: read from files in the public format, or made up from a seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "minibude.hpp"

namespace minibude {

struct Sizes {
  std::int64_t protein, ligand, types, poses;
};

struct HostDeck {
  std::vector<Atom> protein, ligand;
  std::vector<AtomType> forcefield;
  std::vector<float> poses;      // six arrays, one behind the other
  std::vector<double> energies;  // what the deck says they are; empty if it does not

  Deck view() const {
    return {protein.data(),
            ligand.data(),
            forcefield.data(),
            poses.data(),
            static_cast<std::int32_t>(protein.size()),
            static_cast<std::int32_t>(ligand.size()),
            static_cast<std::int32_t>(forcefield.size()),
            static_cast<std::int64_t>(poses.size() / 6)};
  }
};

// Numbers from a seed, the same on every machine: integers alone, but for one division.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  // A decimal fraction low/scale .. high/scale.
  float between(std::int64_t low, std::int64_t high, double scale) {
    const auto range = static_cast<std::uint64_t>(high - low + 1);
    return static_cast<float>((low + static_cast<std::int64_t>(next() % range)) / scale);
  }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// Made-up atoms with about the density, the radii and the charges of real ones, the ligand at one
// side of the protein; every kind of pair that the energy treats differently occurs. Shifts are as
// in the public decks, angles are anything.
inline HostDeck synthetic_deck(const Sizes& sizes, std::int64_t seed) {
  Numbers numbers(static_cast<std::uint64_t>(seed));
  HostDeck deck;
  for (std::int64_t t = 0; t < sizes.types; ++t) {
    constexpr std::int32_t hbtypes[] = {45, 70, 69, 68, 45, 70, 45, 69};  // none, F, E, D
    AtomType type = {hbtypes[t % 8], numbers.between(1420, 2100, 1e3), 0.0f, 0.0f};
    const float liking = numbers.between(100, 2500, 1e3);
    const float charge = numbers.between(-800, 800, 1e3);
    if (t % 5 != 4) type.hphb = t % 2 ? liking : -0.4f * liking;
    if (type.hbtype != 45) type.elsc = charge;
    deck.forcefield.push_back(type);
  }
  // in a box of so much volume per atom, whose third side is shorter and off the centre
  const auto fill = [&](std::vector<Atom>& atoms, std::int64_t count, double volume, double flat,
                        double centre) {
    const double side = std::cbrt(volume * static_cast<double>(count) / flat);
    const auto half = static_cast<std::int64_t>(500 * side);
    const auto low = static_cast<std::int64_t>(500 * side * flat * (centre - 1));
    const auto high = static_cast<std::int64_t>(500 * side * flat * (centre + 1));
    for (std::int64_t i = 0; i < count; ++i) {
      const float x = numbers.between(-half, half, 1e3), y = numbers.between(-half, half, 1e3);
      const float z = numbers.between(low, high, 1e3);
      const auto type = static_cast<std::int32_t>(numbers.between(0, sizes.types - 1, 1));
      atoms.push_back({x, y, z, type});
    }
  };
  fill(deck.protein, sizes.protein, 48, 0.75, -0.7);
  fill(deck.ligand, sizes.ligand, 12, 0.5, 0);
  deck.poses.resize(6 * sizes.poses);
  for (std::int64_t i = 0; i < sizes.poses; ++i)
    for (int k = 0; k < 6; ++k)
      deck.poses[k * sizes.poses + i] =
          k < 3 ? numbers.between(-3141592, 3141592, 1e6) : numbers.between(-7000, 7000, 1e3);
  return deck;
}

// The records of one file: little endian and packed, as they are in memory here.
template <class T>
std::vector<T> read_records(const std::filesystem::path& path) {
  std::error_code failure;
  const auto bytes = std::filesystem::file_size(path, failure);
  std::ifstream file(path, std::ios::binary);
  if (failure || !file) throw proxy::UsageError("--deck: " + path.string() + ": cannot be read");
  if (bytes == 0 || bytes % sizeof(T) != 0)
    throw proxy::UsageError("--deck: " + path.string(), std::to_string(bytes) + " bytes",
                            "a multiple of " + std::to_string(sizeof(T)));
  std::vector<T> records(bytes / sizeof(T));
  file.read(reinterpret_cast<char*>(records.data()), static_cast<std::streamsize>(bytes));
  if (!file) throw proxy::UsageError("--deck: " + path.string() + ": cannot be read to its end");
  return records;
}

// Energies of the first `count` poses: text, one number a line. Empty if there is no such file.
inline std::vector<double> read_energies(const std::filesystem::path& path, std::int64_t count) {
  std::vector<double> energies;
  std::ifstream file(path);
  if (!file) return energies;
  for (double energy = 0; static_cast<std::int64_t>(energies.size()) < count && file >> energy;)
    energies.push_back(energy);
  if (static_cast<std::int64_t>(energies.size()) < count)
    throw proxy::UsageError("--deck: " + path.string(),
                            std::to_string(energies.size()) + " energies",
                            "one for each of " + std::to_string(count) + " poses");
  return energies;
}

// The sizes are those that the options give, so that what is recorded is what was run; a deck may
// have more poses, of which the first are used.
inline HostDeck read_deck(const std::string& folder, const Sizes& sizes) {
  const std::filesystem::path path = folder;
  if (!std::filesystem::is_directory(path))
    throw proxy::UsageError("--deck", '"' + folder + '"',
                            "\"synthetic\" or a folder with protein.in, ligand.in, forcefield.in "
                            "and poses.in");
  HostDeck deck;
  deck.protein = read_records<Atom>(path / "protein.in");
  deck.ligand = read_records<Atom>(path / "ligand.in");
  deck.forcefield = read_records<AtomType>(path / "forcefield.in");
  const auto numbers = read_records<float>(path / "poses.in");
  if (numbers.size() % 6 != 0)
    throw proxy::UsageError("--deck: " + (path / "poses.in").string() +
                            ": its size is no multiple of 24");

  const auto same = [](const char* option, std::int64_t got, std::size_t there) {
    if (got != static_cast<std::int64_t>(there))
      throw proxy::UsageError(option, std::to_string(got),
                              std::to_string(there) + ", as many as the deck has");
  };
  same("--protein-atoms", sizes.protein, deck.protein.size());
  same("--ligand-atoms", sizes.ligand, deck.ligand.size());
  same("--atom-types", sizes.types, deck.forcefield.size());
  const auto there = static_cast<std::int64_t>(numbers.size() / 6);
  if (sizes.poses > there)
    throw proxy::UsageError("--poses", std::to_string(sizes.poses), "no more than the deck has",
                            std::to_string(there));
  for (const auto* atoms : {&deck.protein, &deck.ligand})
    for (const Atom& atom : *atoms)
      if (atom.type < 0 || atom.type >= sizes.types)
        throw proxy::UsageError("--deck: " + folder + ": an atom's type", std::to_string(atom.type),
                                "an index of forcefield.in",
                                "0 to " + std::to_string(sizes.types - 1));
  bool finite = true;
  for (const auto* atoms : {&deck.protein, &deck.ligand})
    for (const Atom& atom : *atoms) finite &= std::isfinite(atom.x + atom.y + atom.z);
  for (const AtomType& type : deck.forcefield)
    finite &= std::isfinite(type.radius + type.hphb + type.elsc);
  for (const float number : numbers) finite &= std::isfinite(number);
  if (!finite) throw proxy::UsageError("--deck: " + folder + ": a number in it is not finite");
  for (int k = 0; k < 6; ++k) {
    const auto begin = numbers.begin() + k * there;
    deck.poses.insert(deck.poses.end(), begin, begin + sizes.poses);
  }
  deck.energies = read_energies(path / "ref_energies.out", sizes.poses);
  return deck;
}

}  // namespace minibude
