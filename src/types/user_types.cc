// Finding the objects of a process, and the files that describe their types.

#include "types/user_types.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "support/whole_number.h"
#include "symbol/elf/file.h"
#include "symbol/process/debug_file.h"
#include "symbol/process/debuginfod.h"
#include "symbol/process/process.h"
#include "types/btf_source.h"
#include "types/ctf_source.h"
#include "types/dwarf_source.h"

namespace dt::types {
namespace {

using symbol::ElfFile;

constexpr std::string_view kProgram = "a.out";
constexpr std::uint64_t kMaxBtfBytes = std::uint64_t{256} << 20;
// Where the dynamic linker looks by default.
constexpr std::string_view kLibraryDirectories[] = {"/lib/x86_64-linux-gnu",
                                                    "/usr/lib/x86_64-linux-gnu",
                                                    "/lib/aarch64-linux-gnu",
                                                    "/usr/lib/aarch64-linux-gnu",
                                                    "/lib64",
                                                    "/usr/lib64",
                                                    "/lib",
                                                    "/usr/lib"};

// A source that has nothing, and says why.
class NoTypes : public Source {
 public:
  NoTypes(std::string module, std::string why) : module_(std::move(module)), why_(std::move(why)) {}
  std::string_view module() const override { return module_; }
  std::optional<TypeId> find(Catalog&, Tag, std::string_view) override { return std::nullopt; }
  void complete(Catalog&, TypeId) override {}
  std::string error() const override { return why_; }

