// The resolver of the live system.
//
// Objects are known by device and inode, so a library that a thousand
// processes map is read once. What is known of processes: processes.h.

#include <fmt/core.h>
#include <sys/auxv.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "support/fd.h"
#include "symbol/dwarf/object_sources.h"
#include "symbol/elf/demangle.h"
#include "symbol/frames/go_table.h"
#include "symbol/kernel/kallsyms.h"
#include "symbol/kernel/kernel_symbols.h"
#include "symbol/process/debug_file.h"
#include "symbol/process/debuginfod.h"
#include "symbol/process/process.h"
#include "symbol/process/processes.h"
#include "symbol/resolve/jit_maps.h"
#include "symbol/resolve/object_symbols.h"
#include "symbol/resolve/resolver.h"
#include "symbol/resolve/seen_files.h"

namespace dt::symbol {
namespace {

// Of all tables of symbols, but for the latest one.
constexpr std::size_t kMaxSymbolBytes = 256U << 20;
constexpr std::size_t kMaxObjects = 8192;

class SystemResolver final : public Resolver {
 public:
  explicit SystemResolver(std::shared_ptr<Kallsyms> kallsyms) : kallsyms_(std::move(kallsyms)) {}
  bool kernel(KernelAddr address, Symbol& out) override;
  bool user(std::int32_t pid, UserAddr address, Symbol& out) override;
  void find_sources_with(FindSource find) override { find_source_ = std::move(find); }
  void note_process(std::int32_t pid) override;
  void hold_process(std::int32_t pid) override;
  void follow_processes() override { processes_.follow(); }
  void learn(const kernel::ProcessEvent& event) override;
  void doubt_processes() override;
  void settle() override;
  void limit_memory(std::size_t bytes) override {
    most_symbol_bytes_ = std::min(bytes, kMaxSymbolBytes);
  }
  void hide_user_names() override { hides_user_names_ = true; }
  bool survey(std::chrono::nanoseconds most) override { return processes_.survey(most); }
  void show_mangled() override { demangles_ = false; }
  void show_source(SourceWish wish) override { wish_ = wish; }
  void ask_servers(ServerCallbacks callbacks) override {
    servers_ = Debuginfod::configured(std::move(callbacks));
  }
  bool shows_source() const override { return wish_.any(); }
  std::vector<SourceFrame> source(std::int32_t pid, UserAddr address, bool is_return) override;
  bool is_signal_return(std::int32_t pid, UserAddr address) override;
  std::string take_notice() override;
  std::string source_notice() const override;
  std::string jit_notice() const override { return jit_maps_.notice(); }

 private:
  struct SourcePlace {
    ObjectSources::Object* object = nullptr;
    std::uint64_t offset = 0;  // in the file
    std::string name;          // of the object
  };
  SourcePlace source_place(std::int32_t pid, std::uint64_t address);
  std::string name(std::string mangled) const;
  void add_stripped(std::int32_t pid, const Mapping& mapping, const Fd& fd, ElfSymbols& symbols);
  const ElfSymbols& object(std::int32_t pid, const Mapping& mapping,
                           SymbolKind kind = SymbolKind::kFunction);
  bool variable(std::int32_t pid, std::uint64_t address, Symbol& out);
  const ElfSymbols& vdso();
  bool jit(std::int32_t pid, Life& life, UserAddr address, Symbol& out);
  bool source(std::uint64_t frame, Symbol& out);

