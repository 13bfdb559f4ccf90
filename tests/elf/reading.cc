// See reading.h.

#include "reading.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "fuzz/ask_elf.h"
#include "fuzz/ask_types.h"
#include "provider/glibc/lock_code.h"
#include "provider/process/object_code.h"
#include "symbol/code/chosen.h"
#include "symbol/dwarf/object_sources.h"
#include "symbol/resolve/object_symbols.h"
#include "types/user_types.h"

namespace dt::elf {
namespace {

using provider::CodeSite;
using provider::Image;
using symbol::ElfFile;
using symbol::Function;

constexpr std::size_t kMaxAsked = 64;  // functions of one file
constexpr std::uint64_t kStep = 61;

class Reader {
 public:
  Reader(const std::string& path, const std::vector<std::uint64_t>* true_sites)
      : path_(path), true_sites_(true_sites) {}

  Read read() {
    struct stat status {};
    Result<ElfFile> elf = ElfFile::open(path_);
    if (elf.ok() && ::stat(path_.c_str(), &status) == 0) {
      symbol::ask_identity(*elf);
      symbol::ask_notes(*elf);
      symbol::ask_functions(*elf);
      symbol::ask_frames(*elf, static_cast<std::size_t>(status.st_size));
      stripped(*elf);
      const auto file = std::make_shared<const ElfFile>(std::move(*elf));
      symbol::ask_lines(file, 0x2000, kStep);
      sites(*file);
    }
    names();
    sources();
    types();
    return read_;
  }

 private:
  // What was stripped off it, and the libraries that it asks for.
  void stripped(const ElfFile& elf) const {
    for (const char* const section : {".symtab", ".debug_info"}) {
      const auto debug = symbol::find_debug_file(elf, path_, "", section);
      if (debug) symbol::Functions::read(elf, &*debug);
    }
    symbol::find_shared_file(elf, path_, "");
    symbol::needed_libraries(elf, symbol::directory_of(path_), "");
  }

  void check(std::uint64_t offset) {
    ++read_.sites;
    if (true_sites_ == nullptr) return;
    DT_CHECK(std::binary_search(true_sites_->begin(), true_sites_->end(), offset),
             "a breakpoint at 0x{:x}, where no instruction begins", offset);
  }
  void check(const Result<CodeSite>& site) {
    if (site.ok()) check(site->offset);
  }

  void function(const Image& image, const Function& one) {
    ++read_.functions;
    check(image.entry(one));
    const auto returns = image.returns(one);
    if (returns.ok()) {
      for (const CodeSite& site : *returns) check(site.offset);
    }
    const auto all = image.instructions(one);
    if (all.ok()) {
      for (const machine::Instruction& each : *all) check(one.offset + each.offset);
    }
    check(image.instruction_at(one.offset + 1));
  }

  // As pid and USDT look for places for breakpoints.
  void sites(const ElfFile& elf) {
    symbol::ProcessObject object;
    object.name = object.path = object.open_path = path_;
    const auto image = Image::open(object);
    if (!image.ok()) return;
    const auto all = (*image)->functions().all();
    for (std::size_t i = 0; i < std::min(all.size(), kMaxAsked); ++i) function(**image, all[i]);
    const auto& calls = (*image)->linkage();
    for (std::size_t i = 0; i < std::min(calls.size(), kMaxAsked); ++i) function(**image, calls[i]);
    for (const symbol::UsdtNote& note : symbol::read_usdt_notes(elf)) {
      ++read_.notes;
      const auto site = (*image)->usdt_site(note);
      if (site.ok()) check(*site);
    }
    for (std::uint64_t offset = 0; offset < 0x2000; offset += kStep) {
      check((*image)->instruction_at(offset));
    }
    if (provider::is_glibc(**image)) static_cast<void>(provider::lock_code(**image));
    object.mappings.push_back({0x10000, 0x20000, 0x1000, 1, 1, path_});
    for (const Function& one : all) {
      if (!one.is_resolver) continue;
      static_cast<void>(
          symbol::chosen_function(::getpid(), object, elf, (*image)->functions(), one));
      break;
    }
  }

  // As addresses are named; libelf reads the file.
  void names() const {
    const Fd fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) return;
    symbol::ElfSymbols symbols = symbol::ElfSymbols::from_file(fd.get());
    if (const Result<ElfFile> elf = ElfFile::open(path_); elf.ok()) symbols.add_stripped(*elf);
    symbol::ElfSymbols::Found found;
    for (std::uint64_t offset = 0; offset < 0x4000; offset += kStep) {
      if (symbols.find(offset, found)) DT_CHECK(!found.name.empty());
    }
  }

  // As `-x lines` asks.
  void sources() {
    symbol::ObjectSources sources(8);
    const Fd fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) return;
    symbol::ObjectSources::Object& object = sources.add({1, 2, 3, 4}, fd, path_, "", nullptr);
    for (std::uint64_t offset = 0; offset < 0x4000; offset += kStep) {
      read_.lines += sources.source(object, offset, {true, true}).empty() ? 0 : 1;
      symbol::ObjectSources::is_signal_return(object, offset);
    }
  }

  void types() const {
    types::Catalog catalog;
    catalog.add_source(types::elf_types("a.out", path_, path_, ""));
    types::ask_everything(catalog, "a.out");
  }

  const std::string& path_;
  const std::vector<std::uint64_t>* true_sites_;
  Read read_;
};

}  // namespace

std::vector<std::uint64_t> instructions_of(const std::string& path) {
  std::vector<std::uint64_t> all;
  const Result<ElfFile> elf = ElfFile::open(path);
  if (!elf.ok()) return all;
  for (const char* const name : {".init", ".plt", ".plt.got", ".plt.sec", ".text", ".fini"}) {
    const Result<ElfFile::Bytes> code = elf->section(name);
    if (!code.ok()) continue;
    const auto instructions = machine::decode(*code);
    DT_CHECK(instructions.ok(), "{}: {}", path, name);
    for (const machine::Instruction& one : *instructions) {
      all.push_back(elf->extent(name).offset + one.offset);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

Read read_everything(const std::string& path, const std::vector<std::uint64_t>* true_sites) {
  return Reader(path, true_sites).read();
}

}  // namespace dt::elf
