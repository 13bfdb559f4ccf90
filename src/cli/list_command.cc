// dtrace -l and -xexplain.

#include <fcntl.h>
#include <fmt/core.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/list.h"
#include "cli/report.h"
#include "support/fd.h"
#include "support/file.h"
#include "support/shown.h"

namespace dt::cli {
namespace {

using support::shown_name;

// What is listed, and how.
struct Wanted {
  ListForm form;
  bool is_verbose;
};

bool list_found(const std::vector<dtrace::Probe>& found, Wanted wanted,
                const dtrace::Tracer& tracer, std::string& out) {
  for (const dtrace::Probe& probe : found) {
    std::optional<dtrace::ProbeDetails> details;
    if (wanted.is_verbose) details = tracer.details(probe);
    out += list_row(wanted.form, probe, tracer.remark(probe), details);
  }
  return !found.empty();
}

// The rows of one description; false when nothing matches it.
bool list_description(const std::string& text, Wanted wanted, const dtrace::Tracer& tracer,
                      std::string& out) {
  return list_found(tracer.match(text), wanted, tracer, out);
}

// The probes of which any field is the word or, if there are none, contains it.
std::vector<dtrace::Probe> find_word(const std::string& word, const dtrace::Tracer& tracer) {
  std::map<std::uint32_t, dtrace::Probe> found;
  for (const std::string& text : {word, fmt::format("*{}*", word)}) {
    for (const char* const place : {"{}:::", ":{}::", "::{}:", ":::{}"}) {
      for (dtrace::Probe& probe : tracer.match(fmt::format(fmt::runtime(place), text))) {
        found.emplace(probe.id, std::move(probe));
      }
    }
    if (!found.empty()) {
      break;
    }
  }
  std::vector<dtrace::Probe> probes;
  for (auto& [id, probe] : found) {
    probes.push_back(std::move(probe));
  }
  return probes;
}

// What kept a description from matching.
void say_no_match(const std::string& text, const dtrace::Tracer& tracer) {
  // First, as the reason may be that there is no memory, which ends the command.
  const std::vector<std::string> reasons = tracer.why_not(text);
  say(fmt::format("failed to match {}: No probe matches description", text));
  for (const std::string& why : reasons) {
    say_hint(why);
  }
}

// Without a word, what cannot be seen seems not to exist.
void say_hidden(const dtrace::Tracer& tracer) {
  for (const char* const provider : {"sdt", "rawtp"}) {
    const std::string all = fmt::format("{}:::", provider);
    if (!tracer.match(all).empty()) {
      continue;
    }
    for (const std::string& why : tracer.why_not(all)) {
      say(fmt::format("the probes of {} are not listed: {}", provider, why));
    }
  }
}

}  // namespace

int print_text(const std::string& text) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of fwrite()
  const std::string shown = support::shown_text(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size() ||
      std::fflush(stdout) != 0) {
    say(fmt::format("failed to write to <stdout>: {}", std::strerror(errno)));
    return kError;
  }
  return kSuccess;
}

namespace {

// A list, to standard output or to the end of the file of -o.
int print_list(const CommandLine& line, const std::string& text) {
  if (line.output.empty()) return print_text(text);
  const auto failed = [&](const char* what) {
    say(fmt::format("failed to {} '{}': {}", what, line.output, std::strerror(errno)));
    return kError;
  };
  const Fd file(::open(line.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.valid()) return failed("open");
  return support::write_all(file, support::shown_text(text)) ? kSuccess : failed("write to");
}

// Those of a recording, and what else it has.
int list_recording(const CommandLine& line, ListForm form, dtrace::Tracer& tracer) {
  const auto summary = tracer.summarize();
  if (!summary.ok()) {
    report(summary.error(), false);
    return kError;
  }
  // What the recording is stands first: there may be thousands of probes.
  std::string out;
  if (form == ListForm::kText) {
    out = summary->about + "\n";
    if (!summary->views.empty()) out += summary->views + "\n";
  } else if (form == ListForm::kJsonLines) {
    out = list_about(summary->about, summary->views);
  }
  if (form == ListForm::kCsv || !summary->probes.empty()) out += list_header(form);
  for (const dtrace::Probe& probe : summary->probes) out += list_row(form, probe, "", {});
  const int printed = print_list(line, out);
  if (!summary->flaw.empty()) say(summary->flaw);
  return printed != kSuccess || summary->flaw.empty() ? printed : kError;
}

}  // namespace

int list_probes(const CommandLine& line) {
  dtrace::Tracer tracer = make_tracer(line);
  tracer.on_message([](const dtrace::Message& message) { report(message); });
  const std::optional<ListForm> form = list_form(line);
  if (!form) {
    say(fmt::format("oformat={} is no format of a list: csv and jsonl are",
                    line.options.get("oformat")));
    return kUsage;
  }
  if (!line.recording.empty()) return list_recording(line, *form, tracer);
  const Wanted wanted{*form, line.options.flag("verbose")};
  std::string out = list_header(*form);
  int status = kSuccess;
  if (line.programs.empty() && !line.macro_args.empty()) {  // dtrace -l 'tcp:::', dtrace -l tcp
    for (const std::string& word : line.macro_args) {
      const bool is_word = word.find(':') == std::string::npos;
      if (!(is_word ? list_found(find_word(word, tracer), wanted, tracer, out)
                    : list_description(word, wanted, tracer, out))) {
        say_no_match(word, tracer);
        status = kError;
      }
    }
  } else if (line.programs.empty()) {
    list_description(":::", wanted, tracer, out);
    say_hidden(tracer);
  } else {
    const auto descriptions = tracer.descriptions();
    if (!descriptions.ok()) {
      report_compilation(descriptions.error(), tracer);
      return kError;
    }
    for (const std::string& description : *descriptions) {
      if (!list_description(description, wanted, tracer, out) && !line.options.flag("zdefs")) {
        say_no_match(description, tracer);
        status = kError;
      }
    }
  }
  const int printed = print_list(line, out);
  return printed != kSuccess ? printed : status;
}

int explain_probe(const CommandLine& line) {
  const dtrace::Tracer tracer;
  const std::string description = line.options.get("explain");
  const std::vector<dtrace::Probe> found = tracer.match(description);
  if (found.empty()) {
    say_no_match(description, tracer);
    return kError;
  }
  std::string out;
  const std::vector<dtrace::ProbeDetails> served = tracer.details(found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const dtrace::Probe& probe = found[i];
    const dtrace::ProbeDetails& details = served[i];
    out +=
        fmt::format("{} (ID {}): program {}, key {}, {}\n", shown_name(dtrace::to_text(probe)),
                    probe.id, shown_name(details.program), details.key, shown_name(details.source));
  }
  return print_text(out);
}

}  // namespace dt::cli
