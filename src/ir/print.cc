// Program -> text.

#include "ir/print.h"

#include <fmt/core.h>

#include <iterator>

#include "ir/op_info.h"
#include "support/check.h"

namespace dt::ir {

namespace {

using record::FieldKind;

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

class Printer {
 public:
  explicit Printer(const Sources* sources) : sources_(sources) {}

  void program(const Program& program) {
    add("program strsize={}", program.string_size);
    if (program.scratch_size != Program().scratch_size)
      add(" scratchsize={}", program.scratch_size);
    if (program.speculations != 0) add(" speculations={}", program.speculations);
    if (program.arguments != kNone) add(" arguments={}", program.arguments);
    add("{}\n", program.destructive ? " destructive" : "");
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      variable(i, program.variables[i]);
    }
    for (std::size_t i = 0; i < program.aggregations.size(); ++i) {
      aggregation(i, program.aggregations[i]);
    }
    for (std::size_t i = 0; i < program.strings.size(); ++i) {
      add("string ${} {}\n", i, in_quotes(program.strings[i]));
    }
    for (const EcbDesc& clause : program.clauses) this->clause(clause);
  }

  void function(const Function& fn) {
    for (std::size_t i = 0; i < fn.blocks.size(); ++i) block(i, fn.blocks[i]);
  }

  std::string take() { return std::move(text_); }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
  }

  template <typename List, typename Each>
  void list(const List& items, Each&& each) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) text_ += ", ";
      first = false;
      each(item);
    }
  }

  void variable(std::size_t index, const Variable& variable) {
    add("var @{} {} {}", index, scope_name(variable.scope), in_quotes(variable.name));
    if (!variable.keys.empty()) {
      text_ += " [";
      list(variable.keys, [&](const Type& type) { text_ += to_string(type); });
      text_ += ']';
    }
    add(" : {}", to_string(variable.type));
    if (variable.room != 0) add(" room={}", variable.room);
    text_ += "\n";
  }

  void aggregation(std::size_t index, const record::AggLayout& agg) {
    add("agg @{} {} {}", index, in_quotes(agg.name), to_string(agg.func, agg.params));
    if (!agg.keys.empty()) {
      text_ += " [";
      list(agg.keys, [&](const record::Field& field) { text_ += to_string(field.type); });
      text_ += ']';
    }
    text_ += agg.drained ? " drained\n" : "\n";
  }

  void clause(const EcbDesc& clause) {
    text_ += "clause ";
    list(clause.points, [&](const probe::Point& point) { this->point(point); });
    text_ += " {\n";
    for (const record::Layout& each : clause.layouts) layout(each);
    function(clause.body);
    text_ += "}\n";
  }

  // A point that its text describes is that text.
  void point(const probe::Point& point) {
    const probe::Pattern& pattern = point.pattern;
    if (probe::parse_point(pattern.text).is_same(point)) {
      text_ += in_quotes(pattern.text);
      return;
    }
    const std::string* const fields[] = {&pattern.provider, &pattern.module, &pattern.function,
                                         &pattern.name};
    text_ += "point(";
    list(fields, [&](const std::string* field) { text_ += in_quotes(*field); });
    text_ += pattern.text.empty() ? ")" : ") as " + in_quotes(pattern.text);
  }

  void layout(const record::Layout& layout) {
    text_ += "  record {";
    bool first = true;
    for (const record::Action& action : layout.actions) {
      add("{} {}", first ? "" : ",", record::action_name(action.kind));
      first = false;
      if (!action.format.empty()) text_ += ' ' + in_quotes(action.format);
      for (const std::uint32_t agg : action.aggregations) add(" @{}", agg);
      for (std::uint32_t i = 0; i < action.field_count; ++i) {
        const std::size_t field = std::size_t{action.first_field} + i;
        if (field >= layout.fields.size()) break;
        text_ += ' ' + to_string(layout.fields[field].type);
      }
    }
    text_ += " }";
    if (layout.has_thread) text_ += " thread";
    if (layout.has_time) text_ += " time";
    text_ += layout.urgent ? " urgent\n" : "\n";
  }

  void block(std::size_t index, const Block& block) {
    add("  b{}", index);
    if (!block.params.empty()) {
      text_ += '(';
      list(block.params,
           [&](const Param& param) { add("%{} : {}", param.id, to_string(param.type)); });
      text_ += ')';
    }
    text_ += ":\n";
    for (const Inst& inst : block.insts) this->inst(inst);
    terminator(block.end);
  }

  void inst(const Inst& inst) {
    const std::size_t start = text_.size();
    text_ += "    ";
    if (inst.result != kNone) add("%{} : {} = ", inst.result, to_string(inst.type));
    text_ += op_name(inst.op);
    bool first = true;
    const auto comma = [&] {
      text_ += first ? " " : ", ";
      first = false;
    };
    for (const char* what = op_info(inst.op).text; *what != '\0'; ++what) {
      if (*what == 'l' && inst.index == 0) continue;
      comma(), immediate(inst, *what);
    }
    for (const ValueId arg : inst.args) comma(), add("%{}", arg);
    if (inst.action != 0) add(" #{}", inst.action);
    place(start, inst.span);
    text_ += '\n';
  }

  // What ops.def calls by this letter.
  void immediate(const Inst& inst, char what) {
    switch (what) {
      case 'n':
      case 'o':
        return add("{}", inst.imm);
      case 'b':
        text_ += builtin_name(inst.builtin);
        if (has_number(inst.builtin)) add("{}", inst.imm);
        return;
      case '$':
        return add("${}", inst.index);
      case '@':
        return add("@{}", inst.index);
      case 't':
        return add("{}", to_string(inst.stored));
      case 'l':
        return add("{}", inst.index);
      case 'f':
        text_ += subroutine_info(static_cast<Subroutine>(inst.index)).name;
        return;
      default:
        DT_UNREACHABLE("text of {}: {}", op_name(inst.op), what);
    }
  }

  // The comment with the place in the script, in a column of its own.
  void place(std::size_t line_start, Span span) {
    if (sources_ == nullptr || span.source >= sources_->size()) return;
    constexpr std::size_t kColumn = 44;
    const std::size_t width = text_.size() - line_start;
    text_.append(width < kColumn ? kColumn - width : 1, ' ');
    const support::Location at = sources_->locate(span);
    add("; {}:{}", at.line, at.column);
  }

  void target(const Target& target) {
    add("b{}", target.block);
    if (target.args.empty()) return;
    text_ += '(';
    list(target.args, [&](ValueId id) { add("%{}", id); });
    text_ += ')';
  }

  void terminator(const Terminator& end) {
    switch (end.kind) {
      case Terminator::Kind::kReturn:
        text_ += "    return\n";
        return;
      case Terminator::Kind::kJump:
        text_ += "    jump ";
        target(end.then);
        break;
      case Terminator::Kind::kBranch:
        text_ += "    branch ";
        if (end.condition == kNone) {
          text_ += "guard, ";
        } else {
          add("%{}, ", end.condition);
        }
        target(end.then);
        text_ += ", ";
        target(end.otherwise);
        break;
    }
    text_ += '\n';
  }

  const Sources* sources_;
  std::string text_;
};

}  // namespace

