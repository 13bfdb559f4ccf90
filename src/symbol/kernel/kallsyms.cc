// Searching the text of kallsyms: "address kind name[\t[module]]".
//
// /proc/kallsyms is text of several megabytes which the kernel makes anew for every reader. It
// takes tens of milliseconds, so it is read once, when a name or an address is first asked for.
// Without CAP_SYSLOG, or with kptr_restrict, all addresses are shown as zeros, without an error.

#include "symbol/kernel/kallsyms.h"

#include <algorithm>
#include <charconv>

#include "support/diagnostics.h"
#include "support/nearest.h"
#include "symbol/process/process.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxKallsymsBytes = 256U << 20;
constexpr std::size_t kMaxSymbols = 1024;  // of one name

struct Line {
  std::uint64_t address = 0;
  char kind = 0;
  std::string_view name, module;
};

// The line that holds the byte at `at`.
Line line_at(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::string_view rest = text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
  Line line;
  const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), line.address, 16);
  rest.remove_prefix(static_cast<std::size_t>(number.ptr - rest.data()));
  if (number.ec != std::errc()) return {};
  if (rest.size() < 4 || rest[0] != ' ' || rest[2] != ' ') return {};
  line.kind = rest[1];
  rest.remove_prefix(3);
  line.name = rest.substr(0, rest.find_first_of("\t "));
  const std::size_t open = rest.find('[');
  const std::size_t close = rest.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    line.module = "vmlinux";
  } else {
    line.module = rest.substr(open + 1, close - open - 1);
  }
  return line;
}

template <typename Each>
void for_name(std::string_view text, std::string_view name, const Each& each) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at > 0 && text[at - 1] == ' ';
    const bool ends = end == text.size() || text[end] == '\n' || text[end] == '\t';
    if (!begins || !ends) continue;
    const Line line = line_at(text, at);
    if (line.name == name && !each(line)) return;
  }
}

}  // namespace

Kallsyms Kallsyms::from_text(std::string text) {
  Kallsyms kallsyms;
  kallsyms.set_text(std::move(text));
  return kallsyms;
}

void Kallsyms::set_text(std::string text) {
  text_ = std::move(text);
  is_read_ = true;
  is_hidden_ = hides_addresses();
  find_sections();
}

Result<std::string_view> Kallsyms::text() {
  if (!is_read_) {
    set_text(read_file(path_, kMaxKallsymsBytes));
    if (text_.empty()) error_ = "cannot read " + path_;
  }
  if (!error_.empty()) return Error::of(error_);
  return std::string_view(text_);
}

// Whether no line has an address: the kernel shows zeros to the unprivileged.
bool Kallsyms::hides_addresses() const {
  std::string_view rest = text_;
  bool any = false;
  while (!rest.empty()) {
    const Line line = line_at(rest, 0);
    if (line.address != 0) return false;
    any = any || !line.name.empty();
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  return any;
}

void Kallsyms::find_sections() {
  const auto address_of = [this](std::string_view name) {
    std::uint64_t address = 0;
    for_name(text_, name, [&](const Line& line) {
      address = line.address;
      return false;
    });
    return address;
  };
  per_cpu_ = {address_of("__per_cpu_start"), address_of("__per_cpu_end")};
  data_ = {address_of("_sdata"), address_of("_edata")};
}

Result<std::vector<KernelObject>> Kallsyms::find(std::string_view name) {
  DT_TRY(text());
  if (is_hidden_) {
    return Error::of("the addresses of the kernel's symbols are hidden from this process (" +
                         path_ + " shows zeros)",
                     "set kernel.kptr_restrict to 1 or run with CAP_SYSLOG");
  }
  std::vector<KernelObject> found;
  if (name.empty() || name.find_first_of(" \t\n") != std::string_view::npos) return found;
  for_name(text_, name, [&](const Line& line) {
    const bool known = std::any_of(found.begin(), found.end(), [&](const KernelObject& other) {
      return other.address.value == line.address && other.module == line.module;
    });
    if (known) return true;
    KernelObject object;
    object.module = line.module;
    object.address = KernelAddr(line.address);
    const bool is_kernel = line.module == "vmlinux";
    // Linux 7.2 of Debian gives the letter of functions to its initialised variables, too.
    object.is_function = std::string_view("tTwW").find(line.kind) != std::string_view::npos &&
                         !(is_kernel && data_.has(line.address));
    object.is_per_cpu = is_kernel && per_cpu_.has(line.address);
    found.push_back(std::move(object));
    return found.size() < kMaxSymbols;
  });
  return found;
}

bool Kallsyms::has_module(std::string_view module) {
  if (module == "vmlinux") return true;
  if (!text().ok() || module.empty()) return false;
  return text_.find("\t[" + std::string(module) + "]") != std::string::npos;
}

std::string Kallsyms::near(std::string_view name, std::string_view module) {
  if (!text().ok()) return {};
  std::vector<std::string_view> names;
  std::string_view rest = text_;
  while (!rest.empty()) {
    const Line line = line_at(rest, 0);
    if (!line.name.empty() && (module.empty() || line.module == module)) names.push_back(line.name);
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  return support::nearest(name, names);
}

}  // namespace dt::symbol
