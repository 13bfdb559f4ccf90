#pragma once
// For tests: CTF made by hand, of each of the forms that are read.

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "types/ctf.h"

namespace dt::types {

// Writes a dictionary as ctfconvert, or GNU's libctf, would.
class CtfWriter {
 public:
  using Bytes = std::vector<std::uint8_t>;

  explicit CtfWriter(CtfForm form, bool is_child = false) : form_(form), is_child_(is_child) {
    if (is_child) parent_ = string(".ctf");
  }

  std::uint32_t string(std::string_view text) {
    if (text.empty()) return 0;
    const auto at = static_cast<std::uint32_t>(strings_.size());
    strings_.append(text);
    strings_.push_back('\0');
    return at;
  }
  // Its size or the type that it refers to, and what follows as `words`: see the calls below.
  std::uint32_t type(CtfKind kind, std::string_view name, std::uint64_t size,
                     std::uint32_t count = 0, bool is_root = true) {
    word(types_, string(name));
    id(types_, info(kind, count, is_root));
    const std::uint32_t large = form_.is_wide ? 0xffffffffu : 0xffffu;
    id(types_, size >= large ? large : static_cast<std::uint32_t>(size));
    if (size >= large) {
      word(types_, static_cast<std::uint32_t>(size >> 32));
      word(types_, static_cast<std::uint32_t>(size));
    }
    is_large_ = size >= (form_.is_wide ? std::uint64_t{1} << 29 : 8192);
    return (is_child_ ? form_.is_wide ? 0x80000000u : 0x8000u : 0u) | ++count_;
  }
  std::uint32_t integer(std::string_view name, std::uint32_t size, std::uint32_t format,
                        std::uint32_t bits, std::uint32_t offset = 0, bool is_root = true) {
    const std::uint32_t made = type(CtfKind::kInteger, name, size, 0, is_root);
    word(types_, format << 24 | offset << 16 | bits);
    return made;
  }
  void member(std::string_view name, std::uint32_t type, std::uint64_t bit_offset) {
    const auto low = static_cast<std::uint32_t>(bit_offset);
    const auto high = static_cast<std::uint32_t>(bit_offset >> 32);
    word(types_, string(name));
    if (form_.is_gnu) {
      if (is_large_) word(types_, high);
      if (!is_large_) word(types_, low);
      word(types_, type);
      if (is_large_) word(types_, low);
      return;
    }
    id(types_, type);
    if (!form_.is_wide && is_large_) id(types_, 0);
    if (is_large_) {
      word(types_, high);
      word(types_, low);
    } else {
      id(types_, low);
    }
  }
  std::uint32_t array(std::uint32_t element, std::uint32_t count) {
    const std::uint32_t made = type(CtfKind::kArray, "", 0);
    id(types_, element);
    id(types_, 1);
    word(types_, count);
    return made;
  }
  std::uint32_t function(std::uint32_t result, const std::vector<std::uint32_t>& arguments) {
    const auto count = static_cast<std::uint32_t>(arguments.size());
    const std::uint32_t made = type(CtfKind::kFunction, "", result, count);
    for (const std::uint32_t one : arguments) id(types_, one);
    if (count % 2 != 0) id(types_, 0);
    return made;
  }
  void enumerator(std::string_view name, std::int32_t value) {
    word(types_, string(name));
    word(types_, static_cast<std::uint32_t>(value));
  }
  std::uint32_t slice(std::uint32_t of, std::uint32_t size, std::uint32_t offset,
                      std::uint32_t bits) {
    const std::uint32_t made = type(CtfKind::kSlice, "", size);
    word(types_, of);
    word(types_, bits << 16 | offset);
    return made;
  }
  // Of the next symbol of a function, as systems other than GNU's write it.
  void listed(std::uint32_t result, const std::vector<std::uint32_t>& arguments) {
    id(functions_, info(CtfKind::kFunction, static_cast<std::uint32_t>(arguments.size()), false));
    id(functions_, result);
    for (const std::uint32_t one : arguments) id(functions_, one);
  }
  void unlisted() { id(functions_, 0); }
  // As GNU's, with the name of the symbol.
  void named(std::string_view name, std::uint32_t function) {
    word(functions_, function);
    word(names_, string(name));
  }

