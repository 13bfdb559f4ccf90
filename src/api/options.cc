// -x options and #pragma D option: names, values, what is done with each.

#include "api/options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "d/front_end.h"
#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::api {
namespace {

enum class When : std::uint8_t { kCompile, kRuntime, kDynamic };
enum class Type : std::uint8_t { kFlag, kNumber, kSize, kRate, kText };
enum class Support : std::uint8_t { kUsed, kAccepted, kRefused, kMeaningless };

struct Known {
  std::string_view name;
  When when;
  Type type;
  Support support;
  std::string_view why;
};

constexpr Known kKnown[] = {
#define DT_OPTION(name, when, type, support, why) \
  {#name, When::when, Type::type, Support::support, why},
#include "api/options.def"
#undef DT_OPTION
};

Error invalid_value(std::string remedy = {}) {
  return Error{"Invalid value for specified option", 0, std::move(remedy), ""};
}

constexpr const char* kSizeWanted = "it is a number of bytes, such as 4096, 64k or 4m";
constexpr const char* kRateWanted = "it is a rate or a time, such as 10hz, 100ms or 5s";

constexpr std::uint64_t kMinStringSize = 8;
constexpr std::uint64_t kMaxStringSize = 64ULL << 10;
constexpr std::uint64_t kMaxScratchSize = 1ULL << 20;
constexpr std::uint64_t kMaxPacketSize = 4096;
constexpr std::uint64_t kMaxSpeculations = 1024;
constexpr std::uint64_t kMaxFrames = 127;
constexpr std::uint64_t kMaxBufferBytes = 1ULL << 30;
constexpr std::uint64_t kMaxCpu = 65535;

// Leading digits (decimal, 0x hex or 0 octal) of `text`, the rest in `rest`.
bool leading_number(std::string_view text, std::uint64_t& value, std::string_view& rest) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) {
    return false;
  }
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return true;
}

Result<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  std::string_view rest;
  if (!leading_number(text, value, rest) || !rest.empty()) {
    return invalid_value("it is a whole number");
  }
  return value;
}

Result<bool> parse_flag(std::string_view text) {
  if (text.empty() || text == "on" || text == "1" || text == "yes" || text == "true" ||
      text == "enable") {
    return true;
  }
  if (text == "off" || text == "0" || text == "no" || text == "false" || text == "disable") {
    return false;
  }
  return invalid_value("it is on or off");
}

// Where an option's value is kept; `OptionsOf` is Options or const Options.
template <typename OptionsOf>
auto flag_of(OptionsOf& o, std::string_view name) -> decltype(&o.stats) {
  const std::pair<std::string_view, decltype(&o.stats)> flags[] = {
      {"stats", &o.stats},
      {"argref", &o.argref},
      {"cpp", &o.cpp},
      {"defaultargs", &o.defaultargs},
      {"droptags", &o.droptags},
      {"empty", &o.empty},
      {"errtags", &o.errtags},
      {"verbose", &o.verbose},
      {"zdefs", &o.zdefs},
      {"follow", &o.follow},
      {"lines", &o.lines},
      {"inlines", &o.inlines},
      {"destructive", &o.destructive},
      {"quiet", &o.quiet},
      {"aggsortkey", &o.aggsortkey},
      {"aggsortrev", &o.aggsortrev},
      {"aggzoom", &o.aggzoom},
      {"rawbytes", &o.rawbytes},
      {"flowindent", &o.flowindent},
      {"agghist", &o.agghist},
      {"aggpack", &o.aggpack},
      {"aggpercpu", &o.aggpercpu},
      {"quietresize", &o.quietresize},
      {"nolibs", &o.nolibs},
  };
  for (const auto& [flag, place] : flags) {
    if (flag == name) {
      return place;
    }
  }
  return nullptr;
}

Status set_flag(Options& o, std::string_view name, bool value) {
  if (name == "cpphdrs") {
    if (value) o.cpp_args.emplace_back("-H");
    return {};
  }
  bool* const flag = flag_of(o, name);
  DT_CHECK(flag != nullptr, "option {} is used but has no place", name);
  *flag = value;
  return {};
}

Status set_bounded(std::uint64_t value, std::uint64_t low, std::uint64_t high,
                   std::uint64_t& target) {
  if (value < low || value > high) {
    return Error{"Invalid value for specified option", 0,
                 fmt::format("it must be between {} and {}", low, high), ""};
  }
  target = value;
  return {};
}

