// dwatch(1): watches processes as they come to a probe, or to what a profile describes.

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dtrace/tracer.h"
#include "dwatch/expand.h"
#include "dwatch/profile.h"
#include "dwatch/request.h"
#include "dwatch/script.h"
#include "dwatch/sink.h"
#include "support/fd.h"
#include "support/file.h"
#include "support/nearest.h"
#include "support/open_files.h"
#include "support/signals.h"
#include "support/whole_number.h"

namespace dt::dwatch {
namespace {

constexpr int kFailed = 1, kUsage = 2;

void say(std::string_view text) {
  std::fputs(dtrace::escape_for_terminal(fmt::format("dwatch: {}\n", text)).c_str(), stderr);
}

int refuse(const Error& error, int status = kFailed) {
  say(error.text);
  if (!error.remedy.empty()) {
    std::fputs(dtrace::escape_for_terminal(fmt::format("hint: {}\n", error.remedy)).c_str(),
               stderr);
  }
  return status;
}

int refuse(const dtrace::Error& error, bool is_verbose) {
  say(error.text);
  const std::string more = is_verbose             ? error.log
                           : error.remedy.empty() ? std::string()
                                                  : fmt::format("hint: {}", error.remedy);
  for (const std::string* const text : {&error.excerpt, &more}) {
    if (!text->empty()) {
      const char* const end = text->back() == '\n' ? "" : "\n";
      std::fputs(dtrace::escape_for_terminal(*text + end).c_str(), stderr);
    }
  }
  return kFailed;
}

int print(const std::string& text) {
  return std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? kFailed : 0;
}

// The words, which commas and blanks separate.
std::vector<std::string> words_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    for (std::size_t at = 0; at < argument.size();) {
      const std::size_t end = std::min(argument.find_first_of(", ", at), argument.size());
      if (end > at) {
        words.push_back(argument.substr(at, end - at));
      }
      at = end + 1;
    }
  }
  return words;
}

int print_profiles(const Request& request) {
  const Result<Pattern> pattern = Pattern::compile('r', request.block_pattern);
  if (!pattern.ok()) {
    return refuse(pattern.error(), kUsage);
  }
  std::string out;
  const std::vector<std::string> words = words_of(request.words);
  const auto profiles = list_profiles(profile_directories());
  std::vector<std::string> names;
  std::size_t width = 0;
  bool has_any = false;
  for (const auto& [name, summary] : profiles) {
    width = std::max(width, name.size());
  }
  // Those whose name has a word or, if there are none, whose description has one.
  for (const bool of_names : {true, false}) {
    for (const auto& [name, summary] : profiles) {
      names.push_back(name);
      const auto is_in = [&text = of_names ? name : summary](const std::string& word) {
        return text.find(word) != std::string::npos;
      };
      if (!words.empty() && std::none_of(words.begin(), words.end(), is_in)) {
        continue;
      }
      has_any = true;
      const std::string row =
          request.is_quiet ? name + "\n" : fmt::format("{:<{}}  {}\n", name, width, summary);
      out += pattern->matches(row) ? row : "";
    }
    if (has_any) break;
  }
  if (!has_any && !words.empty()) {
    const std::string near =
        support::nearest(words[0], std::vector<std::string_view>(names.begin(), names.end()));
    return refuse(
        Error::of(fmt::format("no profile has '{}' in its name or description", words[0]),
                  near.empty() ? "dwatch -Q lists all" : fmt::format("did you mean '{}'?", near)));
  }
  return print(dtrace::escape_for_terminal(out));
}

// What a list shows of a probe: all, or one field.
std::string shown(const dtrace::Probe& probe, Field field) {
  switch (field) {
    case Field::kProvider:
      return probe.provider;
    case Field::kModule:
      return probe.module;
    case Field::kFunction:
      return probe.function;
    case Field::kName:
      return probe.name;
    case Field::kAny:
      break;
  }
  return to_text(probe);
}

