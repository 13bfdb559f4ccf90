// See toy.h.

#include "testing/front/toy.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/print.h"
#include "support/nearest.h"

namespace dt::toy {
namespace {

struct Word {
  std::string_view text;
  Span span;
};

// The words of one line, without its comment.
std::vector<Word> words_of(std::string_view text, std::uint32_t source, std::size_t begin,
                           std::size_t end) {
  std::vector<Word> words;
  for (std::size_t at = begin; at < end && text[at] != '#';) {
    std::size_t stop = at;
    while (stop < end && text[stop] != ' ' && text[stop] != '\t' && text[stop] != '#') ++stop;
    if (stop == at) {
      ++at;
      continue;
    }
    words.push_back({text.substr(at, stop - at),
                     {source, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(stop)}});
    at = stop;
  }
  return words;
}

struct Key {
  std::string_view name;
  ir::Builtin builtin;
};
constexpr Key kKeys[] = {{"pid", ir::Builtin::kPid},   {"tid", ir::Builtin::kTid},
                         {"uid", ir::Builtin::kUid},   {"cpu", ir::Builtin::kCpu},
                         {"ppid", ir::Builtin::kPpid}, {"execname", ir::Builtin::kExecname},
                         {"arg0", ir::Builtin::kArg}};

class Compiler {
 public:
  explicit Compiler(const front::Compilation& of) : of_(of) {
    program_.string_size = of.world.string_size;
    program_.scratch_size = of.world.scratch_size;
  }

  ir::Program run() {
    for (const front::Input& input : of_.inputs) {
      const std::string_view text = of_.sources.at(input.source).text();
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        line(words_of(text, input.source, begin, end));
        begin = end + 1;
      }
    }
    return std::move(program_);
  }

 private:
  void error(const Word& at, std::string text, std::string hint = {}) {
    of_.diagnostics.error("", at.span, std::move(text)).hint = std::move(hint);
  }

  void line(const std::vector<Word>& words) {
    if (words.empty()) return;
    if (words[0].text != "on") return error(words[0], "a line begins with 'on'");
    if (words.size() < 3) return error(words.back(), "a point and an action must follow");
    ir::EcbDesc clause;
    clause.span = support::join(words.front().span, words.back().span);
    const std::optional<probe::Point> point = point_of(words[1]);
    if (!point) return;
    clause.points = {*point};
    b_ = ir::FunctionBuilder();
    b_.at(clause.span);
    if (!action(words, clause)) return;
    b_.ret();
    clause.body = b_.finish();
    program_.clauses.push_back(std::move(clause));
  }

  // The fields of a pattern are filled in one by one: a point is not D's text.
  std::optional<probe::Point> point_of(const Word& word) {
    std::vector<std::string> parts(1);
    for (const char c : word.text) {
      if (c == '.') {
        parts.emplace_back();
      } else {
        parts.back() += c;
      }
    }
    if (parts.size() > 3) {
      error(word, "a point has at most three parts: PROVIDER.FUNCTION.NAME");
      return std::nullopt;
    }
    probe::Point point;
    point.span = word.span;
    point.pattern.text = word.text;
    point.pattern.name = parts.back();
    if (parts.size() > 1) point.pattern.provider = parts.front();
    if (parts.size() > 2) point.pattern.function = parts[1];
    return point;
  }

  bool action(const std::vector<Word>& words, ir::EcbDesc& clause) {
    const Word& verb = words[2];
    const bool has_key = verb.text != "stop";
    if (has_key && verb.text != "count" && verb.text != "print") {
      error(verb, fmt::format("'{}' is no action", verb.text), "count KEY, print KEY or stop");
      return false;
    }
    if (words.size() != (has_key ? 4U : 3U)) {
      error(words.back(), fmt::format("'{}' takes {}", verb.text, has_key ? "one key" : "no key"));
      return false;
    }
    if (!has_key) {
      record(clause, record::ActionKind::kExit, {{record::FieldKind::kInt, 4, true}, 0, verb.span},
             b_.constant(0, ir::Type::s32()));
      return true;
    }
    const Key* const key = key_of(words[3]);
    if (key == nullptr) return false;
    const ir::ValueId value = b_.builtin(key->builtin);
    const record::Field field = {field_of(b_.type_of(value)), 0, words[3].span};
    if (verb.text == "print") {
      record(clause, record::ActionKind::kTrace, field, value);
    } else {
      b_.aggregate(aggregation_of(*key, field), {value});
    }
    return true;
  }

  const Key* key_of(const Word& word) {
    std::vector<std::string_view> names;
    for (const Key& key : kKeys) {
      if (key.name == word.text) return &key;
      names.push_back(key.name);
    }
    const std::string near = support::nearest(word.text, names);
    error(word, fmt::format("'{}' is no key", word.text), support::did_you_mean(near));
    return nullptr;
  }

  static record::FieldType field_of(const ir::Type& type) {
    const bool is_string = type.kind == ir::TypeKind::kString;
    return {is_string ? record::FieldKind::kString : record::FieldKind::kInt, type.size,
            type.is_signed};
  }

  // A record of one action with one field; to end is urgent.
  void record(ir::EcbDesc& clause, record::ActionKind kind, record::Field field,
              ir::ValueId value) {
    record::Layout layout;
    layout.fields = {std::move(field)};
    record::Action action;
    action.kind = kind;
    action.field_count = 1;
    action.span = clause.span;
    layout.actions = {std::move(action)};
    layout.urgent = kind == record::ActionKind::kExit;
    record::place_fields(layout);
    clause.layouts = {std::move(layout)};
    if (kind == record::ActionKind::kExit) b_.exit(value);
    b_.emit({value});
  }

  std::uint32_t aggregation_of(const Key& key, const record::Field& field) {
    std::vector<record::AggLayout>& all = program_.aggregations;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == key.name; });
    if (found != all.end()) return static_cast<std::uint32_t>(found - all.begin());
    record::AggLayout made;
    made.name = key.name;
    made.keys = {field};
    record::place_keys(made);
    all.push_back(std::move(made));
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  const front::Compilation& of_;
  ir::Program program_;
  ir::FunctionBuilder b_;  // of the clause at hand
};

class Toy : public front::FrontEnd {
 public:
  std::optional<ir::Program> compile(const front::Compilation& of, front::Dump& dump) override {
    ir::Program program = Compiler(of).run();
    if (of.diagnostics.any()) return std::nullopt;
    if (dump.want_ir) dump.ir = ir::print(program, &of.sources);
    return program;
  }
};

}  // namespace

std::unique_ptr<front::FrontEnd> make_front_end() { return std::make_unique<Toy>(); }

}  // namespace dt::toy
