#include "cli/refused_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "support/nearest.h"

namespace dt::cli {
namespace {

// Those of -x that say whose threads are traced: options behind a tool.
constexpr std::string_view kWhoseThreads[] = {"cgroup", "zone"};

constexpr std::string_view kOfLinking[] = {"lazyload", "linkmode", "linktype", "strip"};

}  // namespace

std::string long_option_hint(const std::string& word) {
  const std::string name = word.substr(2, std::min(word.find('='), word.size()) - 2);
  if (std::find(std::begin(kWhoseThreads), std::end(kWhoseThreads), name) !=
      std::end(kWhoseThreads)) {
    return fmt::format("-x {}=NAME", name);
  }
  if (name == "list") return "-l lists probes, and --tools scripts";
  const std::string near =
      support::nearest(name, {"help", "version", "tools", "self-test", "anonymous"});
  return near.empty() ? "" : fmt::format("did you mean --{}?", near);
}

bool is_of_linking(std::string_view option) {
  return std::find(std::begin(kOfLinking), std::end(kOfLinking), option) != std::end(kOfLinking);
}

std::string why_not_replayed(const dtrace::Options& options, bool is_asked) {
  const auto has = [&options](const char* option) { return !options.get(option).empty(); };
  if (is_asked || options.flag("destructive") || has("record") || has("dump") || has("stop")) {
    return "-r replays a recording: it takes -l, -o, -q, -B, -v and options of output only";
  }
  const std::string unused = options.unused_on_replay();
  return unused.empty()
             ? ""
             : fmt::format("-r replays a recording: option '{}' concerns tracing", unused);
}

}  // namespace dt::cli