int print_probes(const Request& request) {
  const Result<Pattern> pattern = Pattern::compile('r', request.block_pattern);
  if (!pattern.ok()) {
    return refuse(pattern.error(), kUsage);
  }
  const dtrace::Tracer tracer;
  std::set<std::string> lines;
  std::vector<std::string> words = request.words;
  if (words.empty()) {
    words.emplace_back(":::");
  }
  for (const std::string& word : words) {
    std::vector<std::string> descriptions = {word};
    if (word != ":::") {
      Result<std::vector<std::string>> expanded =
          expand_all(word, request.field, true,
                     [&](const std::string& text) { return tracer.match(text).size(); });
      if (!expanded.ok()) {
        return refuse(expanded.error());
      }
      descriptions = std::move(*expanded);
    }
    for (const std::string& description : descriptions) {
      for (const dtrace::Probe& probe : tracer.match(description)) {
        lines.insert(shown(probe, request.field));
      }
    }
  }
  std::string out;
  for (const std::string& line : lines) {
    out += pattern->matches(line) && !line.empty() ? line + "\n" : "";
  }
  return print(dtrace::escape_for_terminal(out));
}

// Code of the command line names arguments, which are those of one call.
bool has_code(const Request& request) { return !request.details.empty() || !request.tests.empty(); }

// What may have been meant by a word that no probe has: a profile, or the name of one or of a
// system call that is written in nearly the same way. Of a whole description, dtrace knows.
std::string meant_by(const std::string& word, const dtrace::Tracer& tracer) {
  if (word.find(':') != std::string::npos) {
    const std::vector<std::string> why = tracer.why_not(word);
    return why.empty() ? "" : why[0];
  }
  const auto profiles = list_profiles(profile_directories());
  std::vector<std::string> names;
  for (const auto& [name, summary] : profiles) {
    if (name == word) {
      return fmt::format("'dwatch -X {}' watches: {}", name, summary);
    }
  }
  for (const dtrace::Probe& probe : tracer.match("syscall:::entry")) {
    names.push_back(probe.function);
  }
  std::string near =
      support::nearest(word, std::vector<std::string_view>(names.begin(), names.end()));
  if (!near.empty()) {
    return fmt::format("did you mean '{}'?", near);
  }
  names.clear();
  for (const auto& row : profiles) {
    names.push_back(row.first);
  }
  near = support::nearest(word, std::vector<std::string_view>(names.begin(), names.end()));
  return near.empty() ? "" : fmt::format("did you mean 'dwatch -X {}'?", near);
}

// The probes of the words.
Result<std::string> probes_of(const Request& request) {
  const dtrace::Tracer tracer;
  const Count count = [&](const std::string& text) { return tracer.match(text).size(); };
  std::vector<std::string> all;
  for (const std::string& word : words_of(request.words)) {
    Result<std::vector<std::string>> expanded =
        expand_all(word, request.field, request.is_flow, count);
    if (!expanded.ok()) {
      const std::string meant =
          request.field == Field::kAny ? meant_by(word, tracer) : std::string();
      return meant.empty() ? expanded.error() : Error::of(expanded.error().text, meant);
    }
    std::vector<std::string> some = std::move(*expanded);
    some.resize(has_code(request) ? 1 : some.size());
    for (std::string& one : some) {
      if (std::find(all.begin(), all.end(), one) == all.end()) {
        all.push_back(std::move(one));
      }
    }
  }
  std::string probes;
  for (const std::string& one : all) {
    probes += (probes.empty() ? "" : ", ") + one;
  }
  return probes;
}

// In `dwatch -p 1234 'pid$target:libc:malloc:entry'`, the process of -p is $target. Elsewhere, -p
// chooses events, and tracing does not end with the process.
void find_target(Request& request, const Profile& profile) {
  const bool has_target = !request.targets.empty() || !request.target_command.empty();
  if (has_target || request.pids.size() != 1 ||
      profile.probes.find("$target") == std::string::npos) {
    return;
  }
  if (const auto pid = support::whole_number<std::int32_t>(request.pids[0])) {
    request.targets.push_back(*pid);
  }
}

