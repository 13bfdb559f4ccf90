#pragma once
// World: what the parts of the D front-end may ask. It is the world of every language
// (front/world.h) and the options that D alone has.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/world.h"
#include "probe/probe.h"
#include "support/result.h"

namespace dt::support {
struct Diagnostic;
class Sources;
}  // namespace dt::support

namespace dt::d {

struct World;

// A file of the D libraries (docs/d-language.md).
struct LibraryFile {
  std::string path;
  std::string text;
};

constexpr std::uint32_t kNewestVersion = UINT32_MAX;

struct Options {
  // $target, $pid, $ppid, $uid, $euid, $gid, $egid, $pgid, $sid, $projid, $taskid
  // by name without '$'; $target only when -c or -p is given.
  std::function<std::optional<std::int64_t>(std::string_view name)> macro = {};
  // `#pragma D option name[=value]`, which may change the world; an error becomes
  // D_PRAGMA_OPTSET.
  std::function<Status(World& world, std::string_view name, std::string_view value)> set_option =
      {};
  // Reads the D libraries, in order; called once, when a name is not known
  // otherwise. Empty: there are none.
  std::function<std::vector<LibraryFile>()> libraries = {};
  // A library that cannot be used: its path, and why, which is within these sources.
  std::function<void(const std::string& path, const support::Diagnostic& why,
                     const support::Sources& sources)>
      library_left_out = {};
  std::uint32_t version = kNewestVersion;         // -x version: newer names are not there
  std::optional<probe::Attributes> minimum = {};  // -x amin
  bool want_stability = false;                    // Dump::stability is asked for
  std::uint32_t speculations = 1;                 // nspec: how many there can be at a time
  std::uint32_t java_stack_frames = 50;           // jstackframes
  bool default_args = false;                      // -x defaultargs
  bool allow_empty = false;                       // -x empty
};

struct World : front::World, Options {};

}  // namespace dt::d
