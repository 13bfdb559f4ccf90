// Text -> Program: one pass of recursive descent over tokens that know their
// line, since an instruction's operands end with its line.

#include "ir/parse.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "ir/op_info.h"
#include "ir/text_tokens.h"
#include "support/check.h"
#include "support/whole_number.h"

namespace dt::ir {

namespace {

using record::FieldKind;
using record::FieldType;

// Bounds on what a text may ask us to allocate.
constexpr std::int64_t kMaxId = 1 << 22;
constexpr std::int64_t kMaxSize = 1 << 20;

// "s64" -> 's', 64; true when the name is letters and then a number.
bool split_number(std::string_view name, std::string_view& letters, std::uint32_t& number) {
  const std::size_t digits = name.find_first_of("0123456789");
  if (digits == std::string_view::npos) return false;
  letters = name.substr(0, digits);
  const auto size = support::whole_number<std::uint32_t>(name.substr(digits));
  number = size.value_or(0);
  return size && number <= kMaxSize;
}

std::optional<Type> type_from(std::string_view name) {
  std::string_view letters;
  std::uint32_t number = 0;
  if (name == "void") return Type::none();
  if (!split_number(name, letters, number)) return std::nullopt;
  if (letters == "str") return Type::string(number);
  if (letters == "bytes") return Type::bytes(number);
  const bool is_width = number == 8 || number == 16 || number == 32 || number == 64;
  if (is_width && (letters == "s" || letters == "u")) {
    return Type::integer(number / 8, letters == "s");
  }
  return std::nullopt;
}

std::optional<FieldType> field_from(std::string_view name) {
  const struct {
    const char* name;
    FieldKind kind;
    std::uint32_t size;
  } fixed[] = {
      {"sym", FieldKind::kSym, 8},
      {"mod", FieldKind::kMod, 8},
      {"uaddr", FieldKind::kUaddr, 16},
      {"usym", FieldKind::kUsym, 16},
      {"umod", FieldKind::kUmod, 16},
      {"probeprov", FieldKind::kProbeProv, 4},
      {"probemod", FieldKind::kProbeMod, 4},
      {"probefunc", FieldKind::kProbeFunc, 4},
      {"probename", FieldKind::kProbeName, 4},
      {"errname", FieldKind::kErrnoName, 8},
      {"signame", FieldKind::kSignalName, 8},
      {"syscallname", FieldKind::kSyscallName, 8},
      {"username", FieldKind::kUserName, 8},
      {"groupname", FieldKind::kGroupName, 8},
  };
  for (const auto& entry : fixed) {
    if (name == entry.name) return FieldType{entry.kind, entry.size, true};
  }
  for (const char* integer : {"int1", "int2", "int4", "int8"}) {
    if (name.size() == 5 && name.starts_with(integer) && (name[4] == 's' || name[4] == 'u')) {
      return FieldType{FieldKind::kInt, static_cast<std::uint32_t>(name[3] - '0'), name[4] == 's'};
    }
  }
  std::string_view letters;
  std::uint32_t number = 0;
  if (!split_number(name, letters, number)) return std::nullopt;
  if (letters == "str") return FieldType{FieldKind::kString, number, true};
  if (letters == "bytes") return FieldType{FieldKind::kBytes, number, true};
  if (letters == "stack") return FieldType{FieldKind::kStack, number, true};
  if (letters == "ustack") return FieldType{FieldKind::kUstack, number, true};
  return std::nullopt;
}

template <typename Enum>
std::optional<Enum> by_name(std::string_view name, Enum last, const char* (*name_of)(Enum)) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) {}

  Result<Program> run() {
    DT_TRY(header());
    while (!tokens_.at_end()) {
      if (tokens_.take_word("var")) {
        DT_TRY(variable());
      } else if (tokens_.take_word("agg")) {
        DT_TRY(aggregation());
      } else if (tokens_.take_word("string")) {
        DT_TRY(string());
      } else if (tokens_.take_word("clause")) {
        DT_TRY(clause());
      } else {
        return expected("var, agg, string or clause");
      }
    }
    return std::move(program_);
  }

 private:
  Error expected(std::string_view what) const {
    return Error::of(
        fmt::format("line {}: expected {} before '{}'", tokens_.line(), what, tokens_.shown()));
  }
  Status expect(char c) { return tokens_.take(c) ? Status() : Status(expected({&c, 1})); }

