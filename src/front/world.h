#pragma once
// World: everything that a front-end may know about the machine and the request.
//
// A front-end is a function of text and World. It asks the kernel nothing itself,
// so it runs in a fuzzer, without root and without a kernel's type information.

#include <cstdint>
#include <functional>
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

// A file of a language's libraries.
struct LibraryFile {
  std::string path;
  std::string text;
};

constexpr std::uint32_t kNewestVersion = UINT32_MAX;

// Everything that a front-end may know about the world.
struct World {
  types::Catalog& types;
  const probe::Catalog& probes;
  std::vector<std::string> macro_args;  // $0 (the script's name), $1, ...
  // $target, $pid, $ppid, $uid, $euid, $gid, $egid, $pgid, $sid, $projid, $taskid
  // by name without '$'; $target only when -c or -p is given.
  std::function<std::optional<std::int64_t>(std::string_view name)> macro;
  // `#pragma D option name[=value]`; an error becomes D_PRAGMA_OPTSET.
  std::function<Status(std::string_view name, std::string_view value)> set_option;
  // Reads the D libraries, in order; called once, when a name is not known
  // otherwise. Empty: there are none.
  std::function<std::vector<LibraryFile>()> libraries = {};
  // A library that cannot be used: its path, the headline and the excerpt.
  std::function<void(const std::string& path, const std::string& headline,
                     const std::string& excerpt)>
      library_left_out = {};
  // Whether a module is in the kernel, for `#pragma D depends_on module`.
  std::function<bool(std::string_view name)> has_module = {};
  std::uint32_t version = kNewestVersion;         // -x version: newer names are not there
  std::optional<probe::Attributes> minimum = {};  // -x amin
  bool want_stability = false;                    // Dump::stability is asked for
  // Options that matter to the language, asked for when needed.
  std::uint32_t string_size = 256;     // strsize; set_option may change it while pragmas are read
  std::uint32_t scratch_size = 16384;  // scratchsize: bytes that one firing can allocate
  std::uint32_t packet_size = 256;     // pcapsize: bytes of a packet that pcap() records
  std::uint32_t speculations = 1;      // nspec: how many there can be at a time
  std::uint32_t stack_frames = 20;
  std::uint32_t user_stack_frames = 20;
  std::uint32_t java_stack_frames = 50;
  bool record_time = false;        // -x oformat: records carry the time of their firing
  bool default_args = false;       // -x defaultargs
  bool allow_empty = false;        // -x empty
  bool allow_destructive = false;  // -w
  bool allow_unmatched = false;    // -Z
  bool in_first_processes = true;  // dtrace is in the first namespace of processes
  // Where the kernel's functions and variables are; null: they cannot be named.
  symbol::Kallsyms* kallsyms = nullptr;
};

}  // namespace dt::front
