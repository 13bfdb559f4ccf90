// See expand.h.

#include "dwatch/expand.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace dt::dwatch {
namespace {

constexpr std::size_t kColonsOfDescription = 3;

std::vector<std::string> candidates(const std::string& word, Field field) {
  const auto colons = static_cast<std::size_t>(std::count(word.begin(), word.end(), ':'));
  if (colons >= kColonsOfDescription) {
    return {word};
  }
  if (field != Field::kAny) {
    return {in_field(word, field)};
  }
  if (colons == 2) {
    return {"syscall:" + word, word, ":" + word};
  }
  if (colons == 1) {
    const std::size_t colon = word.find(':');
    const std::string first = word.substr(0, colon), second = word.substr(colon + 1);
    return {fmt::format("syscall::{}:{}", first, second), fmt::format("{}:::{}", first, second),
            fmt::format("::{}:{}", first, second), fmt::format("{}::{}:", first, second)};
  }
  if (word == "BEGIN" || word == "END" || word == "ERROR") {
    return {"dtrace:::" + word};
  }
  return {fmt::format("syscall::{}:", word), fmt::format(":::{}", word),
          fmt::format("::{}:", word),        fmt::format("{}:::", word),
          fmt::format(":{}::", word),        fmt::format("syscall::*{}*:", word)};
}

// Each row is one request to the kernel, in its forms from old to new: glibc makes the last ones
// for the functions of C of all these names, and musl some of the old ones.
constexpr std::array kForms = {
    "accept accept4",
    "access faccessat faccessat2",
    "chmod fchmodat fchmodat2",
    "open openat openat2",
    "chown fchownat",
    "dup2 dup3",
    "epoll_create epoll_create1",
    "epoll_wait epoll_pwait epoll_pwait2",
    "eventfd eventfd2",
    "exit exit_group",
    "fork vfork clone clone3",
    "getdents getdents64",
    "inotify_init inotify_init1",
    "link linkat",
    "mkdir mkdirat",
    "mknod mknodat",
    "nanosleep clock_nanosleep",
    "pipe pipe2",
    "poll ppoll",
    "readlink readlinkat",
    "rename renameat renameat2",
    "select pselect6",
    "signalfd signalfd4",
    "stat newfstatat statx",
    "symlink symlinkat",
    "unlink unlinkat",
    "utime utimensat",
    "utimes utimensat",
};

std::vector<std::string> words_of(std::string_view row) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < row.size();) {
    const std::size_t end = std::min(row.find(' ', at), row.size());
    words.emplace_back(row.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

// Only the first form, an old one, stands for the others: a script that names a newer one means
// this one.
std::vector<std::string> relatives(const std::string& word) {
  const std::string call = word.substr(0, word.find(':'));
  for (const char* const row : kForms) {
    std::vector<std::string> forms = words_of(row);
    if (forms.front() == call) {
      forms.erase(forms.begin());
      return forms;
    }
  }
  return {};
}

Result<std::vector<std::string>> expand_all(const std::string& word, Field field, bool has_returns,
                                            const Count& count) {
  DT_ASSIGN(std::string first, expand(word, field, has_returns, count));
  std::vector<std::string> all;
  const std::string call = word.substr(0, word.find(':'));
  const std::string begin = fmt::format("syscall::{}:", call);
  if (field == Field::kAny && first.starts_with(begin)) {
    for (const std::string& other : relatives(word)) {
      std::string description = fmt::format("syscall::{}:{}", other, first.substr(begin.size()));
      if (count(description) > 0) {
        all.push_back(std::move(description));
      }
    }
  }
  all.insert(all.begin(), std::move(first));
  return all;
}

std::string in_field(const std::string& word, Field field) {
  switch (field) {
    case Field::kProvider:
      return word + ":::";
    case Field::kModule:
      return fmt::format(":{}::", word);
    case Field::kFunction:
      return fmt::format("::{}:", word);
    case Field::kName:
      return ":::" + word;
    case Field::kAny:
      break;
  }
  return word;
}

Result<std::string> expand(const std::string& word, Field field, bool has_returns,
                           const Count& count) {
  // Whose probes these are is known when the command has started.
  if (word.find("$target") != std::string::npos) {
    return word.ends_with(':') && !has_returns ? word + "entry" : word;
  }
  for (const std::string& description : candidates(word, field)) {
    const std::size_t all = count(description);
    if (all == 0) {
      continue;
    }
    // A description without a name may mean both ends of functions.
    if (description.ends_with(':') && !has_returns) {
      const std::size_t entries = count(description + "entry");
      if (entries > 0 && entries + count(description + "return") == all) {
        return description + "entry";
      }
    }
    return description;
  }
  return Error::of(fmt::format("no probe is called '{}'", word),
                   word.find(':') != std::string::npos
                       ? "dwatch -l lists all"
                       : fmt::format("dwatch -l -r {0} lists those whose description has the word; "
                                     "a function of a program is 'pid$target::{0}:entry', with -c "
                                     "COMMAND or -p PID",
                                     word));
}

}  // namespace dt::dwatch
