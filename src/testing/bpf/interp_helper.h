#pragma once
// The BPF helpers of the interpreter.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testing/bpf/interp.h"

namespace dt::bpf {

// What helpers leave behind during one run.
struct RunState {
  std::map<std::uint64_t, ModelMap*> reserved;  // ring records not yet submitted
  std::vector<std::uint64_t> deleted;           // map values, readable until the end
};

struct HelperCall {
  World& world;
  RunState& state;
  std::int32_t number = 0;
  const std::uint64_t* args = nullptr;  // r1-r5
  std::uint64_t result = 0;
  std::string error;  // set on misuse, which a verifier would refuse
};

void call_helper(HelperCall& call);

}  // namespace dt::bpf