Status set_u32(std::uint64_t value, std::uint64_t high, std::uint32_t& target) {
  std::uint64_t checked = 0;
  DT_TRY(set_bounded(value, 0, high, checked));
  target = static_cast<std::uint32_t>(checked);
  return {};
}

Status set_number(Options& o, std::string_view name, std::uint64_t value) {
  if (name == "tree") {
    o.dump = value % 2 == 1 ? "ast" : "typed";
    return {};
  }
  if (name == "bufsize") return set_bounded(value, 64, kMaxBufferBytes, o.bufsize);
  if (name == "aggsize") return set_bounded(value, 64, kMaxBufferBytes, o.aggsize);
  if (name == "dynvarsize") return set_bounded(value, 64, kMaxBufferBytes, o.dynvarsize);
  if (name == "specsize") return set_bounded(value, 8, kMaxBufferBytes, o.specsize);
  if (name == "nspec") {
    std::uint64_t checked = 0;
    DT_TRY(set_bounded(value, 1, kMaxSpeculations, checked));
    o.nspec = static_cast<std::uint32_t>(checked);
    return {};
  }
  if (name == "cpu") {
    std::uint64_t checked = 0;
    DT_TRY(set_bounded(value, 0, kMaxCpu, checked));
    o.cpu = static_cast<std::uint32_t>(checked);
    return {};
  }
  if (name == "pcapsize") return set_bounded(value, 16, kMaxPacketSize, o.pcapsize);
  if (name == "scratchsize") return set_bounded(value, 8, kMaxScratchSize, o.scratchsize);
  if (name == "strsize") return set_bounded(value, kMinStringSize, kMaxStringSize, o.strsize);
  if (name == "stackframes") return set_u32(value, kMaxFrames, o.stackframes);
  if (name == "ustackframes") return set_u32(value, kMaxFrames, o.ustackframes);
  if (name == "jstackframes") return set_u32(value, kMaxFrames, o.jstackframes);
  if (name == "stackindent") return set_u32(value, 256, o.stackindent);
  if (name == "aggsortpos") return set_u32(value, 1024, o.aggsortpos);
  if (name == "aggsortkeypos") return set_u32(value, 1024, o.aggsortkeypos);
  DT_UNREACHABLE("option {} is used but has no place", name);
}

Status one_of(std::string_view value, std::initializer_list<std::string_view> allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end()
             ? Status()
             : Status(invalid_value(fmt::format("it is one of {}", fmt::join(allowed, ", "))));
}

// -x version: the names of that version of D and of those before it.
Status set_version(Options& o, std::string_view value) {
  const auto version = d::parse_version(value);
  if (!version) {
    return invalid_value();
  }
  if (*version < d::parse_version("1.0") || *version > d::parse_version(d::kVersion)) {
    return Error{fmt::format("version {} of D is not known", value), 0,
                 fmt::format("versions 1.0 to {} are", d::kVersion), ""};
  }
  o.version = *version;
  return {};
}

