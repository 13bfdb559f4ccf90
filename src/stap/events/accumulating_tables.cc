// AccumulatingTables: see accumulating_code.h.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "stap/events/accumulating_code.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kValueBytes = 8;

std::uint32_t align(std::uint32_t at, std::uint32_t to) { return (at + to - 1) / to * to; }

}  // namespace

AccumulatingTables::AccumulatingTables(Program& program, ir::Program& out)
    : program_(program), out_(out) {
  Accumulations& all = program.accumulations;
  if (all.all.empty()) return;
  all.epoch = variable("epoch", ir::Scope::kGlobal, ir::Type::s64());
  all.sequence = variable("sequence", ir::Scope::kGlobal, ir::Type::s64());
  for (Accumulated& one : all.all) make(one);
}

std::uint32_t AccumulatingTables::variable(std::string name, ir::Scope scope, ir::Type type) {
  ir::Variable made;
  made.name = std::move(name);
  made.scope = scope;
  made.type = type;
  out_.variables.push_back(std::move(made));
  return static_cast<std::uint32_t>(out_.variables.size() - 1);
}

std::uint32_t AccumulatingTables::aggregation(const Accumulated& of, Accumulated::Words words) {
  record::AggLayout made;
  made.name = of.symbol->name;
  made.func = function_of(words);
  // Of the numbers of buckets.
  if (words == Accumulated::Words::kLinear) {
    const std::vector<std::int64_t>& bounds = of.symbol->histogram;
    made.params = {0, (bounds[1] - bounds[0]) / bounds[2] + 3, 1};
  }
  made.value_words = record::value_words(made.func, made.params);
  made.argument = of.place;
  made.drained = true;
  out_.aggregations.push_back(std::move(made));
  return static_cast<std::uint32_t>(out_.aggregations.size() - 1);
}

void AccumulatingTables::make(Accumulated& one) {
  const std::string& name = one.symbol->name;
  const bool is_array = !one.symbol->keys.empty();
  if (is_array) {
    one.used = variable(name + ".used", ir::Scope::kGlobal, ir::Type::s64());
    one.present = variable(name + ".keys", ir::Scope::kGlobal, ir::Type::s64());
  }
  for (Accumulated::Part& part : one.parts) {
    for (std::size_t i = 0; i < (is_array ? 1 : part.aggregations.size()); ++i) {
      part.aggregations[i] = aggregation(one, part.words);
    }
  }
}

std::uint32_t AccumulatingTables::text(const std::string& text) {
  const auto [found, is_new] =
      texts_.emplace(text, static_cast<std::uint32_t>(out_.strings.size()));
  if (is_new) out_.strings.push_back(text);
  return found->second;
}

std::uint32_t AccumulatingTables::local(const Symbol* symbol) {
  const auto found = locals_.find(symbol);
  if (found != locals_.end()) return found->second;
  return locals_[symbol] = variable(symbol->name, ir::Scope::kClause, ir::Type::s64());
}

void AccumulatingTables::note_key(const Accumulated& of, std::size_t key, ir::Type type) {
  std::vector<ir::Type>& all = keys_[of.symbol];
  if (all.size() <= key) {
    all.push_back(type);
    return;
  }
  ir::Type& known = all[key];
  if (type.kind == ir::TypeKind::kString) {
    known.size = std::max(known.size, type.size);
  } else if (known != type) {
    known = ir::Type::s64();
  }
}

// Keys of aggregations and of arrays have the same layout: each number at a multiple of its size.
void AccumulatingTables::finish() {
  for (Accumulated& one : program_.accumulations.all) {
    if (one.symbol->keys.empty()) continue;
    std::uint32_t at = 0;
    ir::Variable& present = out_.variables[one.present];
    for (ir::Type& type : keys_[one.symbol]) {
      const bool is_text = type.kind == ir::TypeKind::kString;
      if (is_text) type.size = align(type.size, kValueBytes);
      const record::FieldKind kind = is_text ? record::FieldKind::kString : record::FieldKind::kInt;
      one.keys.push_back({{kind, type.size, type.is_signed}, 0, one.place});
      at = align(at, is_text ? kValueBytes : type.size);
      one.present_offsets.push_back(at);
      at += type.size;
      present.keys.push_back(type);
    }
    one.present_bytes = align(at, kValueBytes);
    const std::int64_t most = program_.limits.most_elements(*one.symbol);
    present.room = static_cast<std::uint32_t>(most);
    one.keys.push_back({{record::FieldKind::kInt, 4, true}, 0, one.place});
    for (const Accumulated::Part& part : one.parts) {
      record::AggLayout& made = out_.aggregations[part.aggregations[0]];
      made.keys = one.keys;
      record::place_keys(made);
    }
    one.keys = out_.aggregations[one.parts.front().aggregations[0]].keys;
  }
}

}  // namespace dt::stap
