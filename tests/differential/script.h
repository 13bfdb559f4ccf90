#pragma once
// A random D script in pieces, so that it can be made smaller, and the firings
// that it is to see.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bpf/layout/memory.h"

namespace dt::differential {

// One firing: which probe, and its arguments.
struct Firing {
  std::uint32_t key = 0;
  std::array<std::int64_t, 10> arguments = {};
};

struct Statement {
  std::string text;  // "if (x)" when it has branches
  std::vector<Statement> then, otherwise;
  bool is_if = false;
  bool is_bare = false;  // one statement in a branch stands without braces
};

struct Clause {
  std::string probes;
  std::string predicate;  // empty = none
  std::vector<Statement> body;
};

struct Script {
  std::vector<std::string> declarations;
  std::vector<Clause> clauses;
  std::vector<Firing> firings;
  bool is_divided = false;  // every clause in a function of its own

  std::string text() const;
};

// The probes that scripts are about: diff::f0:go to diff::f3:go, key = number.
constexpr std::uint32_t kProbes = 4;

// User memory that the scripts read: one page and nothing about it. Its last
// kUserBytes are where they mostly look; the others are zeros.
constexpr std::uint64_t kUserPage = 0x10000000;
constexpr std::uint64_t kUserPageBytes = 4096;
constexpr std::uint64_t kUserBytes = 96;
constexpr std::uint64_t kUserBase = kUserPage + kUserPageBytes - kUserBytes;
// In the middle are pointers to one another.
constexpr std::uint64_t kUserPointers = kUserPage + 1024;
constexpr std::uint32_t kPointers = 128;
std::vector<std::uint8_t> user_page();

// The same script for the same seed and machine (whose task_struct scripts
// look into).
Script random_script(std::uint64_t seed, const bpf::Machine& machine);

}  // namespace dt::differential