Status set_text(Options& o, std::string_view name, std::string_view value) {
  if (name == "bufresize") {
    DT_TRY(one_of(value, {"auto", "manual"}));
    o.bufresize = value == "auto";
    return {};
  }
  if (name == "bufpolicy") {
    using runtime::BufferPolicy;
    DT_TRY(one_of(value, {"switch", "fill", "ring"}));
    o.bufpolicy = value == "fill"   ? BufferPolicy::kFill
                  : value == "ring" ? BufferPolicy::kRing
                                    : BufferPolicy::kSwitch;
    return {};
  }
  if (name == "demangle") {
    DT_TRY(one_of(value.empty() ? "all" : value, {"none", "stacks", "all"}));
    o.demangles_stacks = value != "none";
    o.demangles_probes = value.empty() || value == "all";
    return {};
  }
  if (value.empty()) {
    return invalid_value();
  }
  if (name == "oformat") {
    DT_TRY(one_of(value, {"text", "json", "jsonl"}));
    o.oformat = value == "text" ? "" : value;
    return {};
  }
  if (name == "encoding") {
    DT_TRY(one_of(value, {"ascii", "utf8"}));
    o.utf8 = value == "utf8";
    return {};
  }
  if (name == "machine") {
    DT_TRY(one_of(value, {"reference"}));
    o.machine = value;
    return {};
  }
  if (name == "amin") {
    o.amin = probe::parse_attributes(value);
    return o.amin ? Status() : invalid_value("it is a stability, such as Evolving/Evolving/Common");
  }
  if (name == "version") {
    return set_version(o, value);
  }
  if (name == "evaltime") {  // a command of -c always stands at its first instruction
    return one_of(value, {"exec", "preinit", "postinit", "main"});
  }
  if (name == "stdc") {
    if (value == "s") o.cpp_args.emplace_back("-traditional-cpp");
    return one_of(value, {"a", "c", "s", "t"});
  }
  const std::string text(value);
  if (name == "define" || name == "undef" || name == "incdir") {
    o.cpp_args.push_back((name == "define" ? "-D" : name == "undef" ? "-U" : "-I") + text);
    return {};
  }
  if (name == "cppargs") {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) o.cpp_args.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return {};
  }
  if (name == "setenv" || name == "unsetenv") {
    const std::size_t equals = text.find('=');
    const bool sets = name == "setenv";
    if (text.empty() || equals == 0 || sets == (equals == std::string::npos)) {
      return Error{"Invalid value for specified option", 0,
                   sets ? "it is a NAME=value" : "it is a NAME", ""};
    }
    o.environment.push_back(text);
    return {};
  }
  if (name == "dump")
    o.dump = text;
  else if (name == "stop")
    o.stop = text;
  else if (name == "explain")
    o.explain = text;
  else if (name == "ctypes")
    o.ctypes = text;
  else if (name == "dtypes")
    o.dtypes = text;
  else if (name == "syslibdir")
    o.syslibdir = text;
  else if (name == "libdir")
    o.libdirs.push_back(text);
  else if (name == "cpppath")
    o.cpppath = text;
  else if (name == "zone")
    o.zone = text;
  else
    DT_UNREACHABLE("option {} is used but has no place", name);
  return {};
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t value = 0;
  std::string_view suffix;
  if (!leading_number(text, value, suffix)) {
    return invalid_value(kSizeWanted);
  }
  unsigned shift = 0;
  if (suffix == "k" || suffix == "K")
    shift = 10;
  else if (suffix == "m" || suffix == "M")
    shift = 20;
  else if (suffix == "g" || suffix == "G")
    shift = 30;
  else if (suffix == "t" || suffix == "T")
    shift = 40;
  else if (!suffix.empty())
    return invalid_value(kSizeWanted);
  if (value > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    return invalid_value(kSizeWanted);
  }
  return value << shift;
}

Result<std::uint64_t> parse_rate_ns(std::string_view text) {
  static constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
      {"ns", 1ULL},
      {"nsec", 1ULL},
      {"us", 1000ULL},
      {"usec", 1000ULL},
      {"ms", 1000000ULL},
      {"msec", 1000000ULL},
      {"s", 1000000000ULL},
      {"sec", 1000000000ULL},
      {"m", 60000000000ULL},
      {"min", 60000000000ULL},
      {"h", 3600000000000ULL},
      {"hour", 3600000000000ULL},
      {"d", 86400000000000ULL},
      {"day", 86400000000000ULL},
  };
  std::uint64_t value = 0;
  std::string_view suffix;
  if (!leading_number(text, value, suffix) || value == 0) {
    return invalid_value(kRateWanted);
  }
  if (suffix.empty() || suffix == "hz") {
    if (value > 1000000000ULL) {
      return invalid_value(kRateWanted);
    }
    return 1000000000ULL / value;
  }
  for (const auto& [unit, ns] : kUnits) {
    if (suffix == unit) {
      if (value > std::numeric_limits<std::uint64_t>::max() / ns) {
        return invalid_value(kRateWanted);
      }
      return value * ns;
    }
  }
  return invalid_value(kRateWanted);
}

namespace {

constexpr std::uint64_t kShortestRateNs = 200'000;            // 5000hz
constexpr std::uint64_t kLongestRateNs = 86'400'000'000'000;  // a day

Status set_rate(Options& o, std::string_view name, std::uint64_t rate_ns) {
  if (name == "deadman") {
    o.deadman_ns = rate_ns;
    return {};
  }
  const std::uint64_t within = std::clamp(rate_ns, kShortestRateNs, kLongestRateNs);
  (name == "statusrate" ? o.statusrate_ns : o.switchrate_ns) = within;
  return {};
}

// Checks the value and, where it is used, sets the option.
Status set_value(Options& options, const Known& known, std::string_view value) {
  const bool is_used = known.support == Support::kUsed;
  switch (known.type) {
    case Type::kFlag: {
      DT_ASSIGN(const bool flag, parse_flag(value));
      return is_used ? set_flag(options, known.name, flag) : Status();
    }
    case Type::kNumber: {
      DT_ASSIGN(const std::uint64_t number, parse_number(value));
      return is_used ? set_number(options, known.name, number) : Status();
    }
    case Type::kSize: {
      DT_ASSIGN(const std::uint64_t size, parse_size(value));
      return is_used ? set_number(options, known.name, size) : Status();
    }
    case Type::kRate: {
      DT_ASSIGN(const std::uint64_t rate_ns, parse_rate_ns(value));
      return is_used ? set_rate(options, known.name, rate_ns) : Status();
    }
    case Type::kText:
      return is_used ? set_text(options, known.name, value) : Status();
  }
  DT_UNREACHABLE();
}

}  // namespace

