// Saving an enabling, and tracing what was saved.
//
// The file: a line that says what it is, then texts, each as its length on a
// line and its bytes: how many words, the words, and each program as it was
// compiled, headers included. It is replaced as a whole.

#include "cli/anonymous.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "support/file.h"

namespace dt::cli {
namespace {

constexpr std::string_view kMagic = "dtrace anonymous enabling 2\n";

std::string enabling_file() { return anonymous_directory() + "/enabling"; }

void append(std::string& out, std::string_view text) {
  out += fmt::format("{}\n{}\n", text.size(), text);
}

// Takes the texts of a file, one after another.
class Texts {
 public:
  explicit Texts(std::string_view rest) : rest_(rest) {}

  std::string next() {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    const auto digits = static_cast<std::size_t>(end - rest_.data());
    const std::size_t behind = rest_.size() - digits;  // with the ends of both lines
    if (error != std::errc() || behind < 2 || size > behind - 2) {
      is_whole_ = false;
      rest_ = {};
      return {};
    }
    std::string text(rest_.substr(digits + 1, size));
    rest_.remove_prefix(digits + 1 + size + 1);
    return text;
  }
  std::size_t next_number() {
    const std::string text = next();
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
  bool is_whole() const { return is_whole_; }

 private:
  std::string_view rest_;
  bool is_whole_ = true;
};

void report_error(const Error& error) {
  dt::cli::report(dtrace::Error{error.text, error.code, error.remedy, error.log, ""}, false);
}

Status write_file(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  const Fd fd(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd.valid()) {
    return support::system_error("failed to save in " + fresh, errno);
  }
  if (!support::write_all(fd, text)) {
    return support::system_error("failed to save in " + fresh, errno);
  }
  if (::fsync(fd.get()) != 0 || ::rename(fresh.c_str(), path.c_str()) != 0) {
    return support::system_error("failed to save in " + path, errno);
  }
  return {};
}

// As sd_booted(3) knows it.
bool is_systemd_here() { return support::is_directory("/run/systemd/system"); }

int clean_up() {
  const std::string file = enabling_file();
  if (::unlink(file.c_str()) == 0) {
    say("cleaned up old anonymous enabling in " + file);
  } else if (errno != ENOENT) {
    report_error(support::system_error("failed to clean up " + file, errno));
    return kError;
  }
  return kSuccess;
}

// The command line of the file, whose scripts come from there, too.
Status read_enabling(CommandLine& line) {
  const std::string file = enabling_file();
  if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) {
    return Error::of("no anonymous enabling is saved in " + anonymous_directory(),
                     "save one with dtrace -A");
  }
  DT_ASSIGN(const std::string text, support::read_file(file));
  const Error damaged = Error::of(file + " is no saved enabling", "save it anew with dtrace -A");
  if (text.rfind(kMagic, 0) != 0) {
    return damaged;
  }
  Texts texts(std::string_view(text).substr(kMagic.size()));
  std::vector<std::string> words(std::min<std::size_t>(texts.next_number(), text.size()));
  for (std::string& word : words) {
    word = texts.next();
  }
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  Refusal refusal;
  if (!texts.is_whole() || argv.empty() ||
      !parse_command_line(static_cast<int>(argv.size()), argv.data(), line, refusal)) {
    return damaged;
  }
  for (dtrace::Program& program : line.programs) {
    program.content = texts.next();
    program.is_preprocessed = true;
  }
  return texts.is_whole() ? Status() : Status(damaged);
}

}  // namespace

std::string anonymous_directory() {
  const char* const set = std::getenv("DTRACE_ANONYMOUS");
  return set != nullptr && *set != '\0' ? set : "/var/lib/dtrace";
}

int save_anonymous(int argc, char** argv, const CommandLine& line) {
  if (line.programs.empty()) {
    return clean_up();
  }
  if (!line.commands.empty() || !line.pids.empty() || !line.output.empty()) {
    say("-c, -p and -o cannot be saved: they are for dtrace -a");
    return kUsage;
  }
  // Errors in the script are to be reported now, not at boot.
  dtrace::Tracer tracer = make_tracer(line);
  tracer.on_message([](const dtrace::Message& message) { dt::cli::report(message); });
  if (const dtrace::Status compiled = tracer.compile(); !compiled.ok()) {
    report_compilation(compiled.error(), tracer);
    return kError;
  }
  std::string text(kMagic);
  append(text, std::to_string(argc));
  for (int i = 0; i < argc; ++i) {
    append(text, argv[i]);
  }
  for (const dtrace::Program& program : tracer.programs()) {
    append(text, *program.content);
  }
  const std::string directory = anonymous_directory();
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    report_error(support::system_error("failed to make " + directory, errno));
    return kError;
  }
  if (Status written = write_file(enabling_file(), text); !written.ok()) {
    report_error(written.error());
    return kError;
  }
  say("saved anonymous enabling in " + enabling_file());
  say(is_systemd_here()
          ? "run 'systemctl enable dtrace-anonymous' and reboot to begin with it, or 'systemctl "
            "start dtrace-anonymous' now"
          : "systemd does not run here: let this system's init run 'dtrace --anonymous' at boot, "
            "or "
            "run it now; 'dtrace -a' prints what it has recorded");
  return kSuccess;
}

int serve_anonymous() {
  CommandLine line;
  if (Status read = read_enabling(line); !read.ok()) {
    report_error(read.error());
    return kError;
  }
  line.mode = Mode::kTrace;
  Result<Claim> claim = Claim::create(anonymous_directory());
  if (!claim.ok()) {
    report_error(claim.error());
    return kError;
  }
  const int status = trace(line, &*claim);
  claim->finish(status);
  return status;
}

}  // namespace dt::cli