// At sched:::on-cpu and io:::wait-done, the thread that they are about does not run yet, and its
// command line is not known.
bool has_arguments_at(const std::string& probes) {
  const dtrace::Tracer tracer;
  for (const std::string& description : words_of({probes})) {
    const auto found = tracer.match(description);
    if (std::any_of(found.begin(), found.end(), [](const dtrace::Probe& probe) {
          return (probe.provider == "sched" && probe.name == "on-cpu") ||
                 (probe.provider == "io" && probe.name == "wait-done");
        })) {
      return false;
    }
  }
  return true;
}

Result<Profile> what_to_watch(const Request& request) {
  Profile profile;
  if (!request.profile.empty()) {
    DT_ASSIGN(profile, load_profile(profile_directories(), request.profile));
  } else {
    DT_ASSIGN(profile.probes, probes_of(request));
  }
  profile.has_arguments = has_arguments_at(profile.probes);
  return profile;
}

Result<Fd> open_output(const Request& request) {
  if (request.output.empty() || request.output == "-") {
    return Fd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  }
  Fd fd(::open(request.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!fd.valid()) {
    return Error::of(fmt::format("-o: cannot open '{}': {}", request.output, std::strerror(errno)));
  }
  return fd;
}

// "least int=0 only ..." is called "least".
std::string name_of_argument(const std::string& declaration) {
  return declaration.substr(0, declaration.find(' '));
}

Status add_arguments(dtrace::Tracer& tracer, const Request& request, const Profile& profile) {
  if (request.profile.empty()) {
    return {};
  }
  if (request.words.size() > profile.arguments.size()) {
    return Error::of(
        fmt::format("the profile '{}' takes {} arguments", profile.name, profile.arguments.size()));
  }
  for (std::size_t i = 0; i < request.words.size(); ++i) {
    const dtrace::Status added =
        tracer.add_argument(name_of_argument(profile.arguments[i]), request.words[i]);
    if (!added.ok()) {
      return Error::of(fmt::format("the profile '{}': {}", profile.name, added.error().text));
    }
  }
  return {};
}

std::string joined_words(const Request& request) {
  std::string text;
  for (const std::string& word : request.words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

// What is watched; the profile that may have been meant; and the calls that code of the command
// line leaves out.
void say_what_is_watched(const Request& request, const Profile& profile) {
  std::string text = fmt::format("INFO Watching '{}' ...\n", profile.probes);
  if (request.profile.empty() && request.words.size() == 1) {
    const auto profiles = list_profiles(profile_directories());
    const auto found = std::find_if(profiles.begin(), profiles.end(),
                                    [&](const auto& row) { return row.first == request.words[0]; });
    if (found != profiles.end()) {
      text += fmt::format("INFO 'dwatch -X {}' watches: {}\n", found->first, found->second);
    }
    const std::vector<std::string> others = relatives(request.words[0]);
    if (has_code(request) && request.field == Field::kAny && !others.empty()) {
      std::string those;
      for (const std::string& other : others) {
        those += (those.empty() ? "" : " and ") + other;
      }
      text += fmt::format(
          "INFO programs also call {}, whose arguments are others: they are not watched\n", those);
    }
  }
  std::fputs(dtrace::escape_for_terminal(text).c_str(), stderr);
}

bool wants_colours(const Request& request, int fd) {
  const char* const no = std::getenv("NO_COLOR");
  return request.is_console || (::isatty(fd) != 0 && (no == nullptr || *no == '\0'));
}

// What is shown goes on to the output, and to the commands of -O.
class Output {
 public:
  Output(const Request& request, dtrace::Tracer& tracer, Fd fd)
      : request_(request),
        tracer_(tracer),
        fd_(std::move(fd)),
        is_terminal_(request.is_console || ::isatty(fd_.get()) != 0),
        has_colours_(wants_colours(request, fd_.get())) {}

  bool has_failed() const { return has_failed_; }

  void write(std::string_view text) {
    const std::string marked = escaped(text);
    const std::string shown = has_colours_ ? in_colours(marked) : without_mark(marked);
    if (!has_failed_ && !support::write_all(fd_, shown)) {
      has_failed_ = true;
      tracer_.interrupt();
    }
  }

  // Only of events that are shown: -r, -z and -N have left the others out.
  void run_commands(std::string_view event) {
    const Parts parts = parts_of(event);
    if (!request_.commands.empty()) {
      ::setenv(
          "TAG",
          fmt::format("{}.{} {}[{}]", parts.user, parts.group, parts.program, parts.pid).c_str(),
          1);
      ::setenv("DETAILS", std::string(parts.details).c_str(), 1);
    }
    for (const std::string& command : request_.commands) {
      if (has_failed_ || tracer_.is_interrupted()) break;
      const dtrace::Status done = tracer_.run_command(command);
      if (!done.ok()) say("-O: " + done.error().text);
    }
  }

 private:
  // For a terminal; the mark stays what it is.
  std::string escaped(std::string_view text) const {
    if (!is_terminal_) return std::string(text);
    const std::size_t mark = text.find(kEndOfProgram);
    if (mark == std::string_view::npos) return dtrace::escape_for_terminal(text);
    return dtrace::escape_for_terminal(text.substr(0, mark)) + kEndOfProgram +
           dtrace::escape_for_terminal(text.substr(mark + 1));
  }

  const Request& request_;
  dtrace::Tracer& tracer_;
  Fd fd_;
  bool is_terminal_, has_colours_, has_failed_ = false;
};

// An error has the excerpts of all that is wrong.
dtrace::Status compile(dtrace::Tracer& tracer) {
  dtrace::Status status = tracer.compile();
  if (status.ok()) return status;
  dtrace::Error error = status.error();
  for (const dtrace::Diagnostic& diagnostic : tracer.diagnostics()) {
    error.excerpt += diagnostic.excerpt;
  }
  return error;
}

// What to trace: the script, its arguments, and what is $target.
dtrace::Status set_up(dtrace::Tracer& tracer, const Request& request, const Profile& profile,
                      const std::string& script) {
  if (request.is_destructive || !request.commands.empty()) {
    tracer.set_option("destructive");
  }
  // An error names the command that prints the script.
  const std::string what = request.profile.empty() ? joined_words(request) : "-X " + profile.name;
  tracer.add({dtrace::Program::Kind::kScript, fmt::format("dwatch -d {}", what), script});
  for (const std::int32_t pid : request.targets) {
    if (dtrace::Status added = tracer.add_process(pid); !added.ok()) return added;
  }
  return request.target_command.empty() ? dtrace::Status()
                                        : tracer.add_command(request.target_command);
}

// From BEGIN to END; `script` is what is watched.
int watch(const Request& request, const Profile& profile, const std::string& script) {
  dtrace::Tracer tracer;
  dtrace::Status status = set_up(tracer, request, profile, script);
  if (!status.ok()) {
    return refuse(status.error(), request.is_verbose);
  }
  if (const Status added = add_arguments(tracer, request, profile); !added.ok()) {
    return refuse(added.error(), kUsage);
  }
  tracer.on_message([](const dtrace::Message& message) { say(message.text + message.excerpt); });
  status = compile(tracer);
  if (!status.ok() || request.only_compiles) {
    return status.ok() ? 0 : refuse(status.error(), request.is_verbose);
  }
  Result<Fd> opened = open_output(request);
  if (!opened.ok()) {
    return refuse(opened.error());
  }
  Output output(request, tracer, std::move(*opened));
  const bool are_events = profile.has_line;
  Result<Sink> sink = Sink::make(
      request, are_events,
      [&](std::string_view event) {
        output.write(event);
        if (are_events) output.run_commands(event);
      },
      [&] { tracer.interrupt(); });
  if (!sink.ok()) {
    return refuse(sink.error(), kUsage);
  }
  tracer.write_to([&](std::string_view text) { sink->take(text); });
  if (status = tracer.end_on_signals(); !status.ok()) {
    return refuse(status.error(), request.is_verbose);
  }
  if (status = tracer.enable(); !status.ok()) {
    return refuse(status.error(), request.is_verbose);
  }
  // A reader of "watching" may act at once, so the probes are live before it is printed.
  if (status = tracer.go(); !status.ok()) {
    return refuse(status.error(), request.is_verbose);
  }
  if (!request.is_quiet) {
    say_what_is_watched(request, profile);
  }
  status = tracer.run();
  support::ignore_ends();
  sink->finish();
  if (!status.ok()) {
    return refuse(status.error(), request.is_verbose);
  }
  return output.has_failed() ? kFailed : tracer.exit_status();
}

// It would be watched for ever, and nothing shown.
Status check_processes(const Request& request) {
  DT_ASSIGN(const Identities processes, identities('p', request.pids));
  for (const std::string& number : processes.numbers) {
    const auto pid = support::whole_number<std::int32_t>(number);
    if (!pid || (::kill(*pid, 0) != 0 && errno == ESRCH)) {
      return Error::of(fmt::format("-p: there is no process {}", number));
    }
  }
  return {};
}

// The option `zone` takes one, and refuses it if it does not exist. Each of several is asked for by
// a run that ends at once, and gets the name that zonename has there. A namespace has none.
dtrace::Status find_zones(Request& request) {
  for (std::size_t i = 0; request.zones.size() > 1 && i < request.zones.size(); ++i) {
    dtrace::Tracer tracer;
    if (dtrace::Status status = tracer.set_option("zone", request.zones[i]); !status.ok()) {
      return status;
    }
    tracer.add({dtrace::Program::Kind::kScript, "zone", "BEGIN { exit(0); }"});
    if (dtrace::Status status = tracer.enable(); !status.ok()) {
      return status;
    }
    std::string zone = tracer.options().get("zone");
    if (zone.starts_with("pid:")) {
      return dtrace::Error{fmt::format("-j: container '{}' has no control group of its own, and is "
                                       "watched alone only",
                                       request.zones[i]),
                           0, "", "", ""};
    }
    request.zones[i] = std::move(zone);
  }
  return {};
}

int run(int argc, char** argv) {
  Result<Request> request = parse_request(argc, argv);
  if (!request.ok()) {
    return refuse(request.error(), kUsage);
  }
  switch (request->mode) {
    case Mode::kHelp:
      return print(usage_text());
    case Mode::kVersion:
      return print(fmt::format("dwatch {}\n", DT_VERSION));
    case Mode::kListProbes:
      return print_probes(*request);
    case Mode::kListProfiles:
      return print_profiles(*request);
    case Mode::kWatch:
      break;
  }
  const Result<Profile> profile = what_to_watch(*request);
  if (!profile.ok()) {
    return refuse(profile.error());
  }
  find_target(*request, *profile);
  if (!request->shows_script) {
    if (const dtrace::Status zones = find_zones(*request); !zones.ok()) {
      return refuse(zones.error(), request->is_verbose);
    }
  }
  const Result<std::string> script = make_script(*request, *profile);
  if (!script.ok()) {
    return refuse(script.error(), kUsage);
  }
  if (request->shows_script) {
    return print(*script);
  }
  const Status there = check_processes(*request);
  if (!there.ok()) {
    return refuse(there.error(), kUsage);
  }
  return watch(*request, *profile, *script);
}

}  // namespace
}  // namespace dt::dwatch

int main(int argc, char** argv) {
  dt::support::raise_open_files();
  return dt::dwatch::run(argc, argv);
}
