#pragma once
// Recordings that nobody's dtrace has written.

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "recording/format.h"

namespace dt::hostile {

// The same numbers for the same seed, everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t word() { return engine_(); }
  // Below `limit`; 0 when that is 0.
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : engine_() % limit; }
  bool one_in(std::uint64_t number) { return below(number) == 0; }
  // What a number that was `known` is replaced by: near it, near 0, near a limit.
  std::uint64_t number(std::uint64_t known);

 private:
  std::mt19937_64 engine_;
};

// A recording taken apart, so that what is damaged in it can be packed again with sums that agree.
struct Sample {
  std::string name;
  std::string bytes;
  struct Chunk {
    recording::ChunkHeader header;
    std::string raw;
  };
  std::vector<Chunk> chunks;
};
Sample take_apart(std::string name, std::string bytes);

struct Damaged {
  std::string what;
  std::string bytes;
};
Damaged damage(const Sample& sample, Random& random);

}  // namespace dt::hostile
