// Runs D scripts one after another in one process, for guests: where an emulated kernel runs, the
// start of a dtrace takes longer than most of the language's tests.
//
// Each line of standard input is a script, words with tabs between them:
//
//     SCRIPT OUT ERR [-q | -c COMMAND]... [-- ARGUMENT...]
//
// Standard output and standard error of the script go to the files OUT and ERR. The answer is a
// line with the exit status that dtrace would have.

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "dtrace/tracer.h"

namespace {

void put(const std::string& text) { std::fputs(text.c_str(), stderr); }

void put(const dtrace::Error& error) {
  put("dtrace: " + error.text + '\n' +
      (error.remedy.empty() ? "" : "hint: " + error.remedy + '\n') + error.excerpt);
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == '\t') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

bool redirect(const std::string& path, int to) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return fd >= 0 && ::dup2(fd, to) == to && ::close(fd) == 0;
}

// Whether the words could be understood.
bool give(dtrace::Tracer& tracer, const std::vector<std::string>& words) {
  tracer.add({dtrace::Program::Kind::kScript, words[0]});
  std::size_t i = 3;
  for (; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == "-q") {
      if (!tracer.set_option("quiet")) return false;
    } else if (words[i] == "-c" && i + 1 < words.size()) {
      if (!tracer.add_command(words[++i])) return false;
    } else {
      put("unknown option " + words[i] + '\n');
      return false;
    }
  }
  for (++i; i < words.size(); ++i) {
    if (!tracer.add_argument(words[i])) return false;
  }
  return true;
}

int trace(const std::vector<std::string>& words) {
  constexpr int kError = 1, kUsage = 2;
  dtrace::Tracer tracer;
  if (!give(tracer, words)) return kUsage;
  tracer.on_message([](const dtrace::Message& message) {
    put("dtrace: " + message.text + '\n' + message.excerpt);
  });
  tracer.write_to(STDOUT_FILENO, "<stdout>");
  const dtrace::Status status = tracer.run();
  if (!status.ok()) {
    put(status.error());
    for (const dtrace::Diagnostic& diagnostic : tracer.diagnostics()) put(diagnostic.excerpt);
    return kError;
  }
  return tracer.exit_status();
}

}  // namespace

int main() {
  std::FILE* const answers = ::fdopen(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w");
  if (answers == nullptr) return 1;
  std::setvbuf(stderr, nullptr, _IONBF, 0);
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::vector<std::string> words = split(line);
    if (words.size() < 3 || !redirect(words[1], STDOUT_FILENO) ||
        !redirect(words[2], STDERR_FILENO)) {
      return 1;
    }
    std::fprintf(answers, "%d\n", trace(words));
    std::fflush(answers);
  }
  return 0;
}
