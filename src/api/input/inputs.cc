// Reading scripts, and running cpp over them for -C.
//
// The C preprocessor reads the script from one pipe and writes to another, and both are served at
// once: each of them may be full while the other one has to be read. Its `# line` markers stay in
// the text, so that messages name the line of the file that the line came from.

#include "api/input/inputs.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>

#include "support/check.h"
#include "support/fd.h"
#include "support/file.h"

extern char** environ;

namespace dt::api {
namespace {

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

// What headers of C on this machine take for granted, in words of D.
constexpr const char* kHeaderWords[] = {
    "-D__x86_64__=1",
    "-D__LP64__=1",
    "-D__signed__=signed",
    "-D__const=const",
    "-D__volatile__=volatile",
    "-D__restrict=restrict",
    "-D__inline__=inline",
    "-D__inline=inline",
    "-D__extension__=",
    "-D__attribute=__attribute__",
    "-D__clang__=1",  // or glibc defines away __attribute__ for compilers that it does not know
    "-D__alignof__=sizeof",
    "-D__SIZE_TYPE__=unsigned long",
    "-D__PTRDIFF_TYPE__=long",
    "-D__WCHAR_TYPE__=int",
    "-D__builtin_va_list=void *",
    "-D__builtin_offsetof=offsetof",
    "-D_Noreturn=",
    "-D_Thread_local=",
    "-D_Atomic=",
    "-D_Alignas(x)=__attribute__((aligned(x)))",
    "-D__CHAR_BIT__=8",
    "-D__SCHAR_MAX__=127",
    "-D__SHRT_MAX__=32767",
    "-D__INT_MAX__=2147483647",
    "-D__LONG_MAX__=9223372036854775807L",
    "-D__LONG_LONG_MAX__=9223372036854775807LL",
};

// __Linux_6_12_0: __`uname -s`_`uname -r`, by which scripts tell kernels apart.
std::string release_definition() {
  utsname names{};
  ::uname(&names);
  std::string name = fmt::format("{}_{}", names.sysname, names.release);
  for (char& c : name) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return fmt::format("-D__{}=1", name);
}

// The C preprocessor's command, for the file `name`.
std::vector<std::string> cpp_words(const Options& options, const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : name.substr(0, slash + 1);

  std::vector<std::string> words = {options.cpppath,
                                    "-x",
                                    "c",
                                    "-undef",
                                    "-I" + directory,
                                    "-D__linux__=1",
                                    "-D__linux=1",
                                    "-D__unix=1",
                                    "-D__SVR4=1",
                                    "-D__x86_64=1",
                                    "-D__amd64=1",
                                    "-D_LP64=1",
                                    release_definition(),
                                    "-D__DTRACE_D=1",
                                    "-D__SUNW_D=1",
                                    "-D__SUNW_D_64=1",
                                    "-D__SUNW_D_VERSION=0x0100e000"};
  words.insert(words.end(), std::begin(kHeaderWords), std::end(kHeaderWords));
  words.insert(words.end(), options.cpp_args.begin(), options.cpp_args.end());
  words.emplace_back("-");
  return words;
}

// What the command makes of the text.
Result<std::string> filter(std::vector<std::string> words, const std::string& name,
                           const std::string& text) {
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
    return Error::of_code(fmt::format("failed to run {}: {}", words[0], std::strerror(error)),
                          error, "-C needs the C preprocessor (package cpp)");
  }
  in_read.reset();
  out_write.reset();
  Result<std::string> result = exchange(std::move(in_write), std::move(out_read), text);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (result.ok() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    return Error::of(fmt::format("{} failed on {}; its messages are above", words[0], name));
  }
  return result;
}

Result<std::string> preprocess(const Options& options, const std::string& name, std::string text) {
  // The #! line is not C; it stays as an empty line so that lines still count.
  if (text.rfind("#!", 0) == 0) {
    text.erase(0, std::min(text.find('\n'), text.size()));
  }
  text.insert(0, fmt::format("# 1 \"{}\"\n", name));
  return filter(cpp_words(options, name), name, text);
}

front::Input::Spec spec_of(dtrace::Program::Kind kind) {
  using Kind = dtrace::Program::Kind;
  using Spec = front::Input::Spec;
  switch (kind) {
    case Kind::kName:
      return Spec::kName;
    case Kind::kProvider:
      return Spec::kProvider;
    case Kind::kModule:
      return Spec::kModule;
    case Kind::kFunction:
      return Spec::kFunction;
    case Kind::kId:
      return Spec::kId;
    case Kind::kScript:
      return Spec::kProgram;
  }
  DT_UNREACHABLE();
}

}  // namespace

Result<std::vector<front::Input>> load_inputs(const Request& request, Sources& sources) {
  std::vector<front::Input> inputs;
  for (const dtrace::Program& program : request.programs) {
    const std::string name = is_script(program) ? program.text : "<command line>";
    std::string text = program.text;
    const bool runs_cpp = request.options.cpp && !program.is_preprocessed;
    if (program.content) {
      text = *program.content;
    } else if (is_script(program)) {
      DT_ASSIGN(text, support::read_file(program.text));
    }
    if (runs_cpp) {
      DT_ASSIGN(text, preprocess(request.options, name, std::move(text)));
    }
    Source source(name, std::move(text));
    source.from_command_line = !is_script(program);
    source.is_preprocessed = runs_cpp || program.is_preprocessed;
    inputs.push_back(front::Input{sources.add(std::move(source)), spec_of(program.kind)});
  }
  return inputs;
}

}  // namespace dt::api
