// Finding the objects of a process, and the files that describe their types.

#include "types/user_types.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "symbol/elf/file.h"
#include "symbol/process/debug_file.h"
#include "symbol/process/debuginfod.h"
#include "symbol/process/process.h"
#include "types/btf_source.h"
#include "types/dwarf_source.h"

namespace dt::types {
namespace {

using symbol::ElfFile;

constexpr std::string_view kProgram = "a.out";
constexpr std::uint64_t kMaxBtfBytes = std::uint64_t{256} << 20;
// Where the dynamic linker looks without being told.
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
  if (!file) return Error{fmt::format("{}: the file {} is missing", path, named), 0, "", ""};
  return DwarfFile::read(*file);
}

Result<std::unique_ptr<Source>> dwarf_types(const std::string& module, const ElfFile& elf,
                                            const std::string& path, const std::string& root) {
  DT_ASSIGN(DwarfFile file, DwarfFile::read(elf));
  DT_ASSIGN(DwarfFile shared, shared_file(elf, path, root));
  return DwarfSource::make(module, std::move(file), std::move(shared));
}

class UserTypes : public Library {
 public:
  UserTypes(std::int32_t pid, std::shared_ptr<symbol::Debuginfod> servers)
      : pid_(pid), root_(fmt::format("/proc/{}/root", pid)), servers_(std::move(servers)) {}

  std::unique_ptr<Source> open(std::string_view module) override;
  std::vector<std::string> modules() const override;
  bool is_kernel() const override { return false; }

 private:
  std::vector<std::string> objects() const;
  std::string program() const;

  std::int32_t pid_;
  std::string root_;
  std::shared_ptr<symbol::Debuginfod> servers_;
};

// The path of the program, as the process sees it.
std::string UserTypes::program() const {
  std::array<char, 4096> path{};
  const ssize_t size =
      ::readlink(fmt::format("/proc/{}/exe", pid_).c_str(), path.data(), path.size());
  return size <= 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

// The paths of the mapped files.
std::vector<std::string> UserTypes::objects() const {
  std::vector<std::string> paths;
  const std::string maps =
      symbol::read_file(fmt::format("/proc/{}/maps", pid_), symbol::kMaxMapsBytes);
  for (const symbol::Mapping& mapping : symbol::parse_maps(maps)) {
    if (mapping.path.starts_with('/')) paths.push_back(mapping.path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

std::vector<std::string> UserTypes::modules() const {
  std::vector<std::string> names = {std::string(kProgram)};
  for (const std::string& path : objects()) names.push_back(symbol::object_name(path));
  return names;
}

// The object that `module` names; "libc" stands for "libc.so.6".
bool is_object(std::string_view module, const std::string& path) {
  const std::string name = symbol::object_name(path);
  return name == module || (!module.empty() && name.starts_with(std::string(module) + ".so"));
}

std::unique_ptr<Source> UserTypes::open(std::string_view module) {
  std::string_view name = module;
  const std::string own = fmt::format("pid{}`", pid_);
  if (name.starts_with(own)) name.remove_prefix(own.size());
  if (name.empty() || name.find('/') != std::string_view::npos) return nullptr;
  const std::string main = program();
  if (name == kProgram || (!main.empty() && is_object(name, main))) {
    return elf_types(std::string(module), fmt::format("/proc/{}/exe", pid_), main, root_,
                     servers_.get());
  }
  for (const std::string& path : objects()) {
    if (is_object(name, path))
      return elf_types(std::string(module), root_ + path, path, root_, servers_.get());
  }
  if (name.find(".so") == std::string_view::npos) return nullptr;
  for (const std::string_view directory : kLibraryDirectories) {
    const std::string path = fmt::format("{}/{}", directory, name);
    if (::access((root_ + path).c_str(), R_OK) == 0) {
      return elf_types(std::string(module), root_ + path, path, root_, servers_.get());
    }
  }
  return nullptr;
}

}  // namespace

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

std::unique_ptr<Library> user_types(std::int32_t pid, std::shared_ptr<symbol::Debuginfod> servers) {
  return std::make_unique<UserTypes>(pid, std::move(servers));
}

}  // namespace dt::types
