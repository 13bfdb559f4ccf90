// dtrace(1): decides which command this is and runs it.

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <string_view>

#include "cli/anonymous.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/report.h"

namespace {

// In place of an exception, which nobody here would catch.
void out_of_memory() {
  constexpr std::string_view kText = "dtrace: out of memory\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(dt::cli::kError);
}

// Before the first object that allocates is made, which is before main().
const struct BeforeAll {
  BeforeAll() { std::set_new_handler(out_of_memory); }
} before_all __attribute__((init_priority(101)));

}  // namespace

int main(int argc, char** argv) {
  using namespace dt::cli;
  CommandLine line;
  Refusal refusal;
  if (argc == 1) {
    std::fputs(usage_line().c_str(), stderr);
    return kUsage;
  }
  if (!parse_command_line(argc, argv, line, refusal)) {
    if (!refusal.text.empty()) {
      say(refusal.text);
    }
    if (!refusal.hint.empty()) {
      say_hint(refusal.hint);
    }
    if (refusal.show_usage) {
      std::fputs(usage_line().c_str(), stderr);
    }
    return refusal.status;
  }
  switch (line.mode) {
    case Mode::kHelp:
      return print_text(help_text());
    case Mode::kVersion:
      return print_text("dtrace: Sun D 1.14\n");
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
  if (line.programs.empty()) {
    say("no probes specified");
    if (!line.macro_args.empty()) {
      say_hint(fmt::format("a program stands behind -n: dtrace -n '{}'", line.macro_args.front()));
    }
    return kError;
  }
  return trace(line);
}
