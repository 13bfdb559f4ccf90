// The running kernel's types: /sys/kernel/btf/vmlinux, and a file beside it for
// each module that is loaded.

#include "types/kernel_btf.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>

#include "kernel/btf.h"
#include "kernel/kept_directory.h"
#include "support/file.h"
#include "types/btf_source.h"

namespace dt::types {
namespace {

constexpr std::string_view kVmlinux = "vmlinux";
constexpr std::string_view kRunning = "/sys/kernel/btf";

// Opens the types of the kernel or a module. Before Linux 6.16, files in /sys/kernel/btf could only
// be read, not mapped, and copying some megabytes takes longer than all look-ups in them. A BPF
// system call gives the same bytes of the running kernel at once, to those who may use it.
Result<FileBytes> open_types(const std::string& path, const std::string& module) {
  Result<FileBytes> mapped = FileBytes::map(path);
  if (mapped.ok() || mapped.error().code != FileBytes::kCannotBeMapped) return mapped;
  if (path == fmt::format("{}/{}", kRunning, module)) {
    if (auto asked = kernel::kernel_btf_bytes(module); asked.ok()) {
      return FileBytes(std::move(asked->data), asked->size);
    }
  }
  return FileBytes::open(path);
}

std::unique_ptr<BtfSource> file_source(std::string module, std::string path, BtfSource* base,
                                       BtfSource::FindIndex find_index = {}) {
  BtfSource::Options options;
  options.find_index = std::move(find_index);
  options.module = module;
  options.where = path;
  options.base = base;
  return std::make_unique<BtfSource>(
      std::move(options),
      [path = std::move(path), module = std::move(module)] { return open_types(path, module); });
}

class KernelModules : public Library {
 public:
  KernelModules(std::string directory, BtfSource& vmlinux)
      : directory_(std::move(directory)), vmlinux_(vmlinux) {}

  std::unique_ptr<Source> open(std::string_view module) override {
    const std::vector<std::string> known = modules();
    if (std::find(known.begin(), known.end(), module) == known.end()) return nullptr;
    return file_source(std::string(module), directory_ + "/" + std::string(module), &vmlinux_);
  }

  std::vector<std::string> modules() const override {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(directory_.c_str()), ::closedir);
    if (directory == nullptr) return names;
    while (const dirent* entry = ::readdir(directory.get())) {
      const std::string_view name = entry->d_name;
      if (!name.starts_with('.') && name != kVmlinux) names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  bool is_kernel() const override { return true; }

 private:
  std::string directory_;
  BtfSource& vmlinux_;
};

// The kernel's types do not change while it runs, so the boot's id says whether an index is theirs;
// with the size of the bytes and their header, a mistake would be seen even so. What the index says
// of a name that is there is compared with the bytes (Btf::find); what it says of a name that is
// not there must be right, so only a file that no other user can have written is read.
//
//   dtrace-types BOOT SIZE \n HEADER | the index
constexpr const char* kKeptIndex = "types";
constexpr std::size_t kBtfHeaderBytes = 24;  // of BTF: how long its sections are

std::optional<std::string> identity(std::span<const std::uint8_t> bytes,
                                    const kernel::KeptPlaces& places) {
  const Result<std::string> boot = support::read_file(places.boot);
  if (!boot.ok() || boot->empty() || bytes.size() < kBtfHeaderBytes) return std::nullopt;
  const std::string_view id = std::string_view(*boot).substr(0, boot->find('\n'));
  std::string text = fmt::format("dtrace-types {} {}\n", id, bytes.size());
  text.append(reinterpret_cast<const char*>(bytes.data()), kBtfHeaderBytes);
  return text;
}

bool begins_with(const Fd& file, const std::string& wanted) {
  std::string found(wanted.size(), '\0');
  const ssize_t got = ::pread(file.get(), found.data(), found.size(), 0);
  return got == static_cast<ssize_t>(wanted.size()) && found == wanted;
}

std::optional<BtfIndex> running_index(std::span<const std::uint8_t> bytes) {
  return kept_index(bytes, kernel::KeptPlaces());
}

}  // namespace

std::optional<BtfIndex> kept_index(std::span<const std::uint8_t> bytes,
                                   const kernel::KeptPlaces& places) {
  const std::optional<std::string> wanted = identity(bytes, places);
  if (!wanted) return std::nullopt;
  const kernel::KeptDirectory directory = kernel::KeptDirectory::open(places.directory);
  if (Fd file = directory.open_file(kKeptIndex); file.valid() && begins_with(file, *wanted)) {
    if (auto known = BtfIndex::of(std::move(file), wanted->size())) return known;
  }
  // Where there is no room for it, each command would make it for itself alone. It is smaller than
  // the bytes.
  if (!directory.has_room(bytes.size())) return std::nullopt;
  const Result<Btf> btf = Btf::parse(bytes);
  if (!btf.ok()) return std::nullopt;
  std::optional<std::string> made = btf->make_index();
  if (!made) return std::nullopt;
  directory.store(kKeptIndex, {*wanted, *made});
  return BtfIndex::of(std::move(*made));
}

std::unique_ptr<Source> kernel_btf_source(std::string path) {
  return file_source(std::string(kVmlinux), std::move(path), nullptr);
}

void add_kernel_types(Catalog& catalog, const std::string& directory) {
  const bool is_running = directory == kRunning;
  std::unique_ptr<BtfSource> vmlinux =
      file_source(std::string(kVmlinux), directory + "/" + std::string(kVmlinux), nullptr,
                  is_running ? running_index : BtfSource::FindIndex());
  BtfSource& base = *vmlinux;
  catalog.add_source(std::move(vmlinux));
  catalog.add_library(std::make_unique<KernelModules>(directory, base));
}

}  // namespace dt::types
