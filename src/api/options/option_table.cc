// -x options and #pragma D option: their table, and where each may be set.

#include "api/options/option_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "api/options/option_kinds.h"
#include "api/options/option_special.h"
#include "record/stack_depth.h"
#include "support/check.h"
#include "support/nearest.h"

namespace dt::api {

// It is asked for each record, so it makes no text.
bool dumps(const Options& options, std::string_view stage) {
  std::string_view rest = options.dump;
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find(','), rest.size());
    if (rest.substr(0, length) == stage) return true;
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return false;
}

namespace {

enum class When : std::uint8_t { kCompile, kRuntime, kDynamic };
enum class Verdict : std::uint8_t { kUsed, kAccepted, kRefused, kMeaningless };

struct Known {
  std::string_view name;
  When when;
  Kind kind;
  Verdict verdict = Verdict::kUsed;
  std::string_view why = {};
};

constexpr std::uint64_t kMaxStringBytes = 64ULL << 10;
constexpr std::uint64_t kMaxScratchBytes = 1ULL << 20;
constexpr std::uint64_t kMaxPacketBytes = 4096;
constexpr std::uint64_t kLeastRecordBytes = 1ULL << 20;
constexpr std::uint64_t kMaxSpeculations = 1024;
constexpr std::uint64_t kMaxFrames = record::kMostStackFrames;
constexpr std::uint64_t kMaxIndent = 1ULL << 16;
constexpr std::uint64_t kMaxSortPosition = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kShortestRateNs = 200'000;            // 5000hz
constexpr std::uint64_t kLongestRateNs = 86'400'000'000'000;  // a day
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

constexpr Known kKnown[] = {
#define DT_OPTION(name, when, ...) {#name, When::when, __VA_ARGS__},
#define DT_UNUSED(name, when, kind, verdict, why) {#name, When::when, kind, Verdict::verdict, why},
#include "api/options/options.def"
#undef DT_OPTION
#undef DT_UNUSED
};

const Known* find(std::string_view name) {
  for (const Known& known : kKnown) {
    if (known.name == name) {
      return &known;
    }
  }
  return nullptr;
}

Error unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Known& known : kKnown) {
    names.push_back(known.name);
  }
  const std::string near = support::nearest(name, names);
  return Error::of("Invalid option name", support::did_you_mean(near));
}

}  // namespace

Status set_option(Options& options, std::string_view name, std::string_view value) {
  const Known* const known = find(name);
  if (known == nullptr) {
    return unknown(name);
  }
  switch (known->verdict) {
    case Verdict::kMeaningless:
      DT_TRY(set_value(options, name, known->kind, value));
      return Error::of("this option means nothing here", std::string(known->why));
    case Verdict::kRefused:
      return Error::of("this option is not supported", std::string(known->why));
    case Verdict::kUsed:
      options.given.emplace(name);
      return set_value(options, name, known->kind, value);
    case Verdict::kAccepted:
      DT_TRY(set_value(options, name, known->kind, value));
      options.notes.push_back(
          fmt::format("option '{}' changes nothing here: {}", name, known->why));
      return {};
  }
  DT_UNREACHABLE();
}

std::string unused_on_replay(const Options& options) {
  // Those of output, and of what the command itself shows.
  constexpr std::string_view kUsed[] = {
      "aggzoom",     "agghist",    "aggpack",       "aggpercpu", "aggnonzero", "aggsortkey",
      "aggsortrev",  "aggsortpos", "aggsortkeypos", "bare",      "base",       "droptags",
      "encoding",    "flowindent", "inlines",       "lines",     "listen",     "oformat",
      "push",        "quiet",      "range",         "rawbytes",  "refresh",    "specsize",
      "stackindent", "stats",      "verbose",       "view"};
  for (const std::string& name : options.given) {
    if (std::find(std::begin(kUsed), std::end(kUsed), name) == std::end(kUsed)) return name;
  }
  return "";
}

bool option_flag(const Options& options, std::string_view name) {
  const Known* const known = find(name);
  const Flag* const flag = known == nullptr ? nullptr : std::get_if<Flag>(&known->kind);
  return flag != nullptr && flag->member != nullptr && options.*flag->member;
}

std::string option_text(const Options& options, std::string_view name) {
  const Known* const known = find(name);
  return known == nullptr ? std::string() : value_text(options, known->kind);
}

Status set_pragma_option(Options& options, std::string_view name, std::string_view value) {
  for (const std::string_view early :
       {"cpp", "cppargs", "cpphdrs", "cpppath", "define", "incdir", "push", "record", "recordsize",
        "setenv", "stdc", "tree", "undef", "unsetenv"}) {
    if (name == early) {
      return Error::of("Option cannot be used from within a D program");
    }
  }
  return set_option(options, name, value);
}

Status set_dynamic_option(Options& options, std::string_view name, std::string_view value) {
  const Known* const known = find(name);
  if (known != nullptr && known->when != When::kDynamic) {
    return Error::of("Operation illegal when tracing is active");
  }
  return set_option(options, name, value);
}

}  // namespace dt::api
