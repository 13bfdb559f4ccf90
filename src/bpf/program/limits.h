#pragma once

#include <cstdint>

namespace dt::bpf {

// How much of a program one function may hold, in weights that are rough numbers
// of BPF instructions; parts.h says what becomes of more.
struct Limits {
  std::uint32_t whole = 2500;  // clauses that are heavier together are divided
  std::uint32_t part = 400;    // then a part of them is at least that heavy
};

}  // namespace dt::bpf
