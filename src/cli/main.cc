// dtrace(1): decides which command this is and runs it.

#include <unistd.h>

#include <cstdio>
#include <new>
#include <string_view>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"

namespace {

// In place of an exception, which nobody here would catch.
void out_of_memory() {
  constexpr std::string_view kText = "dtrace: out of memory\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(dt::cli::kError);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace dt::cli;
  std::set_new_handler(out_of_memory);
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
    case Mode::kCompileOnly:
    case Mode::kTrace:
      break;
  }
  if (!line.options.explain.empty()) {
    return explain_probe(line);
  }
  if (line.programs.empty()) {
    say("no probes specified");
    return kError;
  }
  return trace(line);
}
