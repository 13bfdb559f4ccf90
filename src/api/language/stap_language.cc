// See stap_language.h.

#include "api/language/stap_language.h"

#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "api/language/stap_programs.h"
#include "api/language/stap_variables.h"
#include "api/options/installed.h"
#include "api/output/handler_tables.h"
#include "dtrace/tracer.h"
#include "kernel/configuration.h"
#include "stap/front_end.h"
#include "support/file.h"
#include "view/plan.h"

namespace dt::api {

namespace {

// A file of the library: the one in the first directory that has it. The index ("index.txt") is
// that of all directories, one behind the other.
std::optional<stap::LibraryFile> library_file(const std::vector<std::string>& directories,
                                              std::string_view name) {
  const bool is_index = name.find('.') != std::string_view::npos;
  std::optional<stap::LibraryFile> out;
  for (const std::string& directory : directories) {
    const std::string path = fmt::format("{}{}{}", directory, name, is_index ? "" : ".stp");
    Result<std::string> text = support::read_file(path);
    if (!text.ok()) continue;
    if (!out) {
      out = stap::LibraryFile{path, std::move(*text)};
      if (!is_index) return out;
    } else {
      out->text += *text;
    }
  }
  return out;
}

// The value of a CONFIG_* of this kernel. The file of the configuration is read when a script asks
// for the first value. If there is no such file, only CONFIG_HZ is known: it follows from a clock.
std::function<std::optional<std::string>(std::string_view)> kernel_config() {
  return [known = std::shared_ptr<kernel::Configuration>()](
             std::string_view name) mutable -> std::optional<std::string> {
    if (known == nullptr) {
      known = std::make_shared<kernel::Configuration>(
          kernel::Configuration::of(dtrace::kernel_release()));
    }
    if (!known->is_known() && name == "CONFIG_HZ") {
      return std::to_string(kernel::ticks_per_second());
    }
    if (!known->is_known()) return std::nullopt;
    return known->value(name).value_or("undefined");
  };
}

// Reads a directory of -I, in the order of the file names. A file that cannot be read is a warning.
void find_files(const std::string& directory, stap::Options& out) {
  std::error_code wrong;
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(directory, wrong)) {
    paths.insert(entry.path());
  }
  if (wrong) out.warnings.push_back(fmt::format("-I {}: {}", directory, wrong.message()));
  for (const std::filesystem::path& path : paths) {
    const bool is_macros = path.extension() == ".stpm";
    if (path.extension() != ".stp" && !is_macros) continue;
    Result<std::string> text = support::read_file(path.string());
    if (!text.ok()) {
      out.warnings.push_back(fmt::format("a file of -I is left out: {}", text.error().text));
    } else if (is_macros) {
      out.macros.push_back({path.string(), std::move(*text)});
    } else {
      out.always.push_back(path.stem().string());
    }
  }
}

// All files of the directories of -I are part of each script. Our own library comes behind them; of
// it, only the files are read that a script uses.
void find_libraries(const LanguageRequest& from, stap::Options& out) {
  std::vector<std::string> directories;
  for (const auto& [name, value] : from.request.named_arguments) {
    if (!name.starts_with("-I")) continue;
    directories.push_back(value + "/");
    find_files(value, out);
  }
  directories.push_back(system_library_directory(from.options) + "/stap/");
  out.library = [directories](std::string_view name) { return library_file(directories, name); };
}

// The value of the named argument "-list".
void take_listing(std::string_view word, stap::Options& out) {
  using stap::Listing;
  constexpr std::pair<std::string_view, Listing> kListings[] = {{"points", Listing::kPoints},
                                                                {"variables", Listing::kVariables},
                                                                {"aliases", Listing::kAliases},
                                                                {"functions", Listing::kFunctions},
                                                                {"types", Listing::kTypes}};
  for (const auto& [known, listing] : kListings) {
    if (known == word) out.listing = listing;
  }
}

// The command `stap` passes its options as named arguments of the script. find_libraries() has
// taken those of -I.
void take_named_arguments(const LanguageRequest& from, stap::Options& out) {
  for (const auto& [name, value] : from.request.named_arguments) {
    if (name == "-times") {
      out.is_timed = true;
    } else if (name == "-guru") {
      out.is_guru = true;
    } else if (name == "-strict") {
      out.is_strict = true;
    } else if (name == "-skip-badvars") {
      out.skips_bad_variables = true;
    } else if (name == "-no-globals") {
      out.prints_unread = false;
    } else if (name == "-module") {
      out.module = value;
    } else if (name == "-list") {
      take_listing(value, out);
    } else if (!name.starts_with("-I")) {
      std::vector<std::string>& list = name.starts_with("-D") ? out.definitions : out.globals;
      list.push_back(name.substr(2) + "=" + value);
    }
  }
}

}  // namespace

std::unique_ptr<front::FrontEnd> make_stap_front_end(const LanguageRequest& from) {
  stap::Options out;
  out.arguments = from.request.arguments;
  out.target = from.target.value_or(0);
  out.kernel_release = dtrace::kernel_release();
  out.kernel_config = kernel_config();
  out.argument_names = [&probes = from.probes](const probe::Probe& probe) {
    return probes.argument_names(probe);
  };
  out.programs = installed_programs();
  out.variables = program_variables();
  find_libraries(from, out);
  take_named_arguments(from, out);
  out.pictures.are_live = are_live(from.options);
  for (const std::string& hint : from.options.views) {
    const view::HintSubject subject = view::subject_of(hint);
    const std::string name = subject.name.substr(subject.name.starts_with('@') ? 1 : 0);
    if (name.empty()) continue;
    out.pictures.named.insert(name);
    if (subject.is_histogram) out.pictures.histograms.insert(name);
  }
  out.names_stacks = shows_variables(from.options.oformat) || out.pictures.are_live ||
                     !from.options.record.empty();
  out.tells_who_fires = from.options.oformat == "jsonl" || !from.options.record.empty();
  from.options.quiet = true;  // the output is what handlers print, and nothing else
  return stap::make_front_end(std::move(out));
}

}  // namespace dt::api
