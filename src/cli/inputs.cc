// Reading scripts, and running cpp over them for -C.

#include "cli/inputs.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/fd.h"

extern char** environ;

namespace dt::cli {
namespace {

Result<std::string> read_all(const Fd& fd, const std::string& name) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      return Error{fmt::format("failed to read {}: {}", name, std::strerror(errno)), errno, "", ""};
    }
    if (n == 0) {
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > kMaxScriptBytes) {
      return Error{
          fmt::format("failed to read {}: a script may be {} bytes at most", name, kMaxScriptBytes),
          0, "", ""};
    }
  }
}

// Writes `input` to one pipe while reading the answer from another, so that
// neither side blocks for ever.
Result<std::string> exchange(Fd to, Fd from, const std::string& input) {
  std::string output;
  std::size_t written = 0;
  ::fcntl(to.get(), F_SETFL, O_NONBLOCK);
  for (;;) {
    pollfd polls[2] = {{from.get(), POLLIN, 0}, {to.get(), POLLOUT, 0}};
    if (::poll(polls, to.valid() ? 2 : 1, -1) < 0 && errno != EINTR) {
      return support::system_error("failed to run cpp: poll", errno);
    }
    if (to.valid() && (polls[1].revents & (POLLOUT | POLLERR)) != 0) {
      const ssize_t n = ::write(to.get(), input.data() + written, input.size() - written);
      if (n > 0) {
        written += static_cast<std::size_t>(n);
      }
      if (written == input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        to.reset();
      }
    }
    if ((polls[0].revents & (POLLIN | POLLHUP)) != 0) {
      char buffer[65536];
      const ssize_t n = ::read(from.get(), buffer, sizeof buffer);
      if (n == 0) {
        return output;
      }
      if (n > 0) {
        output.append(buffer, static_cast<std::size_t>(n));
      }
    }
  }
}

Result<std::string> preprocess(const Options& options, const std::string& name, std::string text) {
  // The #! line is not C; it stays as an empty line so that lines still count.
  if (text.rfind("#!", 0) == 0) {
    text.erase(0, std::min(text.find('\n'), text.size()));
  }
  text.insert(0, fmt::format("# 1 \"{}\"\n", name));
  const std::size_t slash = name.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : name.substr(0, slash + 1);

  std::vector<std::string> words = {options.cpppath,
                                    "-x",
                                    "c",
                                    "-nostdinc",
                                    "-undef",
                                    "-I" + directory,
                                    "-D__linux__=1",
                                    "-D__DTRACE_D=1",
                                    "-D__SUNW_D=1",
                                    "-D__SUNW_D_64=1",
                                    "-D__SUNW_D_VERSION=0x0100e000"};
  words.insert(words.end(), options.cpp_args.begin(), options.cpp_args.end());
  words.emplace_back("-");
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);

  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0) {
    return support::system_error("failed to run cpp: pipe", errno);
  }
  Fd in_read(in[0]);
  Fd in_write(in[1]);
  if (::pipe2(out, O_CLOEXEC) != 0) {
    return support::system_error("failed to run cpp: pipe", errno);
  }
  Fd out_read(out[0]);
  Fd out_write(out[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in_read.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, out_write.get(), 1);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return Error{fmt::format("failed to run {}: {}", options.cpppath, std::strerror(error)), error,
                 "-C needs the C preprocessor (package cpp)", ""};
  }
  in_read.reset();
  out_write.reset();
  Result<std::string> result = exchange(std::move(in_write), std::move(out_read), text);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (result.ok() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    return Error{fmt::format("{} failed on {}; its messages are above", options.cpppath, name), 0,
                 "", ""};
  }
  return result;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  Fd fd(path == "-" ? ::dup(0) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    return Error{fmt::format("failed to open {}: {}", path, std::strerror(errno)), errno, "", ""};
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return Error{fmt::format("failed to open {}: {}", path, std::strerror(EISDIR)), EISDIR, "", ""};
  }
  return read_all(fd, path);
}

Result<std::vector<d::Input>> load_inputs(const CommandLine& line, Sources& sources) {
  std::vector<d::Input> inputs;
  for (const Program& program : line.programs) {
    std::string text = program.text;
    if (program.is_file) {
      DT_ASSIGN(text, read_file(program.text));
    }
    if (line.options.cpp) {
      const std::string name = program.is_file ? program.text : "<command line>";
      DT_ASSIGN(text, preprocess(line.options, name, std::move(text)));
    }
    Source source(program.is_file ? program.text : "<command line>", std::move(text));
    source.from_command_line = !program.is_file;
    inputs.push_back(d::Input{sources.add(std::move(source)), program.spec});
  }
  return inputs;
}

}  // namespace dt::cli
