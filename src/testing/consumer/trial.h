#pragma once
// For the tests of this directory: a schema by hand, records by hand, and the
// consumer over them.

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "consumer/receiver.h"
#include "record/aggregation.h"
#include "record/field.h"
#include "record/layout.h"
#include "record/schema.h"
#include "record/wire.h"

namespace dt::consumer::testing {

using record::Action;
using record::ActionKind;
using record::AggFunc;
using record::FieldKind;
using record::FieldType;

inline FieldType int_type(std::uint32_t size, bool is_signed = true) {
  return {FieldKind::kInt, size, is_signed};
}
inline FieldType type(FieldKind kind, std::uint32_t size) { return {kind, size, true}; }

// The bytes of one value, padded to the field's size.
inline std::string int_bytes(std::uint64_t value, std::size_t size = 8) {
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &value, std::min<std::size_t>(size, 8));
  return bytes;
}
inline std::string word_bytes(std::initializer_list<std::uint64_t> words) {
  std::string bytes;
  for (const std::uint64_t word : words) {
    bytes += int_bytes(word);
  }
  return bytes;
}

// Kernel function "f" at 0x1000..0x1fff of module "vmlinux", "g" of "mod" at
// 0x2000, module only at 0x3000; the same for users in "a.out".
class TableResolver final : public symbol::Resolver {
 public:
  bool kernel(KernelAddr address, symbol::Symbol& out) override { return at(address.value, out); }
  bool user(std::int32_t, UserAddr address, symbol::Symbol& out) override {
    if (!at(address.value, out)) {
      return false;
    }
    out.module = "a.out";
    return true;
  }
  void note_process(std::int32_t pid) override { noted.push_back(pid); }
  std::vector<std::int32_t> noted;

 private:
  static bool at(std::uint64_t address, symbol::Symbol& out) {
    if (address >= 0x1000 && address < 0x2000) {
      out = {"vmlinux", "f", address - 0x1000};
    } else if (address >= 0x2000 && address < 0x3000) {
      out = {"mod", "g", address - 0x2000};
    } else if (address >= 0x3000 && address < 0x4000) {
      out = {"mod", "", address - 0x2000};
    } else {
      return false;
    }
    return true;
  }
};

// Elements that tests add; a drained aggregation forgets what was read.
class TableSource final : public record::AggregationSource {
 public:
  explicit TableSource(const record::Schema& schema) : schema_(schema) {}
  void add(std::uint32_t aggregation, const std::string& key, std::vector<std::uint64_t> words) {
    elements_[aggregation].emplace_back(key, std::move(words));
  }
  void forget(std::uint32_t aggregation) { elements_[aggregation].clear(); }
  Status read(std::uint32_t aggregation, const Visit& visit) override {
    ++reads;
    if (fails) {
      return Error::of_code("bpf(BPF_MAP_LOOKUP_BATCH): Operation not permitted", 1);
    }
    for (const auto& [key, words] : elements_[aggregation]) {
      visit({reinterpret_cast<const std::uint8_t*>(key.data()), key.size()}, 0, words);
    }
    if (schema_.aggregations[aggregation].drained) {
      elements_[aggregation].clear();
    }
    if (const auto happens = std::exchange(after_read, nullptr)) {
      happens();
    }
    return {};
  }
  int reads = 0;
  std::function<void()> after_read;  // what probes do behind the next read
  bool fails = false;

 private:
  const record::Schema& schema_;
  std::map<std::uint32_t, std::vector<std::pair<std::string, std::vector<std::uint64_t>>>>
      elements_;
};

class Trial {
 public:
  Trial() : source(schema) {
    schema.probes = {{ProbeId(1), "dtrace", "", "", "BEGIN"},
                     {ProbeId(132), "syscall", "vmlinux", "openat", "entry"},
                     {ProbeId(133), "syscall", "vmlinux", "openat", "return"},
                     {ProbeId(140), "syscall", "vmlinux", "read", "entry"}};
    options.quiet = true;
  }

  // Adds a clause on `probe` with one action over `types`; its epid.
  std::uint32_t clause(ActionKind kind, const std::vector<FieldType>& types,
                       std::string format = {}, std::vector<std::uint32_t> aggregations = {},
                       std::uint32_t probe = 1) {
    record::Layout layout;
    for (const FieldType& field : types) {
      layout.fields.push_back({field, 0});
    }
    Action action;
    action.kind = kind;
    action.field_count = static_cast<std::uint32_t>(types.size());
    action.format = std::move(format);
    action.aggregations = std::move(aggregations);
    action.has_trunc_count = kind == ActionKind::kTrunc && !types.empty();
    layout.actions.push_back(std::move(action));
    record::place_fields(layout);
    return bind(std::move(layout), probe);
  }
  std::uint32_t bind(record::Layout layout, std::uint32_t probe = 1) {
    schema.layouts.push_back(std::move(layout));
    schema.epids.push_back({ProbeId(probe), static_cast<std::uint32_t>(schema.layouts.size() - 1)});
    return static_cast<std::uint32_t>(schema.epids.size());
  }
  std::uint32_t aggregation(AggFunc func, const std::vector<FieldType>& keys,
                            record::AggParams params = {}, std::string name = "_") {
    record::AggLayout layout;
    layout.name = std::move(name);
    layout.func = func;
    layout.params = params;
    for (const FieldType& key : keys) {
      layout.keys.push_back({key, 0});
    }
    record::place_keys(layout);
    layout.value_words = record::value_words(func, params);
    schema.aggregations.push_back(std::move(layout));
    return static_cast<std::uint32_t>(schema.aggregations.size() - 1);
  }

  std::vector<std::uint8_t> bytes(std::uint32_t epid, const std::vector<std::string>& values = {},
                                  std::uint16_t cpu = 0, std::uint16_t firing = 0) const {
    const record::Layout& layout = schema.layouts[schema.epids[epid - 1].layout];
    std::vector<std::uint8_t> out(layout.size_bytes);
    const record::Header header{epid, cpu, record::tag_of(record::Kind::kClause, firing)};
    std::memcpy(out.data(), &header, sizeof header);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const record::Field& field = layout.fields[i];
      std::memcpy(out.data() + field.offset, values[i].data(),
                  std::min<std::size_t>(values[i].size(), field.type.size));
    }
    return out;
  }

  Consumer& consumer() {
    if (consumer_ == nullptr) {
      consumer_ = std::make_unique<Consumer>(
          Connections{schema, sources, resolver, source, output,
                      [this](std::string_view text) { errors.emplace_back(text); }, nullptr,
                      receiver},
          options);
    }
    return *consumer_;
  }
  Outcome consume(std::uint32_t epid, const std::vector<std::string>& values = {},
                  std::uint16_t cpu = 0) {
    return consumer().consume(bytes(epid, values, cpu));
  }
  Outcome consume_of(std::uint16_t firing, std::uint32_t epid, std::uint16_t cpu = 0) {
    return consumer().consume(bytes(epid, {}, cpu, firing));
  }
  // The text since the last call.
  std::string text() {
    std::string result = output.text();
    output.clear();
    return result;
  }

  record::Schema schema;
  Sources sources;
  TableResolver resolver;
  TableSource source;
  StringOutput output;
  Options options;
  std::vector<std::string> errors;
  Receiver* receiver = nullptr;

 private:
  std::unique_ptr<Consumer> consumer_;
};

}  // namespace dt::consumer::testing
