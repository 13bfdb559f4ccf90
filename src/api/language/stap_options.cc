// See stap_options.h. An option is used here, or one of these lines has its name: stap_options_test
// finds an option of options.def that is neither.

#include "api/language/stap_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "api/output/handler_output.h"

namespace dt::api {
namespace {

// dump, stop and machine are for the command itself and for readers of generated code.
constexpr std::string_view kTaken[] = {
    "aggrate",     "aggsize",  "bufresize",  "bufsize", "cgroup",     "cpu",     "deadman",
    "droptags",    "dump",     "evaltime",   "listen",  "machine",    "oformat", "push",
    "quietresize", "record",   "recordsize", "setenv",  "statusrate", "stop",    "switchrate",
    "syslibdir",   "unsetenv", "view",       "zone"};

struct Unused {
  std::string_view names;  // with a blank before and behind each
  std::string_view why;
};

constexpr Unused kUnused[] = {
    // The text of the script.
    {" amin version ", "names of this language have no stabilities and no versions"},
    {" argref defaultargs ",
     "$# is the number of arguments; scripts test it with %( $# > 0 %? ... %)"},
    {" compat ", "system calls have their names of Linux"},
    {" cpp cpphdrs cppargs cpppath define incdir stdc undef ",
     "the language has a preprocessor of its own: @define and %( ... %)"},
    {" ctypes dtypes ", "types are written for programs in D"},
    {" empty zdefs ", "a point that may be missing ends with ?"},
    {" errtags ", "messages of this language have no tags"},
    {" libdir ", "stap -I names a directory with files of the language"},
    {" nolibs ", "a file of the library is read only if the script uses it"},
    {" tree ", "stap -p1 and -p2 print the script"},
    {" explain verbose stats ",
     "stap -v says where each handler runs, and what each pass has taken"},
    // What is traced.
    {" bufpolicy ", "handlers run while events fire, so the buffer is always being read"},
    {" destructive ", "the language has nothing that needs it: what writes or signals is refused"},
    {" dynvarsize ", "-D MAXMAPENTRIES says how many elements an array has"},
    {" follow ", "process(\"PATH\") means every process that runs the program"},
    {" nspec specsize ", "speculations are kept by this process, and their number has no limit"},
    {" pcapsize scratchsize ", "no handler records packets or allocates memory"},
    {" jstackframes stackframes ustackframes ",
     "backtrace() and ubacktrace() have at most 20 frames"},
    {" strsize ", "-D MAXSTRINGLEN says how long a string is"},
    {" temporal ", "handlers run in the order in which their events were recorded"},
    // What is printed.
    {" agghist aggnonzero aggpack aggpercpu aggsortkey aggsortkeypos aggsortpos aggsortrev "
     "aggzoom ",
     "foreach sorts the elements of an array, and the handler prints them"},
    {" bare flowindent quiet rawbytes stackindent ", "handlers print everything themselves"},
    {" demangle inlines lines noresolve ",
     "functions of the script name code: usymname(), ubacktrace(), print_ubacktrace_fileline()"},
    {" encoding ", "histograms are drawn in ASCII"},
    {" refresh ", "a handler begins on an empty screen with ansi_clear_screen()"},
    {" base ", "recordings of scripts have no aggregations that are compared"},
    {" range ", "it is a part of a recording: stap -r FILE --set range=A..B"},
};

Error unused(std::string_view name, std::string_view why) {
  return Error::of(
      fmt::format("option '{}' means nothing in the SystemTap language: {}", name, why));
}

Status check_name(std::string_view name) {
  if (std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken)) return {};
  for (const Unused& one : kUnused) {
    if (one.names.find(fmt::format(" {} ", name)) != std::string_view::npos) {
      return unused(name, one.why);
    }
  }
  return unused(name, "it is of D");
}

}  // namespace

Status check_stap_request(const Request& request, const Callbacks& callbacks) {
  const Options& options = request.options;
  for (const std::string& name : options.given) DT_TRY(check_name(name));
  if (!options.notes.empty()) return Error::of(options.notes.front());
  return check_handler_output(options, callbacks);
}

}  // namespace dt::api
