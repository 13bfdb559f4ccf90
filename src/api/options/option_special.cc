// The setters that options.def names.

#include "api/options/option_special.h"

#include <algorithm>

#include "api/options/export_kinds.h"
#include "api/options/option_kinds.h"
#include "exports/picture.h"
#include "exports/push_url.h"
#include "probe/probe.h"
#include "support/check.h"
#include "view/plan.h"

namespace dt::api {
namespace {

constexpr std::uint64_t kMaxCpu = 65535;

}  // namespace

// ---- The C preprocessor -----------------------------------------------------

Status set_header_listing(Options& options, std::string_view value) {
  DT_ASSIGN(const bool is_wanted, parse_flag(value));
  if (is_wanted) {
    options.cpp_args.emplace_back("-H");
  }
  return {};
}

Status add_cpp_words(Options& options, std::string_view value) {
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t end = std::min(value.find(' ', at), value.size());
    if (end > at) {
      options.cpp_args.emplace_back(value.substr(at, end - at));
    }
    at = end + 1;
  }
  return {};
}

Status add_definition(Options& options, std::string_view value) {
  options.cpp_args.push_back(fmt::format("-D{}", value));
  return {};
}

Status add_undefinition(Options& options, std::string_view value) {
  options.cpp_args.push_back(fmt::format("-U{}", value));
  return {};
}

Status add_include_directory(Options& options, std::string_view value) {
  options.cpp_args.push_back(fmt::format("-I{}", value));
  return {};
}

Status set_c_dialect(Options& options, std::string_view value) {
  DT_TRY(check_word(value, {"a", "c", "s", "t"}));
  if (value == "s") {
    options.cpp_args.emplace_back("-traditional-cpp");
  }
  return {};
}

// ---- Words of options that mean nothing here --------------------------------

Status check_binding(Options& /*options*/, std::string_view value) {
  return check_word(value, {"dynamic", "static"});
}

Status check_link_mode(Options& /*options*/, std::string_view value) {
  return check_word(value, {"kernel", "primary", "dynamic", "static"});
}

Status check_link_type(Options& /*options*/, std::string_view value) {
  return check_word(value, {"elf", "dof"});
}

Status check_locked_memory(Options& /*options*/, std::string_view value) {
  const auto bytes = parse_size(value);
  return value == "unlimited" || bytes.ok() ? Status() : Status(bytes.error());
}

// ---- The language -----------------------------------------------------------

Status set_minimum(Options& options, std::string_view value) {
  options.amin = probe::parse_attributes(value);
  return options.amin
             ? Status()
             : Status(invalid_value("it is a stability, such as Evolving/Evolving/Common"));
}

std::string minimum_text(const Options& options) {
  return options.amin ? probe::to_string(*options.amin) : "";
}

Status add_library_directory(Options& options, std::string_view value) {
  options.libdirs.emplace_back(value);
  return {};
}

Status set_tree(Options& options, std::string_view value) {
  DT_ASSIGN(const std::uint64_t number, parse_number(value));
  options.dump = number % 2 == 1 ? "ast" : "typed";
  return {};
}

Status set_machine(Options& options, std::string_view value) {
  DT_TRY(check_word(value, {"reference"}));
  options.machine = value;
  return {};
}

std::string machine_text(const Options& options) { return options.machine; }

// ---- The command of -c ------------------------------------------------------

Status set_variable(Options& options, std::string_view value) {
  const std::size_t equals = value.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    return invalid_value("it is a NAME=value");
  }
  options.environment.emplace_back(value);
  return {};
}

Status unset_variable(Options& options, std::string_view value) {
  if (value.find('=') != std::string_view::npos) {
    return invalid_value("it is a NAME");
  }
  options.environment.emplace_back(value);
  return {};
}

// The dynamic linker maps the libraries and initialises them without a place between that
// could be seen from outside, so that what is before the one is also before the other.
Status set_evaluation_time(Options& options, std::string_view value) {
  using runtime::Beginning;
  DT_TRY(check_word(value, {"exec", "preinit", "postinit", "main"}));
  options.evaltime = value == "main"       ? Beginning::kMain
                     : value == "postinit" ? Beginning::kEntry
                                           : Beginning::kExec;
  return {};
}

