// A file is a line, the state of the kernel that it was made in, and the text:
//   dtrace 1 STATE-BYTES TEXT-BYTES \n STATE TEXT
// It appears whole, by a rename.

#include "kernel/kept.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "support/fd.h"
#include "support/file.h"
#include "support/lines.h"

namespace dt::kernel {
namespace {

constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;

// A line of /proc/modules: name, size, users, their names, state, address. The users
// do not matter. nullopt: a module is being loaded or unloaded, and its functions with it.
std::optional<std::string> state_of_module(std::string_view line) {
  constexpr std::size_t kName = 0, kSize = 1, kState = 4, kAddress = 5;
  std::string state;
  std::size_t field = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    if (field == kState && word != "Live") return std::nullopt;
    if (field == kName || field == kSize || field == kAddress) {
      state += word;
      state += ' ';
    }
    line.remove_prefix(std::min(end + 1, line.size()));
    ++field;
  }
  state += '\n';
  return state;
}

std::optional<std::string> state_of_kernel(const KeptPlaces& places) {
  Result<std::string> boot = support::read_file(places.boot);
  const Result<std::string> modules = support::read_file(places.modules);
  if (!boot.ok() || boot->empty() || !modules.ok()) return std::nullopt;
  std::optional<std::string> state = std::move(*boot);
  support::for_lines(*modules, [&](std::string_view line) {
    const std::optional<std::string> one = state_of_module(line);
    if (!one || !state) {
      state.reset();
    } else {
      *state += *one;
    }
  });
  return state;
}

bool is_ours_alone(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & kOthersMayWrite) == 0;
}

// What is checked is the descriptor, and files are opened relative to it. If the path were checked
// and then used, another user could exchange the directory between the two, and root would read as
// addresses of kernel functions what this user has written.
Fd open_directory(const std::string& path) {
  ::mkdir(path.c_str(), 0700);
  Fd directory(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return directory.valid() && is_ours_alone(directory.get()) ? std::move(directory) : Fd();
}

std::string head_of(std::string_view state, std::size_t text_bytes) {
  return fmt::format("dtrace 1 {} {}\n{}", state.size(), text_bytes, state);
}

// What is after the head, if that is what it should be and nothing is missing.
std::optional<std::string> state_text(std::string bytes, std::string_view state) {
  std::size_t state_bytes = 0, text_bytes = 0;
  if (std::sscanf(bytes.c_str(), "dtrace 1 %zu %zu\n", &state_bytes, &text_bytes) != 2) {
    return std::nullopt;
  }
  const std::string head = head_of(state, text_bytes);
  if (!bytes.starts_with(head) || bytes.size() - head.size() != text_bytes) return std::nullopt;
  bytes.erase(0, head.size());
  return bytes;
}

std::optional<std::string> load_kept(const Fd& directory, const std::string& name,
                                     std::string_view state) {
  const Fd file(::openat(directory.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid() || !is_ours_alone(file.get())) return std::nullopt;
  Result<std::string> bytes = support::read_file(file, name);
  return bytes.ok() ? state_text(std::move(*bytes), state) : std::nullopt;
}

void store_kept(const Fd& directory, const std::string& name, std::string_view state,
                std::string_view text) {
  // O_EXCL with O_NOFOLLOW: a link that another user has put there is not followed, as the open
  // fails.
  //
  // Two that write at once may exchange their files; one that is not whole is not taken.
  const std::string own = name + ".new";
  ::unlinkat(directory.get(), own.c_str(), 0);
  const Fd file(::openat(directory.get(), own.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return;
  const bool is_whole =
      support::write_all(file, head_of(state, text.size())) && support::write_all(file, text);
  if (!is_whole || ::renameat(directory.get(), own.c_str(), directory.get(), name.c_str()) != 0) {
    ::unlinkat(directory.get(), own.c_str(), 0);
  }
}

}  // namespace

// The state is read before and after the text is made. If a module was loaded meanwhile, the text
// may describe either state, and is not kept.
Result<std::string> kept_text(const std::string& name,
                              const std::function<Result<std::string>()>& make,
                              const KeptPlaces& places) {
  const std::optional<std::string> state = state_of_kernel(places);
  const Fd directory = state ? open_directory(places.directory) : Fd();
  if (!directory.valid()) return make();
  if (std::optional<std::string> text = load_kept(directory, name, *state)) return std::move(*text);
  DT_ASSIGN(std::string text, make());
  if (state_of_kernel(places) == state) store_kept(directory, name, *state, text);
  return text;
}

}  // namespace dt::kernel
