#pragma once
// Firing: where in its scratch frame a firing keeps what its program's parts share
// (parts.h draws it).

#include <cstdint>
#include <map>

#include "ir/ir.h"

namespace dt::bpf {

struct Firing {
  explicit Firing(std::uint32_t begin)
      : slot(begin), time(begin + 8), vtime(begin + 16), zero_end(begin + 24), end(begin + 24) {}

  std::uint32_t slot, time, vtime;
  std::uint32_t number = ir::kNone;                  // where firings have numbers
  std::map<std::uint32_t, std::uint32_t> locals;     // offset by variable
  std::map<std::uint32_t, std::uint32_t> arguments;  // offset by number
  std::map<std::uint32_t, std::uint32_t> registers;  // likewise
  std::uint32_t error_number = ir::kNone;
  std::uint32_t index = ir::kNone;   // the frame's number, where its region is used
  std::uint32_t tokens = ir::kNone;  // strtok's state
  std::uint32_t zero_end;            // [time, zero_end) is zeroed by main
  std::uint32_t end;
};

}  // namespace dt::bpf