 private:
  std::string module_, why_;
};

// What dwz put into a file that several share.
Result<DwarfFile> shared_file(const ElfFile& debug, const std::string& path,
                              const std::string& root) {
  const std::string named = debug.alt_link().path;
  if (named.empty()) return DwarfFile();
  const auto file = symbol::find_shared_file(debug, path, root);
  if (!file) return Error::of(fmt::format("{}: the file {} is missing", path, named));
  return DwarfFile::read(*file);
}

Result<std::unique_ptr<Source>> dwarf_types(const std::string& module, const ElfFile& elf,
                                            const std::string& path, const std::string& root) {
  DT_ASSIGN(DwarfFile file, DwarfFile::read(elf));
  DT_ASSIGN(DwarfFile shared, shared_file(elf, path, root));
  return DwarfSource::make(module, std::move(file), std::move(shared));
}

// The program, as the process sees its path.
std::string program_of(std::int32_t pid) {
  std::array<char, 4096> path{};
  const ssize_t size =
      ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

// The paths of the mapped files.
std::vector<std::string> objects_of(std::int32_t pid) {
  std::vector<std::string> paths;
  const std::string maps =
      symbol::read_file(fmt::format("/proc/{}/maps", pid), symbol::kMaxMapsBytes);
  for (const symbol::Mapping& mapping : symbol::parse_maps(maps)) {
    if (mapping.path.starts_with('/')) paths.push_back(mapping.path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// The object that `module` names; "libc" stands for "libc.so.6".
bool is_object(std::string_view module, const std::string& path) {
  const std::string name = symbol::object_name(path);
  return name == module || (!module.empty() && name.starts_with(std::string(module) + ".so"));
}

// What is meant by "pid12`libc.so.6".
struct Scope {
  std::string_view process;  // "pid12"; empty: the target's objects go without
  std::string_view object;   // empty: whichever has the type
  std::int32_t pid = 0;      // 0: the target
};

Scope scope_of(std::string_view module) {
  constexpr std::string_view kPid = "pid";
  const std::string_view process = module.substr(0, module.find('`'));
  Scope scope{{}, module};
  if (!process.starts_with(kPid)) return scope;
  const std::string_view number = process.substr(kPid.size());
  const auto pid = support::whole_number<decltype(scope.pid)>(number);
  if (!number.empty() && (!pid || number[0] == '0')) return scope;
  scope.pid = pid.value_or(0);
  scope.process = process;
  scope.object =
      process.size() == module.size() ? std::string_view() : module.substr(process.size() + 1);
  return scope;
}

// The types of a whole process: those of its program and, for what that does not have, of what
// else it has mapped. Servers are asked about the program only.
class ProcessTypes : public Source {
 public:
  ProcessTypes(std::string module, std::int32_t pid, std::shared_ptr<symbol::Debuginfod> servers)
      : module_(std::move(module)), pid_(pid), root_(fmt::format("/proc/{}/root", pid)) {
    const std::string path = program_of(pid);
    program_ = elf_types(fmt::format("pid{}`{}", pid, symbol::object_name(path)),
                         fmt::format("/proc/{}/exe", pid), path, root_, servers.get());
  }

  std::string_view module() const override { return module_; }
  std::string error() const override { return program_->error(); }
  std::vector<std::string> names(Tag tag) override { return program_->names(tag); }
  void complete(Catalog&, TypeId) override {}
  std::optional<TypeId> find(Catalog& catalog, Tag tag, std::string_view name) override {
    if (const auto own = program_->find(catalog, tag, name)) return own;
    if (!is_open_) open();
    for (const auto& library : libraries_) {
      if (const auto type = library->find(catalog, tag, name)) return type;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kMaxLibraries = 256;

  void open() {
    is_open_ = true;
    const std::string main = program_of(pid_);
    for (const std::string& path : objects_of(pid_)) {
      if (path == main || libraries_.size() == kMaxLibraries) continue;
      libraries_.push_back(elf_types(fmt::format("pid{}`{}", pid_, symbol::object_name(path)),
                                     root_ + path, path, root_));
    }
  }

  std::string module_;
  std::int32_t pid_;
  std::string root_;
  std::unique_ptr<Source> program_;
  std::vector<std::unique_ptr<Source>> libraries_;
  bool is_open_ = false;
};

class UserTypes : public Library {
 public:
  UserTypes(std::optional<std::int32_t> target, std::shared_ptr<symbol::Debuginfod> servers)
      : target_(target), servers_(std::move(servers)) {}

  std::unique_ptr<Source> open(std::string_view module) override;
  std::vector<std::string> modules() const override;
  bool is_kernel() const override { return false; }

 private:
  std::unique_ptr<Source> open_object(const std::string& module, std::string_view object,
                                      std::int32_t pid) const;

  std::optional<std::int32_t> target_;
  std::shared_ptr<symbol::Debuginfod> servers_;
};

std::vector<std::string> UserTypes::modules() const {
  if (!target_) return {};
  std::vector<std::string> names = {std::string(kProgram)};
  for (const std::string& path : objects_of(*target_)) names.push_back(symbol::object_name(path));
  return names;
}

// All paths are seen through /proc/PID/root: the process may be in a container with other files of
// the same names.
std::unique_ptr<Source> UserTypes::open(std::string_view module) {
  constexpr std::string_view kFile = "pid*`/";
  if (module.starts_with(kFile)) {
    const std::string path(module.substr(kFile.size() - 1));
    return elf_types(std::string(module), path, path, "", servers_.get());
  }
  const Scope scope = scope_of(module);
  const std::string name(module);
  if (scope.process.empty() && !target_) return nullptr;
  if (scope.pid == 0 && !target_) {
    return std::make_unique<NoTypes>(
        name, fmt::format("{}: there is no target process; -c and -p give one", module));
  }
  const std::int32_t pid = scope.pid == 0 ? *target_ : scope.pid;
  if (!scope.process.empty() && ::access(fmt::format("/proc/{}/maps", pid).c_str(), F_OK) != 0) {
    return std::make_unique<NoTypes>(name, fmt::format("{}: there is no process {}", module, pid));
  }
  if (!scope.process.empty() && scope.object.empty()) {
    return std::make_unique<ProcessTypes>(name, pid, servers_);
  }
  return open_object(name, scope.object, pid);
}

std::unique_ptr<Source> UserTypes::open_object(const std::string& module, std::string_view object,
                                               std::int32_t pid) const {
  if (object.empty() || object.find('/') != std::string_view::npos) return nullptr;
  const std::string root = fmt::format("/proc/{}/root", pid);
  const std::string main = program_of(pid);
  if (object == kProgram || (!main.empty() && is_object(object, main))) {
    return elf_types(module, fmt::format("/proc/{}/exe", pid), main, root, servers_.get());
  }
  for (const std::string& path : objects_of(pid)) {
    if (is_object(object, path)) {
      return elf_types(module, root + path, path, root, servers_.get());
    }
  }
  if (object.find(".so") == std::string_view::npos) return nullptr;
  for (const std::string_view directory : kLibraryDirectories) {
    const std::string path = fmt::format("{}/{}", directory, object);
    if (::access((root + path).c_str(), R_OK) == 0) {
      return elf_types(module, root + path, path, root, servers_.get());
    }
  }
  return nullptr;
}

}  // namespace

// In this order: DWARF in the file itself; a separate file of debugging information, as
// distributions package it, found by the build id; BTF in the file, as BPF objects and some
// kernels' tools have it. A file without any of them is an error when a type is first needed, and
// not before.
std::unique_ptr<Source> elf_types(const std::string& module, const std::string& path,
                                  const std::string& real_path, const std::string& root,
                                  symbol::Debuginfod* servers) {
  const auto nothing = [&](std::string why) {
    return std::make_unique<NoTypes>(module, fmt::format("{}: {}", module, why));
  };
  Result<ElfFile> elf = ElfFile::open(path);
  if (!elf.ok()) return nothing(elf.error().text);
  std::optional<ElfFile> apart;
  if (!elf->has(".debug_info"))
    apart = symbol::find_debug_file(*elf, real_path, root, ".debug_info", servers);
  if (elf->has(".debug_info") || apart) {
    Result<std::unique_ptr<Source>> source =
        dwarf_types(module, apart ? *apart : *elf, real_path, root);
    if (!source.ok()) return nothing(source.error().text);
    return std::move(*source);
  }
  Result<CtfFile> ctf = CtfFile::read(*elf);
  if (!ctf.ok()) return nothing(ctf.error().text);
  if (!ctf->ctf.empty()) {
    Result<std::unique_ptr<Source>> source = CtfSource::make(module, std::move(*ctf));
    if (!source.ok()) return nothing(source.error().text);
    return std::move(*source);
  }
  if (!elf->has(".BTF")) {
    return nothing(
        fmt::format("{} has no types: it was built without -g, and there is no debug "
                    "file for it in {}",
                    real_path, symbol::kDebugDirectory));
  }
  BtfSource::Options options;
  options.module = module;
  options.where = real_path;
  options.is_userland = true;
  auto bytes = elf->section(".BTF", kMaxBtfBytes);
  if (!bytes.ok()) return nothing(bytes.error().text);
  auto held = std::make_shared<ElfFile::Bytes>(std::move(*bytes));
  return std::make_unique<BtfSource>(
      std::move(options), [held]() -> Result<FileBytes> { return FileBytes(std::move(*held)); });
}

std::unique_ptr<Library> user_types(std::optional<std::int32_t> target,
                                    std::shared_ptr<symbol::Debuginfod> servers) {
  return std::make_unique<UserTypes>(target, std::move(servers));
}

}  // namespace dt::types