  Status number(std::int64_t& out, std::int64_t low, std::int64_t high) {
    if (!tokens_.number(out) || out < low || out > high) {
      return expected(fmt::format("a number from {} to {}", low, high));
    }
    tokens_.advance();
    return {};
  }
  // "@3" and similar.
  Status id(char mark, std::uint32_t& out) {
    DT_TRY(expect(mark));
    std::int64_t value = 0;
    DT_TRY(number(value, 0, kMaxId));
    out = static_cast<std::uint32_t>(value);
    return {};
  }
  // The id of the next entry of a table, which must stand in order.
  Status next_id(char mark, std::size_t size) {
    std::uint32_t value = 0;
    DT_TRY(id(mark, value));
    return value == size ? Status() : Status(expected(fmt::format("{}{} to be next", mark, size)));
  }
  Status text(std::string& out) {
    return tokens_.take_string(out) ? Status() : Status(expected("a string"));
  }
  Status type(Type& out) {
    const auto parsed = type_from(tokens_.word());
    if (!parsed) return expected("a type");
    tokens_.advance();
    out = *parsed;
    return {};
  }

  Status header() {
    if (!tokens_.take_word("program")) return expected("program");
    if (tokens_.take_word("strsize")) {
      DT_TRY(expect('='));
      std::int64_t size = 0;
      DT_TRY(number(size, 1, kMaxSize));
      program_.string_size = static_cast<std::uint32_t>(size);
    }
    if (tokens_.take_word("scratchsize")) {
      DT_TRY(expect('='));
      std::int64_t size = 0;
      DT_TRY(number(size, 8, kMaxSize));
      if (size % 8 != 0) return expected("a multiple of 8");
      program_.scratch_size = static_cast<std::uint32_t>(size);
    }
    if (tokens_.take_word("speculations")) {
      DT_TRY(expect('='));
      std::int64_t count = 0;
      DT_TRY(number(count, 1, kMaxSize));
      program_.speculations = static_cast<std::uint32_t>(count);
    }
    if (tokens_.take_word("arguments")) {
      DT_TRY(expect('='));
      std::int64_t variable = 0;
      DT_TRY(number(variable, 0, kMaxSize));
      program_.arguments = static_cast<std::uint32_t>(variable);
    }
    program_.destructive = tokens_.take_word("destructive");
    return {};
  }

  Status variable() {
    Variable variable;
    DT_TRY(next_id('@', program_.variables.size()));
    const auto scope = by_name(tokens_.word(), Scope::kClause, scope_name);
    if (!scope) return expected("global, thread or clause");
    tokens_.advance();
    variable.scope = *scope;
    DT_TRY(text(variable.name));
    if (tokens_.take('[')) {
      do {
        DT_TRY(type(variable.keys.emplace_back()));
      } while (tokens_.take(','));
      DT_TRY(expect(']'));
    }
    DT_TRY(expect(':'));
    DT_TRY(type(variable.type));
    if (tokens_.take_word("room")) {
      std::int64_t room = 0;
      DT_TRY(expect('='));
      DT_TRY(number(room, 0, kMaxSize));
      variable.room = static_cast<std::uint32_t>(room);
    }
    program_.variables.push_back(std::move(variable));
    return {};
  }

  template <typename T>
  Status param(T& out, bool is_last) {
    std::int64_t value = 0;
    DT_TRY(number(value, std::numeric_limits<T>::min(),
                  static_cast<std::int64_t>(std::numeric_limits<T>::max())));
    out = static_cast<T>(value);
    return expect(is_last ? ')' : ',');
  }

  Status aggregation() {
    record::AggLayout agg;
    DT_TRY(next_id('@', program_.aggregations.size()));
    DT_TRY(text(agg.name));
    const auto func = by_name(tokens_.word(), record::AggFunc::kLlquantize, record::agg_func_name);
    if (!func) return expected("an aggregating function");
    tokens_.advance();
    agg.func = *func;
    if (agg.func == record::AggFunc::kLquantize) {
      DT_TRY(expect('('));
      DT_TRY(param(agg.params.base, false));
      DT_TRY(param(agg.params.limit, false));
      DT_TRY(param(agg.params.step, true));
      if (record::lquantize_levels(agg.params) > kMaxSize) return expected("fewer levels");
    } else if (agg.func == record::AggFunc::kLlquantize) {
      DT_TRY(expect('('));
      DT_TRY(param(agg.params.factor, false));
      DT_TRY(param(agg.params.low, false));
      DT_TRY(param(agg.params.high, false));
      DT_TRY(param(agg.params.nsteps, true));
      if (std::max(agg.params.high, agg.params.nsteps) > 0xffff)
        return expected("16-bit parameters");
    }
    if (tokens_.take('[')) {
      do {
        DT_TRY(field(agg.keys));
      } while (tokens_.take(','));
      DT_TRY(expect(']'));
    }
    agg.drained = tokens_.take_word("drained");
    record::place_keys(agg);
    agg.value_words = record::value_words(agg.func, agg.params);
    program_.aggregations.push_back(std::move(agg));
    return {};
  }

