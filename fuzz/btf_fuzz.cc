// Any bytes as BTF, and any bytes as the BTF of a module that is split from it:
// two bytes say how long the first is.

#include <cstddef>
#include <cstdint>

#include "ask_types.h"
#include "types/btf_source.h"

namespace dt::types {
namespace {

std::unique_ptr<BtfSource> source(std::string module, std::vector<std::uint8_t> bytes,
                                  BtfSource* base) {
  BtfSource::Options options;
  options.module = std::move(module);
  options.where = options.module;
  options.base = base;
  options.is_userland = base != nullptr;
  return std::make_unique<BtfSource>(
      std::move(options),
      [bytes = std::move(bytes)]() -> Result<FileBytes> { return FileBytes(bytes); });
}

}  // namespace
}  // namespace dt::types

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dt::types;
  if (size < 2) return 0;
  const std::size_t cut = std::min(std::size_t{data[0]} + data[1] * std::size_t{256}, size - 2);
  const std::uint8_t* const begin = data + 2;
  Catalog catalog;
  auto base = source("vmlinux", {begin, begin + cut}, nullptr);
  auto module = source("module", {begin + cut, data + size}, base.get());
  catalog.add_source(std::move(base));
  catalog.add_source(std::move(module));
  ask_everything(catalog, "vmlinux");
  ask_everything(catalog, "module");
  return 0;
}
