#pragma once
// Probes that begin and end something: the table pairs.def.

#include <cstdint>
#include <string>
#include <vector>

#include "record/schema.h"

namespace dt::view {

enum class Matching : std::uint8_t { kThread, kCpu, kValue };

// What a record of an enabled probe is to a pair.
struct Role {
  enum class Kind : std::uint8_t { kNone, kBegin, kEnd } kind = Kind::kNone;
  std::uint32_t pair = 0;  // equal for the beginning and the end of one thing
  Matching matching = Matching::kThread;
};

// How the probe of an end is called, for each way in which this one may begin something.
struct End {
  std::string provider, module, function, name;
  Matching matching = Matching::kThread;
};
std::vector<End> ends_of(const record::ProbeNames& begin);

// By enabled probe id - 1: of those whose clause has one of the layouts, whether they begin or end
// something.
std::vector<Role> find_roles(const record::Schema& schema,
                             const std::vector<std::uint32_t>& layouts);

// What is between two such probes: "read" of syscall::read:entry, "io" of io:::start.
std::string name_of_pair(const record::ProbeNames& begin);

// The same of the probe that ends it.
std::string name_of_end(const record::ProbeNames& end);

}  // namespace dt::view