  Status field(std::vector<record::Field>& to) {
    const auto parsed = field_from(tokens_.word());
    if (!parsed) return expected("a field type");
    tokens_.advance();
    to.push_back({*parsed, 0});
    return {};
  }

  Status string() {
    DT_TRY(next_id('$', program_.strings.size()));
    return text(program_.strings.emplace_back());
  }

  Status clause() {
    EcbDesc clause;
    do {
      DT_TRY(point(clause.points.emplace_back()));
    } while (tokens_.take(','));
    DT_TRY(expect('{'));
    while (tokens_.take_word("record")) DT_TRY(layout(clause.layouts.emplace_back()));
    while (!tokens_.take('}')) DT_TRY(block(clause.body));
    program_.clauses.push_back(std::move(clause));
    return {};
  }

  Status point(probe::Point& point) {
    std::string description;
    if (!tokens_.take_word("point")) {
      DT_TRY(text(description));
      point = probe::parse_point(description);
      return {};
    }
    DT_TRY(expect('('));
    DT_TRY(text(point.pattern.provider));
    for (std::string* const field :
         {&point.pattern.module, &point.pattern.function, &point.pattern.name}) {
      DT_TRY(expect(','));
      DT_TRY(text(*field));
    }
    DT_TRY(expect(')'));
    return tokens_.take_word("as") ? text(point.pattern.text) : Status();
  }

  Status layout(record::Layout& layout) {
    DT_TRY(expect('{'));
    if (!tokens_.take('}')) {
      do {
        DT_TRY(action(layout));
      } while (tokens_.take(','));
      DT_TRY(expect('}'));
    }
    layout.has_thread = tokens_.take_word("thread");
    for (int i = 0; layout.has_thread && i < 2; ++i) {
      layout.fields.push_back({{record::FieldKind::kInt, 4, true}, 0});
    }
    layout.has_time = tokens_.take_word("time");
    if (layout.has_time) layout.fields.push_back({{record::FieldKind::kInt, 8, true}, 0});
    layout.urgent = tokens_.take_word("urgent");
    record::place_fields(layout);
    return {};
  }

  Status action(record::Layout& layout) {
    record::Action action;
    const auto kind = by_name(tokens_.word(), record::ActionKind::kDefault, record::action_name);
    if (!kind) return expected("an action");
    tokens_.advance();
    action.kind = *kind;
    tokens_.take_string(action.format);
    while (tokens_.is('@')) DT_TRY(id('@', action.aggregations.emplace_back()));
    action.first_field = static_cast<std::uint32_t>(layout.fields.size());
    while (field_from(tokens_.word())) DT_TRY(field(layout.fields));
    action.field_count = static_cast<std::uint32_t>(layout.fields.size()) - action.first_field;
    action.has_trunc_count = action.kind == record::ActionKind::kTrunc && action.field_count > 0;
    layout.actions.push_back(std::move(action));
    return {};
  }

  Status value(Function& fn, ValueId& out) {
    DT_TRY(id('%', out));
    fn.value_count = std::max(fn.value_count, out + 1);
    return {};
  }
  // "b3"
  Status block_name(BlockId& out) {
    std::string_view letters;
    if (!split_number(tokens_.word(), letters, out) || letters != "b") return expected("a block");
    tokens_.advance();
    return {};
  }

  Status block(Function& fn) {
    BlockId index = 0;
    DT_TRY(block_name(index));
    if (index != fn.blocks.size()) return expected(fmt::format("b{} to be next", fn.blocks.size()));
    Block block;
    if (tokens_.take('(')) {
      do {
        Param& param = block.params.emplace_back();
        DT_TRY(value(fn, param.id));
        DT_TRY(expect(':'));
        DT_TRY(type(param.type));
      } while (tokens_.take(','));
      DT_TRY(expect(')'));
    }
    DT_TRY(expect(':'));
    bool is_ended = false;
    while (!is_ended) DT_TRY(inst_or_end(fn, block, is_ended));
    fn.blocks.push_back(std::move(block));
    return {};
  }

