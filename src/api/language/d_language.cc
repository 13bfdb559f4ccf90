// See d_language.h.

#include "api/language/d_language.h"

#include <unistd.h>

#include <algorithm>

#include "api/input/world.h"
#include "api/language/d_libraries.h"
#include "api/options/option_table.h"
#include "d/front_end.h"
#include "d/meaning/foreign_points.h"
#include "d/script_usage.h"

namespace dt::api {
namespace {

// $pid, $uid, ...; `target` is the process of -c or -p.
std::optional<std::int64_t> macro_value(std::string_view name, std::optional<std::int64_t> target) {
  if (name == "target") return target;
  if (name == "pid") return ::getpid();
  if (name == "ppid") return ::getppid();
  if (name == "uid") return ::getuid();
  if (name == "euid") return ::geteuid();
  if (name == "gid") return ::getgid();
  if (name == "egid") return ::getegid();
  if (name == "pgid") return ::getpgid(0);
  if (name == "sid") return ::getsid(0);
  // Projects and tasks are Solaris's; there is one of each here.
  if (name == "projid" || name == "taskid") return 0;
  return std::nullopt;
}

// What the options say of D; again after each pragma that sets one.
void set_d_options(d::Options& out, const Options& options) {
  out.version = options.version;
  out.minimum = options.amin;
  out.want_stability = options.verbose;
  out.speculations = options.nspec;
  out.java_stack_frames = options.jstackframes;
  out.default_args = options.defaultargs || options.argref;
  out.allow_empty = options.empty;
}

}  // namespace

std::unique_ptr<front::FrontEnd> make_d_front_end(const LanguageRequest& from) {
  d::Options out;
  out.macro = [target = from.target](std::string_view name) { return macro_value(name, target); };
  set_d_options(out, from.options);
  offer_libraries(out, from);
  out.set_option = [from](d::World& world, std::string_view name,
                          std::string_view value) -> Status {
    DT_TRY(set_pragma_option(from.options, name, value));
    follow_options(static_cast<front::World&>(world), from.options);
    set_d_options(static_cast<d::Options&>(world), from.options);
    if (name == "nolibs" || name == "libdir" || name == "syslibdir") {
      world.libraries = nullptr;
      offer_libraries(static_cast<d::Options&>(world), from);
    }
    return {};
  };
  return d::make_front_end(std::move(out));
}

// A long text is not repeated: its excerpt follows.
std::string blame_d_text(std::string_view text) {
  constexpr std::size_t kMaxShown = 72;
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  std::size_t length = std::min(line.size(), kMaxShown);
  while (length < line.size() && length > 0 &&
         (static_cast<unsigned char>(line[length]) & 0xc0) == 0x80) {
    --length;  // not through the middle of a UTF-8 character
  }
  return fmt::format("invalid probe specifier {}{}: ", line.substr(0, length),
                     length < text.size() ? "..." : "");
}

front::ScriptUsage read_d_script_usage(std::string_view text) { return d::read_script_usage(text); }

std::string bcc_in_d(std::string_view pattern, bool is_function) {
  return d::bcc_in_d(pattern, is_function);
}

}  // namespace dt::api
