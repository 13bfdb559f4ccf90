// dtrace(1): decides which command this is and runs it.

#include <fcntl.h>
#include <fmt/core.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "cli/anonymous.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/report.h"
#include "cli/script_help.h"
#include "cli/stap.h"
#include "cli/tools.h"
#include "page/push.h"
#include "page/server.h"
#include "support/open_files.h"

namespace dt::cli {
namespace {

// Instead of an exception, which would not be caught here.
void out_of_memory() {
  constexpr std::string_view kText = "dtrace: out of memory\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(kError);
}

// Before the first object that allocates is made, which is before main().
const struct BeforeAll {
  BeforeAll() { std::set_new_handler(out_of_memory); }
} before_all __attribute__((init_priority(101)));

// Where the caller has closed a standard descriptor, the next file that is opened would take
// its number: messages would go to the file of -o, or output into a map of BPF. A descriptor
// that cannot be used in the direction of the closed one takes it, so that output that would
// be lost is an error.
void reserve_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) {
      continue;
    }
    // The lowest free number is this one.
    [[maybe_unused]] const int taken =
        ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// What to type where a command line names no program.
int nothing_to_trace(const CommandLine& line) {
  say("no probes specified");
  if (line.macro_args.empty()) {
    say_hint("-n PROGRAM or -s SCRIPT says what to trace; dtrace --tools lists scripts");
  } else {
    const std::string& word = line.macro_args.front();
    const bool is_word =
        std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    say_hint(find_tool(word) ? fmt::format("{} is a tool: dtrace -s {}", word, word)
             : is_word ? fmt::format("dtrace --tools {} lists tools and questions with this word; "
                                     "a program stands behind -n",
                                     word)
                       : fmt::format("a program stands behind -n: dtrace -n '{}'", word));
  }
  return kError;
}

int refuse(const Refusal& refusal) {
  if (!refusal.speaker.empty()) {
    say_text(fmt::format("{}: {}\n", refusal.speaker, refusal.text));
  } else if (!refusal.text.empty()) {
    say(refusal.text);
  }
  if (!refusal.hint.empty()) {
    say_hint(refusal.hint);
  }
  say_text(refusal.usage);
  if (refusal.show_usage) {
    std::fputs(usage_line().c_str(), stderr);
  }
  return refusal.status;
}

// A script in the directory may have the name of a tool by chance.
void say_shadowed_tools(const CommandLine& line) {
  for (const dtrace::Program& program : line.programs) {
    if (program.kind != dtrace::Program::Kind::kScript) continue;
    const std::optional<std::string> tool = find_tool(program.text);
    struct stat file {
    }, of_tool{};
    if (tool && ::stat(program.text.c_str(), &file) == 0 && ::stat(tool->c_str(), &of_tool) == 0 &&
        (file.st_dev != of_tool.st_dev || file.st_ino != of_tool.st_ino)) {
      say_hint(fmt::format("{} is the file in this directory; the tool of this name is {}",
                           program.text, *tool));
    }
  }
}

int run_mode(int argc, char** argv, const CommandLine& line) {
  say_shadowed_tools(line);
  switch (line.mode) {
    case Mode::kHelp:
      return print_text(help_text());
    case Mode::kOwnVersion:
      return print_text(fmt::format("dtrace {} (D 1.14, Linux {}, x86-64)\n", DT_VERSION,
                                    dtrace::kernel_release()));
    case Mode::kVersion:
      return print_text("dtrace: Sun D 1.14\n");
    case Mode::kTools:
      return list_tools(line.macro_args);
    case Mode::kScriptHelp:
      return print_text(script_help(line.script_path, line.script));
    case Mode::kList:
      return list_probes(line);
    case Mode::kSelfTest:
      return self_test();
    case Mode::kSave:
      return save_anonymous(argc, argv, line);
    case Mode::kServe:
      return serve_anonymous();
    case Mode::kClaim:
    case Mode::kClaimAndEnd:
      return claim_anonymous(line, line.mode == Mode::kClaimAndEnd);
    case Mode::kHeader:
    case Mode::kObject:
      return make_provider_file(line);
    case Mode::kCompileOnly:
    case Mode::kTrace:
      break;
  }
  if (!line.options.get("explain").empty()) {
    return explain_probe(line);
  }
  const bool only_libraries = line.mode == Mode::kCompileOnly && line.macro_args.empty();
  if (line.programs.empty() && !only_libraries && line.recording.empty()) {
    return nothing_to_trace(line);
  }
  return trace(line);
}

int run(int argc, char** argv) {
  const std::string_view name = argc > 0 ? argv[0] : "";
  if (name == "dtrace-page") {
    return page::run_page_process([](std::string_view text) { say(text); });
  }
  if (name == "dtrace-push") {
    return page::run_push_process();
  }
  const std::string_view called = name.substr(name.rfind('/') + 1);
  if (called == "stap") return run_stap(argc, argv);
  if (called == "staprun") return run_staprun(argc, argv);
  if (called == "stap-prep") return run_stap_prep();
  CommandLine line;
  Refusal refusal;
  if (argc == 1) {
    std::fputs((usage_line() + first_steps()).c_str(), stderr);
    return kUsage;
  }
  if (!parse_command_line(argc, argv, line, refusal)) {
    // `dtrace opensnoop -x`: the letters are meant for the tool.
    if (find_tool(argv[1])) {
      refusal.hint = fmt::format("{} is a tool: dtrace -s {}", argv[1], argv[1]);
    }
    return refuse(refusal);
  }
  return run_mode(argc, argv, line);
}

// Scripts may nest a few hundred levels deep, which takes some hundred kilobytes of stack.
// Where the caller allows less (`ulimit -s 128`), a stack of our own takes its place.
constexpr std::size_t kStackBytes = 8U << 20;
constexpr std::size_t kEnoughStackBytes = 2U << 20;

ucontext_t caller_context, own_context;
struct {
  int argc = 0;
  char** argv = nullptr;
  int status = 0;
} whole;

void run_whole() { whole.status = run(whole.argc, whole.argv); }

int run_on_own_stack(int argc, char** argv) {
  void* const stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  // Threads have stacks of the limit's size.
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
  if (stack == MAP_FAILED || ::getcontext(&own_context) != 0) {
    return run(argc, argv);
  }
  own_context.uc_stack.ss_sp = stack;
  own_context.uc_stack.ss_size = kStackBytes;
  own_context.uc_link = &caller_context;
  whole = {argc, argv, 0};
  ::makecontext(&own_context, run_whole, 0);
  ::swapcontext(&caller_context, &own_context);
  return whole.status;
}

}  // namespace
}  // namespace dt::cli

int main(int argc, char** argv) {
  dt::cli::reserve_standard_descriptors();
  dt::support::raise_open_files();
  rlimit limit = {};
  if (::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < dt::cli::kEnoughStackBytes) {
    return dt::cli::run_on_own_stack(argc, argv);
  }
  return dt::cli::run(argc, argv);
}
