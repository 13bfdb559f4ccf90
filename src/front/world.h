#pragma once
// World: everything that a front-end may know about the machine and the request.
//
// A front-end is a function of text and World. It asks the kernel nothing itself,
// so it runs in a fuzzer, without root and without a kernel's type information.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/probe.h"
#include "support/result.h"
#include "types/type.h"

namespace dt::symbol {
class Kallsyms;
}

namespace dt::front {

// Everything that a front-end may know about the world.
struct World {
  types::Catalog& types;
  const probe::Catalog& probes;
  std::vector<std::string> macro_args = {};  // the script's name and its arguments: $0, $1, ...
  // Options that the script declares, by name (script_option.h).
  std::map<std::string, std::string> named_args = {};
  // Whether a module is in the kernel.
  std::function<bool(std::string_view name)> has_module = {};
  // Options that matter to every language.
  std::uint32_t string_size = 256;     // strsize
  std::uint32_t scratch_size = 16384;  // scratchsize: bytes that one firing can allocate
  std::uint32_t packet_size = 256;     // pcapsize: bytes of a packet that pcap() records
  std::uint32_t stack_frames = 20;
  std::uint32_t user_stack_frames = 20;
  bool record_time = false;        // -x oformat: records carry the time of their firing
  bool record_thread = false;      // and the process and thread that fired
  bool allow_destructive = false;  // -w
  bool allow_unmatched = false;    // -Z
  bool in_first_processes = true;  // dtrace is in the first namespace of processes
  // Where the kernel's functions and variables are; null: they cannot be named.
  symbol::Kallsyms* kallsyms = nullptr;
};

}  // namespace dt::front
