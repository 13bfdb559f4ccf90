#pragma once
// For tests: what a program left behind in its maps, compared with what the IR
// interpreter leaves.

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bpf/layout/memory.h"
#include "ir/interpret.h"

namespace dt::bpf {

// By key, values as words; per-CPU values of all CPUs end to end.
using Elements = std::map<std::string, std::vector<std::uint64_t>>;

struct Snapshot {
  std::vector<std::uint8_t> globals;
  std::vector<std::uint8_t> tls;  // of the one thread; empty when it has none
  std::map<std::uint32_t, Elements> aggs, assocs;
  std::vector<std::vector<std::uint64_t>> keyless;  // by aggregation, presence word last
};

inline std::string as_text(const ir::Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// One CPU's words from those of all: only one has run, the others hold zeros.
inline std::vector<std::uint64_t> merged(const std::vector<std::uint64_t>& words,
                                         std::uint32_t count) {
  std::vector<std::uint64_t> sum(count, 0);
  for (std::size_t i = 0; i < words.size(); ++i) sum[i % count] += words[i];
  return sum;
}

inline std::vector<std::uint64_t> plain(const record::AggLayout& agg,
                                        std::vector<std::uint64_t> words) {
  if (agg.func == record::AggFunc::kMin || agg.func == record::AggFunc::kMax) {
    words[0] ^= record::extreme_bias(agg.func);
  }
  words.resize(agg.value_words);
  return words;
}

// The place's bytes as the interpreter keeps a value: nothing for 0 and "".
inline ir::Bytes kept(const ir::Type& type, const std::uint8_t* bytes) {
  ir::Bytes out(bytes, bytes + type.size);
  if (type.kind == ir::TypeKind::kString && out[0] == 0) return {};
  for (const std::uint8_t byte : out) {
    if (byte != 0) return out;
  }
  return {};
}

inline ir::Bytes wanted(const ir::Type& type, const ir::Value& value) {
  if (type.kind != ir::TypeKind::kInt) return kept(type, value.bytes.data());
  std::uint8_t bytes[8];
  std::memcpy(bytes, &value.integer, 8);
  return kept(type, bytes);
}

inline std::map<std::pair<std::uint32_t, std::string>, ir::Bytes> variables_of(
    const ir::Program& program, const Memory& memory, const Snapshot& snapshot) {
  std::map<std::pair<std::uint32_t, std::string>, ir::Bytes> found;
  for (std::uint32_t i = 0; i < program.variables.size(); ++i) {
    const ir::Variable& v = program.variables[i];
    if (!v.keys.empty()) {
      const auto elements = snapshot.assocs.find(i);
      if (elements == snapshot.assocs.end()) continue;
      const ArrayKey layout = array_key(v);
      for (const auto& [key, words] : elements->second) {
        std::string packed;
        for (std::size_t k = 0; k < v.keys.size(); ++k) {
          packed += key.substr(layout.offsets[k], v.keys[k].size);
        }
        found[{i, packed}] = kept(v.type, reinterpret_cast<const std::uint8_t*>(words.data()));
      }
    } else if (v.scope == ir::Scope::kGlobal) {
      found[{i, ""}] = kept(v.type, snapshot.globals.data() + memory.global_offset[i]);
    } else if (v.scope == ir::Scope::kThread && !snapshot.tls.empty()) {
      found[{i, ""}] = kept(v.type, snapshot.tls.data() + memory.tls_offset[i]);
    }
  }
  std::erase_if(found, [](const auto& item) { return item.second.empty(); });
  return found;
}

// "" when the maps hold what `state` says, otherwise the first difference.
inline std::string difference(const ir::Program& program, const Memory& memory,
                              const ir::State& state, const Snapshot& snapshot) {
  std::map<std::pair<std::uint32_t, std::string>, ir::Bytes> want;
  for (const auto& [name, value] : state.variables) {
    const ir::Variable& v = program.variables[name.first];
    std::string key = as_text(name.second);
    if (v.scope == ir::Scope::kThread) key = key.substr(8);
    want[{name.first, key}] = wanted(v.type, value);
  }
  std::erase_if(want, [](const auto& item) { return item.second.empty(); });
  const auto found = variables_of(program, memory, snapshot);
  if (want != found) {
    std::string text = "variables differ:";
    for (const auto& [name, value] : want) {
      const auto it = found.find(name);
      if (it == found.end() || it->second != value) text += " want @" + std::to_string(name.first);
    }
    for (const auto& [name, value] : found) {
      if (want.find(name) == want.end()) text += " found @" + std::to_string(name.first);
    }
    return text;
  }
  std::map<std::pair<std::uint32_t, ir::Bytes>, std::vector<std::uint64_t>> words;
  for (std::uint32_t i = 0; i < program.aggregations.size(); ++i) {
    const record::AggLayout& agg = program.aggregations[i];
    if (agg.key_bytes == 0) {
      if (snapshot.keyless[i].back() != 0) words[{i, {}}] = plain(agg, snapshot.keyless[i]);
      continue;
    }
    const auto elements = snapshot.aggs.find(i);
    if (elements == snapshot.aggs.end()) continue;
    for (const auto& [key, value] : elements->second) {
      words[{i, ir::Bytes(key.begin() + 8, key.end())}] =
          plain(agg, merged(value, agg.value_words));
    }
  }
  if (words == state.aggregations) return "";
  std::string text = "aggregations differ:";
  for (const auto& [key, value] : state.aggregations) {
    const auto it = words.find(key);
    if (it == words.end()) {
      text += " missing @" + std::to_string(key.first) + "[";
      for (const std::uint8_t byte : key.second) text += std::to_string(byte) + " ";
      text += "]";
    } else if (it->second != value) {
      text += " @" + std::to_string(key.first);
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] != it->second[i]) {
          text += " word " + std::to_string(i) + " want " + std::to_string(value[i]) + " got " +
                  std::to_string(it->second[i]);
        }
      }
    }
  }
  for (const auto& [key, value] : words) {
    if (state.aggregations.count(key) != 0) continue;
    text += " found @" + std::to_string(key.first) + "[";
    for (const std::uint8_t byte : key.second) text += std::to_string(byte) + " ";
    text += "]";
  }
  return text;
}

}  // namespace dt::bpf