Status set_option(Options& options, std::string_view name, std::string_view value) {
  const Known* known = nullptr;
  std::vector<std::string_view> names;
  for (const Known& each : kKnown) {
    names.push_back(each.name);
    if (each.name == name) {
      known = &each;
    }
  }
  if (known == nullptr) {
    const std::string near = support::nearest(name, names);
    return Error{"Invalid option name", 0,
                 near.empty() ? "" : fmt::format("did you mean '{}'?", near), ""};
  }
  if (known->support == Support::kMeaningless) {
    return Error{"this option means nothing here", 0, std::string(known->why), ""};
  }
  if (known->support == Support::kRefused) {
    return Error{"this option is not supported", 0, std::string(known->why), ""};
  }
  DT_TRY(set_value(options, *known, value));
  if (known->support == Support::kAccepted) {
    options.notes.push_back(fmt::format("option '{}' changes nothing here: {}", name, known->why));
  }
  return {};
}

bool option_flag(const Options& options, std::string_view name) {
  const bool* const flag = flag_of(options, name);
  return flag != nullptr && *flag;
}

std::string option_text(const Options& o, std::string_view name) {
  if (const bool* const flag = flag_of(o, name)) {
    return *flag ? "1" : "0";
  }
  const std::pair<std::string_view, std::uint64_t> numbers[] = {
      {"aggsize", o.aggsize},
      {"bufsize", o.bufsize},
      {"dynvarsize", o.dynvarsize},
      {"nspec", o.nspec},
      {"specsize", o.specsize},
      {"scratchsize", o.scratchsize},
      {"pcapsize", o.pcapsize},
      {"strsize", o.strsize},
      {"switchrate", o.switchrate_ns},
      {"statusrate", o.statusrate_ns},
      {"deadman", o.deadman_ns},
      {"stackframes", o.stackframes},
      {"ustackframes", o.ustackframes},
      {"jstackframes", o.jstackframes},
      {"stackindent", o.stackindent},
      {"aggsortpos", o.aggsortpos},
      {"aggsortkeypos", o.aggsortkeypos},
  };
  for (const auto& [number, value] : numbers) {
    if (number == name) {
      return std::to_string(value);
    }
  }
  const std::pair<std::string_view, const std::string*> texts[] = {
      {"dump", &o.dump},           {"stop", &o.stop},       {"explain", &o.explain},
      {"machine", &o.machine},     {"ctypes", &o.ctypes},   {"dtypes", &o.dtypes},
      {"syslibdir", &o.syslibdir}, {"cpppath", &o.cpppath}, {"oformat", &o.oformat},
      {"zone", &o.zone},
  };
  for (const auto& [text, value] : texts) {
    if (text == name) {
      return *value;
    }
  }
  if (name == "cpu") return o.cpu ? std::to_string(*o.cpu) : "";
  if (name == "encoding") return o.utf8 ? "utf8" : "ascii";
  if (name == "bufresize") return o.bufresize ? "auto" : "manual";
  if (name == "amin") return o.amin ? probe::to_string(*o.amin) : "";
  if (name == "bufpolicy") {
    switch (o.bufpolicy) {
      case runtime::BufferPolicy::kSwitch:
        return "switch";
      case runtime::BufferPolicy::kFill:
        return "fill";
      case runtime::BufferPolicy::kRing:
        return "ring";
    }
  }
  return {};
}

Status set_pragma_option(Options& options, std::string_view name, std::string_view value) {
  for (const std::string_view early : {"cpp", "cppargs", "cpphdrs", "cpppath", "define", "incdir",
                                       "setenv", "stdc", "tree", "undef", "unsetenv"}) {
    if (name == early) {
      return Error{"Option cannot be used from within a D program", 0, "", ""};
    }
  }
  return set_option(options, name, value);
}

Status set_dynamic_option(Options& options, std::string_view name, std::string_view value) {
  for (const Known& known : kKnown) {
    if (known.name == name && known.when != When::kDynamic) {
      return Error{"Operation illegal when tracing is active", 0, "", ""};
    }
  }
  return set_option(options, name, value);
}

}  // namespace dt::api