  Bytes bytes(bool is_compressed = false) const {
    Bytes functions = functions_;
    functions.resize((functions.size() + 3) / 4 * 4);
    Bytes body = functions;
    std::vector<std::uint32_t> starts = {0, 0, 0};  // labels, objects, functions
    if (form_.is_gnu) {
      starts.push_back(at(body));  // the index of objects
      starts.push_back(at(body));
      body.insert(body.end(), names_.begin(), names_.end());
      starts.push_back(at(body));  // variables
    }
    starts.push_back(at(body));
    body.insert(body.end(), types_.begin(), types_.end());
    starts.push_back(at(body));
    body.insert(body.end(), strings_.begin(), strings_.end());

    Bytes out = {static_cast<std::uint8_t>(form_.is_gnu ? 0xf2 : 0xf1),
                 static_cast<std::uint8_t>(form_.is_gnu ? 0xdf : 0xcf),
                 static_cast<std::uint8_t>(form_.is_gnu    ? 4
                                           : form_.is_wide ? 3
                                                           : 2),
                 static_cast<std::uint8_t>((form_.is_gnu ? 2 : 0) | (is_compressed ? 1 : 0))};
    word(out, 0);
    word(out, parent_);
    if (form_.is_gnu) word(out, 0);
    for (const std::uint32_t start : starts) word(out, start);
    word(out, static_cast<std::uint32_t>(strings_.size()));
    if (is_compressed) {
      uLongf size = ::compressBound(body.size());
      Bytes packed(size);
      ::compress(packed.data(), &size, body.data(), body.size());
      packed.resize(size);
      body = packed;
    }
    out.insert(out.end(), body.begin(), body.end());
    return out;
  }

  static void word(Bytes& to, std::uint64_t value, std::size_t bytes = 4) {
    for (std::size_t i = 0; i < bytes; ++i) {
      to.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  }

 private:
  static std::uint32_t at(const Bytes& body) { return static_cast<std::uint32_t>(body.size()); }
  void id(Bytes& to, std::uint32_t value) const { word(to, value, form_.is_wide ? 4 : 2); }
  std::uint32_t info(CtfKind kind, std::uint32_t count, bool is_root) const {
    const auto number = static_cast<std::uint32_t>(kind);
    return form_.is_wide ? number << 26 | (is_root ? 1u << 25 : 0) | count
                         : number << 11 | (is_root ? 1u << 10 : 0) | count;
  }

  CtfForm form_;
  bool is_child_ = false, is_large_ = false;
  std::uint32_t parent_ = 0, count_ = 0;
  Bytes functions_, names_, types_;
  std::string strings_ = std::string(1, '\0');
};

// An archive as GNU's linker writes it.
inline CtfWriter::Bytes ctf_archive(
    const std::vector<std::pair<std::string, CtfWriter::Bytes>>& dictionaries) {
  constexpr std::size_t kHeader = 40, kEntry = 16;
  CtfWriter::Bytes entries, table, names, out;
  for (const auto& [name, bytes] : dictionaries) {
    CtfWriter::word(entries, names.size(), 8);
    CtfWriter::word(entries, table.size(), 8);
    names.insert(names.end(), name.begin(), name.end());
    names.push_back(0);
    CtfWriter::word(table, bytes.size(), 8);
    table.insert(table.end(), bytes.begin(), bytes.end());
  }
  const std::size_t at = kHeader + kEntry * dictionaries.size();
  CtfWriter::word(out, 0x8b47f2a4d7623eeb, 8);
  CtfWriter::word(out, 2, 8);
  CtfWriter::word(out, dictionaries.size(), 8);
  CtfWriter::word(out, at + table.size(), 8);
  CtfWriter::word(out, at, 8);
  for (const CtfWriter::Bytes* const part : {&entries, &table, &names}) {
    out.insert(out.end(), part->begin(), part->end());
  }
  return out;
}

}  // namespace dt::types
