// The running kernel's types: /sys/kernel/btf/vmlinux, and a file beside it for
// each module that is loaded.

#include <dirent.h>

#include <algorithm>

#include "kernel/btf.h"
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

std::unique_ptr<BtfSource> file_source(std::string module, std::string path, BtfSource* base) {
  BtfSource::Options options;
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

}  // namespace

std::unique_ptr<Source> kernel_btf_source(std::string path) {
  return file_source(std::string(kVmlinux), std::move(path), nullptr);
}

void add_kernel_types(Catalog& catalog, const std::string& directory) {
  std::unique_ptr<BtfSource> vmlinux =
      file_source(std::string(kVmlinux), directory + "/" + std::string(kVmlinux), nullptr);
  BtfSource& base = *vmlinux;
  catalog.add_source(std::move(vmlinux));
  catalog.add_library(std::make_unique<KernelModules>(directory, base));
}

}  // namespace dt::types
