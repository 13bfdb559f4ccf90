// See chosen.h.
//
// An IFUNC is a function whose symbol names a resolver: the loader calls it once, as it relocates
// the object, and stores the address that it returns (R_X86_64_IRELATIVE). Which of memcpy's
// versions a process uses is thus in its memory and nowhere else.

#include "symbol/code/chosen.h"

#include <elf.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include "symbol/code/starts.h"

namespace dt::symbol {
namespace {

constexpr std::uint64_t kMaxFrameTableBytes = std::uint64_t{64} << 20;

// The addresses of the words that hold the resolver's answer, as the file has them. Only calls
// within the object leave such a word; where there is none, the choice cannot be read.
std::vector<std::uint64_t> words_of(const ElfFile& elf, std::uint64_t resolver) {
  std::vector<std::uint64_t> words;
  for (const char* const name : {".rela.plt", ".rela.dyn"}) {
    const Result<ElfFile::Bytes> section = elf.section(name, kMaxFrameTableBytes);
    if (!section.ok()) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= section->size(); at += sizeof(Elf64_Rela)) {
      Elf64_Rela one;
      std::memcpy(&one, section->data() + at, sizeof one);
      if (ELF64_R_TYPE(one.r_info) == R_X86_64_IRELATIVE &&
          static_cast<std::uint64_t>(one.r_addend) == resolver) {
        words.push_back(one.r_offset);
      }
    }
  }
  return words;
}

std::optional<std::uint64_t> read_word(pid_t pid, std::uint64_t address) {
  std::uint64_t word = 0;
  const iovec here = {&word, sizeof word};
  const iovec there = {reinterpret_cast<void*>(address), sizeof word};
  if (::process_vm_readv(pid, &here, 1, &there, 1, 0) != sizeof word) return std::nullopt;
  return word;
}

// An address of the process as a place in the object's file. The answer of a resolver may lead
// anywhere, since the process could have written it: it counts only within the object itself.
std::optional<std::uint64_t> offset_at(const ProcessObject& object, std::uint64_t address) {
  for (const Mapping& mapping : object.mappings) {
    if (address >= mapping.begin && address < mapping.end) {
      return address - mapping.begin + mapping.file_offset;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Function> chosen_function(pid_t pid, const ProcessObject& object, const ElfFile& elf,
                                        const Functions& functions, const Function& resolver) {
  const Mapping& mapping = object.mappings.front();
  const auto loaded = elf.address_of(mapping.file_offset);
  if (!loaded) return std::nullopt;
  const std::uint64_t bias = mapping.begin - *loaded;
  for (const std::uint64_t word : words_of(elf, resolver.address)) {
    const auto answer = read_word(pid, word + bias);
    const auto offset = answer ? offset_at(object, *answer) : std::nullopt;
    const auto address = offset ? elf.address_of(*offset) : std::nullopt;
    if (!address) continue;
    Function chosen = resolver;
    chosen.is_resolver = false;
    chosen.address = *address;
    chosen.offset = *offset;
    const Function* const known = functions.at(*address);
    const std::vector<std::uint64_t> starts = code_starts(elf);
    const auto next = std::upper_bound(starts.begin(), starts.end(), *address);
    if (known != nullptr && known->address == *address && !known->is_resolver) {
      chosen.size = known->size;
    } else if (next != starts.end()) {
      chosen.size = *next - *address;  // with what pads it
    } else {
      continue;
    }
    return chosen;
  }
  return std::nullopt;
}

}  // namespace dt::symbol
