#pragma once
// The values of -x options and of #pragma D option. options.def is the list of
// names, and says which member each sets; option_table.h sets one by its name.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dtrace/options.h"
#include "probe/probe.h"
#include "runtime/beginning.h"
#include "runtime/sizes.h"
#include "support/result.h"

namespace dt::api {

// A value above the highest possible one: what was asked for, and what is used.
struct Lowered {
  std::string name;
  std::uint64_t asked = 0, used = 0;
};

// The values of options that are used, with DTrace's defaults.
struct Options {
  std::string dump;  // stages, as in "typed,ir"
  std::string stop, explain, machine;
  bool stats = false;
  bool argref = false, cpp = false, defaultargs = false, droptags = false, empty = false;
  bool errtags = false, verbose = false, zdefs = false, follow = false, destructive = false,
       quiet = false;
  bool temporal = false;
  bool lines = false, inlines = false;  // of stacks
  bool noresolve = false;
  runtime::Beginning evaltime = runtime::Beginning::kEntry;
  std::string ctypes, dtypes;  // files to write types to
  std::string cpppath = "cpp";
  bool nolibs = false;
  std::string syslibdir;
  std::vector<std::string> libdirs;    // -L, -x libdir
  std::uint32_t version = UINT32_MAX;  // of D: the newest, with all its names
  std::optional<probe::Attributes> amin;
  bool demangles_stacks = true, demangles_probes = false;  // demangle
  std::string compat;                    // "solaris"; empty: system calls have the names of Linux
  std::vector<std::string> cpp_args;     // -D, -U, -I in order
  std::vector<std::string> environment;  // NAME=value to set, NAME to remove, for -c
  std::uint64_t aggsize = 4ULL << 20;
  std::uint64_t bufsize = 4ULL << 20;
  std::uint64_t dynvarsize = 1ULL << 20;
  std::uint32_t nspec = 1;
  std::uint64_t specsize = 32ULL << 10;
  std::uint64_t scratchsize = 16ULL << 10;
  std::uint64_t pcapsize = 256;
  std::uint64_t strsize = 256;
  std::uint64_t switchrate_ns = 0;  // 0: as it fits what comes
  std::uint64_t statusrate_ns = 1'000'000'000, deadman_ns = 30'000'000'000;
  std::uint32_t stackframes = 20, ustackframes = 20, jstackframes = 50;
  std::uint32_t stackindent = 14, aggsortpos = 0, aggsortkeypos = 0;
  bool aggsortkey = false, aggsortrev = false, aggzoom = false, rawbytes = false, bare = false;
  bool flowindent = false, refresh = false, agghist = false, aggpack = false, aggpercpu = false;
  bool aggnonzero = false;
  bool bufresize = true;  // auto
  bool quietresize = false;
  bool utf8 = false;                  // encoding
  std::string oformat;                // "json", "jsonl", "csv"; empty: text
  std::string record;                 // a file, or "-"
  std::uint64_t recordsize = 0;       // bytes of it that are kept, the latest; 0: all
  std::optional<std::string> listen;  // a port or a path; empty: a free port
  std::string push;                   // a URL
  std::string base;                   // a recording that a picture is compared with
  std::string range;                  // of a recording, "10s..20s"; empty: all of it
  std::vector<std::string> views;     // hints on pictures: view/plan.h
  std::uint64_t aggrate_ns = 1'000'000'000;
  runtime::BufferPolicy bufpolicy = runtime::BufferPolicy::kSwitch;
  std::optional<std::uint32_t> cpu;
  std::string zone;    // empty: all of them
  std::string cgroup;  // the same
  std::vector<Lowered> lowered;
  std::set<std::string, std::less<>> given;  // their names, also of pragmas
  std::vector<std::string> notes;            // for -v: options that change nothing, and why
};

// Whether -x dump names the stage.
bool dumps(const Options& options, std::string_view stage);

}  // namespace dt::api

struct __attribute__((visibility("hidden"))) dtrace::Options::State {
  dt::api::Options values;
};