std::string evaluation_time_text(const Options& options) {
  switch (options.evaltime) {
    case runtime::Beginning::kExec:
      return "exec";
    case runtime::Beginning::kEntry:
      return "postinit";
    case runtime::Beginning::kMain:
      return "main";
  }
  DT_UNREACHABLE();
}

// ---- Tracing and its output -------------------------------------------------

Status set_buffer_policy(Options& options, std::string_view value) {
  using runtime::BufferPolicy;
  DT_TRY(check_word(value, {"switch", "fill", "ring"}));
  options.bufpolicy = value == "fill"   ? BufferPolicy::kFill
                      : value == "ring" ? BufferPolicy::kRing
                                        : BufferPolicy::kSwitch;
  return {};
}

std::string buffer_policy_text(const Options& options) {
  switch (options.bufpolicy) {
    case runtime::BufferPolicy::kSwitch:
      return "switch";
    case runtime::BufferPolicy::kFill:
      return "fill";
    case runtime::BufferPolicy::kRing:
      return "ring";
  }
  DT_UNREACHABLE();
}

Status set_buffer_resizing(Options& options, std::string_view value) {
  DT_TRY(check_word(value, {"auto", "manual"}));
  options.bufresize = value == "auto";
  return {};
}

std::string buffer_resizing_text(const Options& options) {
  return options.bufresize ? "auto" : "manual";
}

Status set_cpu(Options& options, std::string_view value) {
  DT_ASSIGN(const std::uint64_t number, parse_number(value));
  DT_TRY(check_bounds(number, 0, kMaxCpu));
  options.cpu = static_cast<std::uint32_t>(number);
  return {};
}

std::string cpu_text(const Options& options) {
  return options.cpu ? std::to_string(*options.cpu) : "";
}

Status set_compatibility(Options& options, std::string_view value) {
  DT_TRY(check_word(value, {"linux", "solaris"}));
  options.compat = value == "linux" ? "" : value;
  return {};
}

std::string compatibility_text(const Options& options) {
  return options.compat.empty() ? "linux" : options.compat;
}

Status set_demangling(Options& options, std::string_view value) {
  const std::string_view where = value.empty() ? "all" : value;
  DT_TRY(check_word(where, {"none", "stacks", "all"}));
  options.demangles_stacks = where != "none";
  options.demangles_probes = where == "all";
  return {};
}

Status set_encoding(Options& options, std::string_view value) {
  DT_TRY(check_word(value, {"ascii", "utf8"}));
  options.utf8 = value == "utf8";
  return {};
}

std::string encoding_text(const Options& options) { return options.utf8 ? "utf8" : "ascii"; }

Status add_view(Options& options, std::string_view value) {
  DT_TRY(view::check_hint(value));
  options.views.emplace_back(value);
  return {};
}

Status set_output_format(Options& options, std::string_view value) {
  std::vector<std::string_view> words = {"text",       "json",       "json,pretty", "xml",
                                         "xml,pretty", "jsonl",      "csv",         "none",
                                         "term",       "perfscript", "views",       "html"};
  for (const exports::Format& picture : exports::formats()) words.push_back(picture.name);
  for (const ExportKind& kind : export_kinds()) words.push_back(kind.name);
  DT_TRY(check_word(value, words));
  options.oformat = value == "text" ? "" : value;
  return {};
}

// The value is not checked here: listening at the port or path fails later, and says why.
Status set_listening(Options& options, std::string_view value) {
  options.listen = value == "auto" ? "" : value;
  return {};
}

std::string listening_text(const Options& options) {
  if (!options.listen) return "";
  return options.listen->empty() ? "auto" : *options.listen;
}

Status set_push(Options& options, std::string_view value) {
  DT_TRY(exports::parse_push_url(value));
  options.push = value;
  return {};
}

std::string push_text(const Options& options) { return options.push; }

std::string output_format_text(const Options& options) { return options.oformat; }

}  // namespace dt::api