  Status inst_or_end(Function& fn, Block& block, bool& is_ended) {
    is_ended = true;
    if (tokens_.take_word("return")) return {};
    if (tokens_.take_word("jump")) {
      block.end.kind = Terminator::Kind::kJump;
      return target(fn, block.end.then);
    }
    if (tokens_.take_word("branch")) {
      block.end.kind = Terminator::Kind::kBranch;
      if (!tokens_.take_word("guard")) DT_TRY(value(fn, block.end.condition));
      DT_TRY(expect(','));
      DT_TRY(target(fn, block.end.then));
      DT_TRY(expect(','));
      return target(fn, block.end.otherwise);
    }
    is_ended = false;
    return inst(fn, block.insts.emplace_back());
  }

  Status target(Function& fn, Target& out) {
    DT_TRY(block_name(out.block));
    if (!tokens_.take('(')) return {};
    do {
      DT_TRY(value(fn, out.args.emplace_back()));
    } while (tokens_.take(','));
    return expect(')');
  }

  Status inst(Function& fn, Inst& inst) {
    if (tokens_.is('%')) {
      DT_TRY(value(fn, inst.result));
      DT_TRY(expect(':'));
      DT_TRY(type(inst.type));
      DT_TRY(expect('='));
    }
    const auto op = by_name(tokens_.word(), static_cast<Op>(kOpCount - 1), op_name);
    if (!op) return expected("an operation");
    inst.op = *op;
    const std::uint32_t line = tokens_.line();
    tokens_.advance();
    bool more = !tokens_.at_end() && tokens_.line() == line && !tokens_.is('#');
    if (more && !tokens_.is('%')) {
      DT_TRY(immediates(inst));
      more = tokens_.take(',');
    }
    if (more) {
      do {
        DT_TRY(value(fn, inst.args.emplace_back()));
      } while (tokens_.take(','));
    }
    if (!tokens_.is('#')) return {};
    return id('#', inst.action);
  }

  // What stands before the operands.
  Status immediates(Inst& inst) {
    const std::string_view text = op_info(inst.op).text;
    if (text.empty()) return expected("a value");
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (i > 0) DT_TRY(expect(','));
      DT_TRY(immediate(inst, text[i]));
    }
    return {};
  }

  // What ops.def calls by this letter.
  Status immediate(Inst& inst, char what) {
    switch (what) {
      case 'n':
        return number(inst.imm, std::numeric_limits<std::int64_t>::min(),
                      std::numeric_limits<std::int64_t>::max());
      case 'o':
        return number(inst.imm, 0, kMaxSize);
      case 'b':
        return builtin(inst);
      case '$':
      case '@':
        return id(what, inst.index);
      case 't':
        return type(inst.stored);
      case 'f':
        return subroutine(inst);
      case 'l':
        return layout_number(inst.index);
      default:
        DT_UNREACHABLE("text of {}: {}", op_name(inst.op), what);
    }
  }

  Status layout_number(std::uint32_t& out) {
    std::int64_t index = 0;
    DT_TRY(number(index, 0, std::numeric_limits<std::uint32_t>::max()));
    out = static_cast<std::uint32_t>(index);
    return {};
  }

  Status subroutine(Inst& inst) {
    const auto parsed = subroutine_from_name(std::string(tokens_.word()));
    if (!parsed) return expected("a subroutine");
    tokens_.advance();
    inst.index = static_cast<std::uint32_t>(*parsed);
    return {};
  }

  Status builtin(Inst& inst) {
    std::string name(tokens_.word());
    if (name.size() == 4 && name.starts_with("arg") && name[3] >= '0' && name[3] <= '9') {
      inst.imm = name[3] - '0';
      name = "arg";
    }
    constexpr std::string_view kRegs = "regs";
    if (name.starts_with(kRegs)) {
      const char* const end = name.data() + name.size();
      const auto [stop, failure] = std::from_chars(name.data() + kRegs.size(), end, inst.imm);
      if (failure != std::errc() || stop != end) return expected("a register");
      name = kRegs;
    }
    const auto parsed = builtin_from_name(name);
    if (!parsed) return expected("a built-in");
    tokens_.advance();
    inst.builtin = *parsed;
    return {};
  }

  TextTokens tokens_;
  Program program_;
};

}  // namespace

Result<Program> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace dt::ir
