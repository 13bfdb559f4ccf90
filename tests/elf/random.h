#pragma once
// The same numbers for the same seed, everywhere.

#include <cstdint>
#include <random>
#include <span>

namespace dt::elf {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t word() { return engine_(); }
  // Below `limit`; 0 when that is 0.
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  bool one_in(std::uint64_t number) { return below(number) == 0; }
  template <typename Container>
  const auto& of(const Container& all) {
    return all[below(std::size(all))];
  }
  // What fields of sizes and places are damaged with: near 0, near a limit, near `known`.
  std::uint64_t number(std::uint64_t known) {
    switch (below(10)) {
      case 0:
        return 0;
      case 1:
        return below(16);
      case 2:
        return known + below(17) - 8;
      case 3:
        return ~std::uint64_t{0} - below(64);
      case 4:
        return std::uint64_t{1} << below(64);
      case 5:
        return (std::uint64_t{1} << below(64)) - 1;
      case 6:
        return below(known * 2 + 1);
      case 7:
        return 0 - known;
      case 8:
        return known ^ std::uint64_t{1} << below(64);
      default:
        return word();
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace dt::elf
