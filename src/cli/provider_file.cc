// dtrace -h and -G: what a program is built with that has probes of its own.

#include <elf.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "cli/commands.h"
#include "cli/report.h"
#include "support/fd.h"
#include "support/file.h"

namespace dt::cli {
namespace {

int refuse(std::string_view what, const std::string& path, int code) {
  say(fmt::format("failed to {} '{}': {}", what, path, std::strerror(code)));
  return kError;
}

// Here, and called like the script: "probes.h" for "../probes.d"; "" without a script.
std::string default_output(const CommandLine& line) {
  for (const dtrace::Program& program : line.programs) {
    std::string name = program.text.substr(program.text.rfind('/') + 1);
    if (!is_script(program) || name.empty() || name == "-") {
      continue;
    }
    if (name.ends_with(".d")) {
      name.resize(name.size() - 2);
    }
    return name + (line.mode == Mode::kHeader ? ".h" : ".o");
  }
  return {};
}

// Objects stay as they are; that they are there and of our kind is looked at, so that
// a build stops here and not at its end.
int check_object(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  Elf64_Ehdr header{};
  const ssize_t size = fd.valid() ? ::read(fd.get(), &header, sizeof header) : -1;
  if (size < 0) {
    return refuse("read", path, errno);
  }
  const bool is_elf = static_cast<std::size_t>(size) >= offsetof(Elf64_Ehdr, e_version) &&
                      std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
  if (is_elf && (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)) {
    say(fmt::format("failed to use '{}': it is not for x86-64", path));
    return kError;
  }
  return kSuccess;
}

bool is_same_file(const std::string& one, const std::string& other) {
  struct stat a {
  }, b{};
  return ::stat(one.c_str(), &a) == 0 && ::stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino && S_ISREG(a.st_mode);
}

// Under a name of its own until it is whole: a parallel make(1) may read it, or make it twice.
// Nothing that is half written is left. A device, a link or a FIFO is written itself.
int write_file(const std::string& path, const std::string& content) {
  struct stat status {};
  const bool is_there = ::lstat(path.c_str(), &status) == 0;
  const bool is_replaced = !is_there || S_ISREG(status.st_mode);
  const std::string part = is_replaced ? fmt::format("{}.{}.part", path, ::getpid()) : path;
  const Fd fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.valid()) {
    return refuse("open", path, errno);
  }
  const bool is_written = support::write_all(fd, content) &&
                          (!is_replaced || ::rename(part.c_str(), path.c_str()) == 0);
  if (is_written) {
    return kSuccess;
  }
  const int code = errno;
  if (is_replaced) {
    ::unlink(part.c_str());
  }
  return refuse("write to", path, code);
}

}  // namespace

int make_provider_file(const CommandLine& line) {
  const bool is_header = line.mode == Mode::kHeader;
  const std::string output = line.output.empty() ? default_output(line) : line.output;
  if (output.empty()) {
    say(fmt::format("option {} needs the name of a file: -o", is_header ? "-h" : "-G"));
    return kUsage;
  }
  for (const dtrace::Program& program : line.programs) {
    if (is_script(program) && is_same_file(program.text, output)) {
      say(fmt::format("failed to write to '{}': it is the script itself", output));
      return kError;
    }
  }
  CommandLine asked = line;
  if (!is_header) {
    for (const std::string& object : line.macro_args) {
      if (const int status = check_object(object); status != kSuccess) {
        return status;
      }
    }
    asked.macro_args.clear();
  }
  std::string guard = output;
  if (output.starts_with("/dev/") && !default_output(line).empty()) {
    guard = default_output(line);
  }
  dtrace::Tracer tracer = make_tracer(asked);
  tracer.on_message([](const dtrace::Message& message) { report(message); });
  const auto content = is_header ? tracer.provider_header(guard) : tracer.provider_object();
  if (!content.ok()) {
    report_compilation(content.error(), tracer);
    return kError;
  }
  return write_file(output, *content);
}

}  // namespace dt::cli
