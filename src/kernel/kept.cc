// A file is a line, the state of the kernel that it was made in, and the text:
//   dtrace 1 STATE-BYTES TEXT-BYTES \n STATE TEXT
// It appears whole, by a rename.

#include "kernel/kept.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "kernel/kept_directory.h"
#include "support/file.h"
#include "support/lines.h"

namespace dt::kernel {
namespace {

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

}  // namespace

// The state is read before and after the text is made. If a module was loaded meanwhile, the text
// may describe either state, and is not kept.
Result<std::string> kept_text(const std::string& name,
                              const std::function<Result<std::string>()>& make,
                              const KeptPlaces& places) {
  const std::optional<std::string> state = state_of_kernel(places);
  if (!state) return make();
  const KeptDirectory directory = KeptDirectory::open(places.directory);
  if (!directory.valid()) return make();
  if (std::optional<std::string> bytes = directory.load(name)) {
    if (std::optional<std::string> text = state_text(std::move(*bytes), *state)) {
      return std::move(*text);
    }
  }
  DT_ASSIGN(std::string text, make());
  if (state_of_kernel(places) == state) {
    directory.store(name, {head_of(*state, text.size()), text});
  }
  return text;
}

}  // namespace dt::kernel