std::string to_string(const Type& type) {
  switch (type.kind) {
    case TypeKind::kVoid:
      return "void";
    case TypeKind::kInt:
      return fmt::format("{}{}", type.is_signed ? 's' : 'u', type.size * 8);
    case TypeKind::kString:
      return fmt::format("str{}", type.size);
    case TypeKind::kBytes:
      return fmt::format("bytes{}", type.size);
  }
  return "";
}

std::string to_string(const record::FieldType& type) {
  switch (type.kind) {
    case FieldKind::kInt:
      return fmt::format("int{}{}", type.size, type.is_signed ? 's' : 'u');
    case FieldKind::kString:
      return fmt::format("str{}", type.size);
    case FieldKind::kBytes:
    case FieldKind::kStack:
    case FieldKind::kUstack:
      return fmt::format("{}{}", record::kind_name(type.kind), type.size);
    default:
      return record::kind_name(type.kind);
  }
}

std::string to_string(record::AggFunc func, const record::AggParams& params) {
  const char* name = record::agg_func_name(func);
  if (func == record::AggFunc::kLquantize) {
    return fmt::format("{}({}, {}, {})", name, params.base, params.limit, params.step);
  }
  if (func == record::AggFunc::kLlquantize) {
    return fmt::format("{}({}, {}, {}, {})", name, params.factor, params.low, params.high,
                       params.nsteps);
  }
  return name;
}

std::string print(const Program& program, const Sources* sources) {
  Printer printer(sources);
  printer.program(program);
  return printer.take();
}

std::string print(const Function& fn, const Sources* sources) {
  Printer printer(sources);
  printer.function(fn);
  return printer.take();
}

}  // namespace dt::ir