  std::shared_ptr<Kallsyms> kallsyms_;
  std::optional<KernelSymbols> kernel_;
  Processes processes_;
  JitMaps jit_maps_;
  using SymbolsKey = std::pair<ObjectKey, SymbolKind>;
  std::map<SymbolsKey, ElfSymbols> objects_;
  std::size_t symbol_bytes_ = 0;  // of objects_
  std::size_t most_symbol_bytes_ = kMaxSymbolBytes;
  SeenFiles files_{[this](const ObjectKey& key) {
    return objects_.contains({key, SymbolKind::kFunction});
  }};
  std::optional<ElfSymbols> vdso_;
  FindSource find_source_;                                     // of functions that interpreters run
  std::unordered_map<std::uint64_t, SourceName> interpreted_;  // those that were found
  std::string notice_;
  bool has_told_limit_ = false;  // of memory
  bool has_told_files_ = false;  // that no more can be open
  bool hides_user_names_ = false;
  bool has_doubted_ = false;
  bool demangles_ = true;
  SourceWish wish_;
  ObjectSources sources_{files_.most_files()};
  bool has_source_ = false;
  std::set<std::string> without_source_;  // objects, until has_source_
  std::unique_ptr<Debuginfod> servers_;   // null where none are named
};

bool SystemResolver::kernel(KernelAddr address, Symbol& out) {
  if (!kernel_) {
    if (kallsyms_ == nullptr) {
      kallsyms_ = std::make_shared<Kallsyms>();
    }
    const Result<std::string_view> text = kallsyms_->text();
    kernel_.emplace(text.ok() ? *text : std::string_view(),
                    read_file("/proc/modules", kMaxMapsBytes));
    kallsyms_.reset();
    if (kernel_->hidden()) {
      notice_ =
          "kernel symbols are hidden from this process (/proc/kallsyms shows no addresses): "
          "kernel functions appear as addresses; set kernel.kptr_restrict to 1 or run with "
          "CAP_SYSLOG";
    } else if (kernel_->size() == 0) {
      notice_ = "cannot read /proc/kallsyms: kernel functions appear as addresses";
    }
  }
  return kernel_->find(address, out);
}

void SystemResolver::doubt_processes() {
  processes_.doubt();
  if (!std::exchange(has_doubted_, true)) {
    notice_ =
        "the kernel had no room to tell of all that processes did: code of some that have ended "
        "may be without names";
  }
}

const ElfSymbols& SystemResolver::vdso() {
  if (!vdso_) {
    vdso_.emplace();
    // The kernel maps the same image into every 64-bit process.
    const std::uint64_t base = ::getauxval(AT_SYSINFO_EHDR);
    const auto own = parse_maps(read_file("/proc/self/maps", kMaxMapsBytes));
    const Mapping* mapping = base == 0 ? nullptr : last_from(own, base);
    if (mapping != nullptr && mapping->begin == base && mapping->path == "[vdso]") {
      vdso_ = ElfSymbols::from_memory(reinterpret_cast<char*>(base),
                                      static_cast<std::size_t>(mapping->end - mapping->begin));
    }
  }
  return *vdso_;
}

void SystemResolver::add_stripped(std::int32_t pid, const Mapping& mapping, const Fd& fd,
                                  ElfSymbols& symbols) {
  const Result<ElfFile> elf = ElfFile::open(fmt::format("/proc/self/fd/{}", fd.get()));
  if (!elf.ok()) {
    return;
  }
  const auto debug = find_debug_file(*elf, mapping.path, fmt::format("/proc/{}/root", pid),
                                     ".symtab", servers_.get());
  if (debug) {
    symbols.add_stripped(*debug);
  } else if (const auto go = GoTable::read(*elf)) {
    symbols.add_go(*go);
  }
}

void SystemResolver::learn(const kernel::ProcessEvent& event) {
  const bool is_file = event.kind == kernel::ProcessEvent::Kind::kMap && event.inode != 0 &&
                       event.path.starts_with('/') && !event.path.starts_with("//");
  if (!is_file) {
    processes_.learn(event);
    return;
  }
  Mapping mapping{event.begin, event.end,  event.file_offset, event.device,
                  event.inode, event.path, event.generation,  0};
  files_.date(mapping, event.pid);
  processes_.learn(event, mapping.edition);
  files_.learn(mapping, event.pid);
}

// The way to a file that has been deleted ends with the last process that maps it.
void SystemResolver::note_process(std::int32_t pid) {
  Life* const life = processes_.note(pid, !processes_.are_followed());
  if (life == nullptr || std::exchange(life->is_looked_through, true)) {
    return;
  }
  for (const Mapping& mapping : life->mappings()) {
    if (is_file(mapping) && is_deleted(mapping.path) && files_.has_room()) {
      files_.hold(pid, mapping);
    }
  }
}

void SystemResolver::hold_process(std::int32_t pid) {
  const Life* const life = processes_.note(pid, true);
  for (const Mapping& mapping : life != nullptr ? life->mappings() : std::vector<Mapping>()) {
    if (is_file(mapping) && files_.has_room()) {
      files_.hold(pid, mapping);
    }
  }
}

// A file that we hold open cannot be unmounted, and takes room when it is deleted. So files are
// held only until it is known whether their symbols are needed, and are read then.
void SystemResolver::settle() {
  std::map<ObjectKey, std::pair<std::int32_t, Mapping>> wanted;
  if (!files_.empty()) {
    processes_.each_wanted([&](std::int32_t pid, const Mapping& mapping) {
      if (const ObjectKey key = key_of(mapping); files_.holds(key)) {
        wanted.try_emplace(key, pid, mapping);
      }
    });
  }
  files_.settle([&](const ObjectKey& key) {
    if (const auto asked = wanted.find(key); asked != wanted.end()) {
      object(asked->second.first, asked->second.second);
    }
  });
}

const ElfSymbols& SystemResolver::object(std::int32_t pid, const Mapping& mapping,
                                         SymbolKind kind) {
  static const ElfSymbols kNothing;
  const SymbolsKey key = {key_of(mapping), kind};
  const auto known = objects_.find(key);
  if (known != objects_.end()) {
    return known->second;
  }
  if (objects_.size() >= kMaxObjects || symbol_bytes_ > most_symbol_bytes_) {
    objects_.clear();
    symbol_bytes_ = 0;
  }
  const Fd fd = files_.take(pid, mapping);
  if (!fd.valid()) {
    return kNothing;  // not remembered: another process may give a way to the file
  }
  const bool is_limited = most_symbol_bytes_ < kMaxSymbolBytes;
  ElfSymbols& symbols =
      objects_
          .emplace(key, ElfSymbols::from_file(fd.get(), kind,
                                              is_limited ? most_symbol_bytes_ : SIZE_MAX))
          .first->second;
  if (symbols.is_too_large() && !std::exchange(has_told_limit_, true)) {
    notice_ = "functions of large programs and libraries have no names, for want of memory";
  }
  if (!symbols.has_table() && !is_limited) {
    add_stripped(pid, mapping, fd, symbols);
  }
  symbol_bytes_ += symbols.bytes();
  if (wish_.any()) {
    sources_.add(key.first, fd, mapping.path, fmt::format("/proc/{}/root", pid), servers_.get());
  }
  return symbols;
}

SystemResolver::SourcePlace SystemResolver::source_place(std::int32_t pid, std::uint64_t address) {
  const Mapping* const mapping = processes_.find(pid, address).mapping;
  if (mapping == nullptr || !is_file(*mapping)) {
    return {};
  }
  const ObjectKey key = key_of(*mapping);
  ObjectSources::Object* object = sources_.find(key);
  if (object == nullptr) {
    const Fd fd = files_.take(pid, *mapping);
    if (!fd.valid()) {
      return {};
    }
    object =
        &sources_.add(key, fd, mapping->path, fmt::format("/proc/{}/root", pid), servers_.get());
  }
  return {object, address - mapping->begin + mapping->file_offset, object_name(mapping->path)};
}

std::vector<SourceFrame> SystemResolver::source(std::int32_t pid, UserAddr address,
                                                bool is_return) {
  const SourcePlace place = source_place(pid, address.value - (is_return ? 1 : 0));
  if (place.object == nullptr) {
    return {};
  }
  std::vector<SourceFrame> frames = sources_.source(*place.object, place.offset, wish_);
  has_source_ = has_source_ || !frames.empty();
  if (!has_source_ && without_source_.size() < kMaxObjects) {
    without_source_.insert(place.name);
  }
  for (SourceFrame& frame : frames) {
    frame.function = name(std::move(frame.function));
  }
  return frames;
}

std::string SystemResolver::take_notice() {
  if (files_.take_shortage() && !std::exchange(has_told_files_, true)) {
    notice_ =
        "functions of some programs have no names: too many open files; raise the limit (ulimit "
        "-n)";
  }
  return std::exchange(notice_, {});
}

std::string SystemResolver::source_notice() const {
  if (has_source_ || without_source_.empty()) {
    return {};
  }
  constexpr std::size_t kShown = 3;
  std::string names;
  std::size_t count = 0;
  for (auto one = without_source_.begin(); one != without_source_.end() && count < kShown; ++one) {
    names += fmt::format("{}{}", count++ == 0 ? "" : ", ", *one);
  }
  const std::size_t left = without_source_.size() - count;
  return fmt::format(
      "nothing is known of the source: there is no DWARF for {}{}; it comes with -g, a debug "
      "package or "
      "DEBUGINFOD_URLS",
      names, left == 0 ? "" : fmt::format(" and {} more", left));
}

bool SystemResolver::is_signal_return(std::int32_t pid, UserAddr address) {
  const SourcePlace place = source_place(pid, address.value);
  return place.object != nullptr && ObjectSources::is_signal_return(*place.object, place.offset);
}

std::string SystemResolver::name(std::string mangled) const {
  return demangles_ ? demangle(mangled.c_str()) : std::move(mangled);
}

bool SystemResolver::jit(std::int32_t pid, Life& life, UserAddr address, Symbol& out) {
  const JitSymbol* const symbol = jit_maps_.find(pid, life, address.value);
  if (symbol == nullptr) {
    return false;
  }
  out = Symbol{std::string(kJitModule), symbol->name, address.value - symbol->begin};
  return true;
}

bool SystemResolver::source(std::uint64_t frame, Symbol& out) {
  const std::uint64_t name = source_name(frame);
  auto known = interpreted_.find(name);
  if (known == interpreted_.end()) {
    auto found = name != 0 && find_source_ ? find_source_(name) : std::nullopt;
    if (!found) {
      return false;
    }
    known = interpreted_.emplace(name, std::move(*found)).first;
  }
  out = Symbol{known->second.file, known->second.function, 0, source_line(frame)};
  return true;
}

// Of the data of a file whose code is mapped next to it.
bool SystemResolver::variable(std::int32_t pid, std::uint64_t address, Symbol& out) {
  for (const Mapping* mapping : processes_.neighbours(pid, address)) {
    const ElfSymbols& symbols = object(pid, *mapping, SymbolKind::kVariable);
    const auto bias = symbols.bias(mapping->begin, mapping->file_offset);
    if (!bias || !symbols.is_loaded(address - *bias)) {
      continue;
    }
    out = Symbol{object_name(mapping->path), "", address - *bias};
    if (ElfSymbols::Found found; symbols.find_address(address - *bias, found)) {
      out.name = name(std::move(found.name));
      out.offset = found.offset;
      out.size = found.size;
    }
    out.path = mapping->path;
    return true;
  }
  return false;
}

bool SystemResolver::user(std::int32_t pid, UserAddr address, Symbol& out) {
  if (is_source_frame(address.value)) {
    return source(address.value, out);
  }
  if (hides_user_names_) {
    return false;
  }
  const auto [life, mapping] = processes_.find(pid, address.value);
  if (mapping == nullptr) {
    return variable(pid, address.value, out);
  }
  const bool has_file = is_file(*mapping);
  if (!has_file && mapping->path != "[vdso]") {
    if (jit(pid, *life, address, out)) {
      return true;
    }
    if (mapping->path.empty()) {
      return false;
    }
  }
  out = Symbol{object_name(mapping->path), "", address.value - mapping->begin};
  ElfSymbols::Found symbol;
  const std::uint64_t offset = address.value - mapping->begin + mapping->file_offset;
  const bool has_symbol = has_file ? object(pid, *mapping).find(offset, symbol)
                                   : mapping->path == "[vdso]" && vdso().find(offset, symbol);
  if (has_symbol) {
    out.name = name(std::move(symbol.name));
    out.offset = symbol.offset;
    out.size = symbol.size;
  } else if (Symbol constant; has_file && variable(pid, address.value, constant)) {
    // Older linkers load constants with the code.
    out = constant.name.empty() ? out : constant;
  }
  if (has_file && out.name.empty()) {
    // As the file says it: the same in each process, wherever the file is mapped.
    const auto bias = object(pid, *mapping).bias(mapping->begin, mapping->file_offset);
    out.offset = bias ? address.value - *bias : offset;
  }
  if (has_file) out.path = mapping->path;
  return true;
}

}  // namespace

std::unique_ptr<Resolver> system_resolver(std::shared_ptr<Kallsyms> kallsyms) {
  return std::make_unique<SystemResolver>(std::move(kallsyms));
}

}  // namespace dt::symbol
