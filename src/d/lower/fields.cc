#include "d/lower/fields.h"

#include <algorithm>
#include <utility>

#include "d/check/field_type.h"
#include "d/lower/kernel_structures.h"
#include "d/lower/objects.h"
#include "d/lower/scratch_memory.h"
#include "d/lower/segment.h"
#include "d/meaning/function_table.h"
#include "d/meaning/kernel_member.h"
#include "d/meaning/object.h"
#include "d/meaning/printf_format.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "record/columns.h"
#include "record/type_shape.h"

namespace dt::d::lowering {

using ir::ValueId;
using record::FieldKind;
using record::FieldType;

namespace {

// Text that was traced is quoted for the shell of system(): what a traced program controls (a
// file's name) must not be executed by the root who traces it. What the script's author wrote may
// be a command, and becomes part of the format.
bool is_part_of_command(const Expr* e, const Conversion& conversion, record::Action& out,
                        const std::string& written) {
  constexpr std::uint32_t kPlain = 2;  // %s
  if (out.kind != record::ActionKind::kSystem || e->kind != ExprKind::kString ||
      conversion.end - conversion.begin != kPlain) {
    return false;
  }
  const std::size_t grown = out.format.size() - written.size();
  std::string text;
  for (const char c : e->text) {
    text += c == '%' ? std::string("%%") : std::string(1, c);
  }
  out.format.replace(conversion.begin + grown, kPlain, text);
  return true;
}

}  // namespace

// The part of the probe's name that a variable gives: recorded as its id.
std::optional<FieldKind> Fields::probe_part(const Expr* e) const {
  if (e->kind != ExprKind::kIdent || e->symbol != Symbol::kBuiltin) {
    return std::nullopt;
  }
  switch (builtin_table()[e->index].builtin) {
    case ir::Builtin::kProbeprov:
      return FieldKind::kProbeProv;
    case ir::Builtin::kProbemod:
      return FieldKind::kProbeMod;
    case ir::Builtin::kProbefunc:
      return FieldKind::kProbeFunc;
    case ir::Builtin::kProbename:
      return FieldKind::kProbeName;
    default:
      return std::nullopt;
  }
}

void Fields::resolved(const Expr* e) {
  const FieldType type = field_type(e, world_, rules_);
  segment_.add(type, is_object(e->type, rules_) ? bytes_of(e) : value(e));
}

// An argument of printf(); `conversion` is what shows it.
void Fields::argument(const Expr* e, char conversion) {
  if (const auto part = probe_part(e)) {
    segment_.add({*part, 4, false}, b_->builtin(ir::Builtin::kProbeId));
    return;
  }
  if (rules_.is_dynamic(e->type)) {
    resolved(e);
    return;
  }
  const bool as_string = conversion == 's' || conversion == 'S' || conversion == 'I';
  if (rules_.is_string(e->type) || (as_string && rules_.is_pointer(e->type))) {
    segment_.add_string(read_string(e));
    return;
  }
  if (rules_.is_float(e->type)) {
    segment_.add({FieldKind::kBytes, rules_.size(e->type), false}, bytes_of(e));
    return;
  }
  const ValueId v = value(e);
  if (conversion == 'A') {
    segment_.add({FieldKind::kUaddr, 16, false},
                 b_->unary(ir::Op::kUserAddr, v, ir::Type::bytes(16)));
    return;
  }
  const ir::Type type = rules_.ir_type(e->type);
  segment_.add({FieldKind::kInt, type.size, type.is_signed}, convert(v, type));
}

void Fields::traced(const Expr* e) {
  if (const Expr* copied = constant_copyin(e)) {
    const auto size = static_cast<std::uint32_t>(copied->args[1]->int_value);
    const ValueId at = value(copied->args[0]);
    b_->at(e->span);
    segment_.add({FieldKind::kBytes, size, false}, memory_bytes(at, size, Whose::kUser));
    return;
  }
  if (is_object(e->type, rules_)) {
    segment_.add({FieldKind::kBytes, rules_.size(e->type), false}, bytes_of(e));
    return;
  }
  argument(e, 0);
}

void Fields::printf(const Expr* e, record::Action& out) {
  const std::string written = e->args[0]->text;
  out.format = written;
  std::size_t next = 1;
  for (const Conversion& conversion : parse_format(written).conversions) {
    if (is_part_of_command(e->args[next], conversion, out, written)) {
      ++next;
      continue;
    }
    for (const bool dynamic : {conversion.width_argument, conversion.precision_argument}) {
      if (dynamic) {
        argument(e->args[next], 'd');
        segment_.layout().fields.back().span = e->args[next++]->span;
      }
    }
    argument(e->args[next], conversion.conversion);
    segment_.layout().fields.back().span = e->args[next++]->span;
  }
}

// Columns and values by turns. A text without a conversion is one as for %s.
void Fields::row(const Expr* e, record::Action& out) {
  for (std::size_t i = 0; i + 1 < e->args.size(); i += 2) {
    const Expr* shown = e->args[i + 1];
    const auto column = record::parse_column(e->args[i]->text);
    const char conversion = column ? column->piece.conversion : '\0';
    const bool is_text = rules_.is_string_like(shown->type) || rules_.is_char_array(shown->type);
    argument(shown, conversion == 0 && is_text ? 's' : conversion);
    segment_.layout().fields.back().span = shown->span;
    out.format += (i == 0 ? "" : "\n") + e->args[i]->text;
  }
}

namespace {

// Members that the translator does not give have no value, so they are not shown. A shape may be
// shared by several members: what is left of it is a shape of its own.
void leave_out_untranslated(const Expr* e, std::uint32_t shape,
                            std::vector<record::Shape>& shapes) {
  if (e->kind != ExprKind::kBuilt || shape == record::kNoShape) return;
  std::vector<record::Shape::Member> given;
  const std::vector<record::Shape::Member> members = shapes[shape].members;
  for (const record::Shape::Member& member : members) {
    const auto from = std::find_if(e->args.begin(), e->args.end(),
                                   [&](const Expr* one) { return one->text == member.name; });
    if (from == e->args.end()) continue;
    given.push_back(member);
    if ((*from)->kind != ExprKind::kBuilt || member.shape == record::kNoShape) continue;
    given.back().shape = static_cast<std::uint32_t>(shapes.size());
    record::Shape part = shapes[member.shape];
    shapes.push_back(std::move(part));
    leave_out_untranslated(*from, given.back().shape, shapes);
  }
  shapes[shape].members = std::move(given);
}

}  // namespace

void Fields::print(const Expr* e, record::Action& out) {
  const Expr* shown = e->args[0];
  if (is_object(shown->type, rules_)) {
    segment_.add({FieldKind::kBytes, rules_.size(shown->type), false}, bytes_of(shown));
  } else {
    argument(shown, 0);
  }
  std::vector<record::Shape>& shapes = segment_.layout().shapes;
  out.shape = record::add_shape(world_.types, shown->type, shapes);
  leave_out_untranslated(shown, out.shape, shapes);
}

// `size` bytes at the address that an expression gives; of user memory when it
// says so or is a copyin() of so many. memref() gives what it refers to.
void Fields::memory(const Expr* memory, std::uint32_t size, const Expr* action) {
  if (memory->kind == ExprKind::kCall && memory->symbol == Symbol::kSubroutine &&
      static_cast<Fn>(memory->index) == Fn::kMemref) {
    memory = memory->args[0];
  }
  if (is_array_value(memory)) {
    const Objects::Object from = objects_.object(memory);
    b_->at(action->span);
    segment_.add({FieldKind::kBytes, size, false}, objects_.load(from, ir::Type::bytes(size)));
    return;
  }
  const Expr* copied = constant_copyin(memory);
  if (copied != nullptr && copied->args[1]->int_value < size) {
    copied = nullptr;  // the bytes behind the copy are not those of the process
  }
  const ValueId at = copied != nullptr ? value(copied->args[0]) : value(memory);
  b_->at(action->span);
  segment_.add({FieldKind::kBytes, size, false},
               memory_bytes(at, size, copied != nullptr ? Whose::kUser : whose_target(memory)));
}

// pcap(skb, type): the bytes in the packet's own memory, at most pcapsize bytes of it, and how long
// the whole packet is. The rest of a packet may be in pages of its own (skb->data_len counts
// those), for example of a file that is sent.
void Fields::packet(const Expr* e) {
  const std::uint32_t size = world_.packet_size;
  const ValueId skb = value(e->args[0]);
  const ValueId link_type = convert(value(e->args[1]), ir::Type::s32());
  b_->at(e->span);
  const ValueId data = kernel_.load_member(skb, packet_members()[0]);
  const ValueId length = kernel_.load_member(skb, packet_members()[1]);
  const ValueId elsewhere = kernel_.load_member(skb, packet_members()[2]);
  const ValueId here = b_->binary(ir::Op::kSub, length, elsewhere, ir::Type::u32());
  const ir::BlockId all = b_->block();
  const ir::BlockId some = b_->block();
  const ir::BlockId join = b_->block();
  const ValueId used = b_->param(join, ir::Type::u32());
  b_->branch(b_->binary(ir::Op::kLtU, here, b_->constant(size), ir::Type::s32()), all, some);
  b_->enter(all);
  b_->jump(join, {here});
  b_->enter(some);
  b_->jump(join, {b_->constant(size, ir::Type::u32())});
  b_->enter(join);
  const ValueId place = scratch_.allocate(b_->constant(size), true);
  operation(ir::Op::kCopyKernel, ir::Type::none(), {place, data, used});
  segment_.add({FieldKind::kBytes, size, false}, memory_bytes(place, size, Whose::kKernel));
  segment_.add({FieldKind::kInt, 4, false}, used);
  segment_.add({FieldKind::kInt, 4, false}, length);
  segment_.add({FieldKind::kInt, 8, true}, b_->builtin(ir::Builtin::kWalltimestamp));
  segment_.add({FieldKind::kInt, 4, true}, link_type);
}

}  // namespace dt::d::lowering
