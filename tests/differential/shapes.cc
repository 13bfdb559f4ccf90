// See shapes.h.

#include "shapes.h"

#include <algorithm>

namespace dt::differential {
namespace {

constexpr std::uint32_t kMaxShapeBytes = 200;

}  // namespace

// ---- Declarations -------------------------------------------------------------

ShapeMember Shapes::random_member(std::size_t number, std::uint32_t room) {
  ShapeMember out;
  out.name = fmt::format("m{}", number);
  std::vector<std::size_t> inner;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    if (shapes_[i].bytes * 2 + 16 < room) inner.push_back(i);
  }
  switch (pick(12)) {
    case 0:
    case 1:
      if (!inner.empty()) {
        out.kind = MemberKind::kStruct;
        out.shape = any(inner);
        out.type = shapes_[out.shape].name;
        out.count = chance(3) ? 2 : 0;
        return out;
      }
      break;
    case 2:
      out.kind = MemberKind::kPointer;
      out.shape = pick(static_cast<std::uint32_t>(shapes_.size() + 1));  // or to its own
      return out;
    case 3:
      out.kind = MemberKind::kChars;
      out.type = "char";
      out.count = 1 + pick(12);
      return out;
    case 4:
      out.kind = MemberKind::kFloat;
      out.type = chance(3) ? "float" : "double";
      return out;
    case 5:
    case 6:
      out.kind = MemberKind::kBits;
      do {
        out.type = type();
      } while (out.type == "_Bool");
      out.count = 1 + pick(7);
      return out;
    case 7:
      out.type = "enum color";
      return out;
    default:
      break;
  }
  out.type = type();
  out.count = chance(4) ? 1 + pick(4) : 0;
  return out;
}

// Structures of those that stand before them.
void Shapes::declare_shape() {
  Shape shape;
  const bool is_union = chance(4);
  shape.name = fmt::format("{} s{}", is_union ? "union" : "struct", shapes_.size());
  const std::uint32_t members = 1 + pick(6);
  for (std::uint32_t i = 0; i < members; ++i) {
    ShapeMember member = random_member(i, kMaxShapeBytes - std::min(kMaxShapeBytes, shape.bytes));
    if (member.kind == MemberKind::kPointer) {
      member.type = member.shape == shapes_.size() ? shape.name : shapes_[member.shape].name;
    }
    const std::uint32_t one = member.kind == MemberKind::kStruct  ? shapes_[member.shape].bytes
                              : member.kind == MemberKind::kChars ? 1
                                                                  : 8;
    const bool is_bits = member.kind == MemberKind::kBits;
    shape.bytes += one * std::max(is_bits ? 1 : member.count, 1U) + 8;
    shape.members.push_back(std::move(member));
  }
  shapes_.push_back(std::move(shape));
}

void Shapes::declare_shapes(std::vector<std::string>& declarations) {
  declarations.push_back("enum color { RED = -3, GREEN, BLUE = 7, BLACK = 1 << 20, WHITE };");
  declarations.push_back("enum color e1; self enum color e2; this _Bool e3;");
  integers_.insert(integers_.end(), {"e1", "self->e2", "this->e3"});
  for (std::uint32_t i = 1 + pick(3); i > 0; --i) declare_shape();
  for (const Shape& shape : shapes_) {
    std::string text = shape.name + " {";
    // Some of a structure's scalars share their place in a union without a name.
    bool is_shared = false;
    for (const ShapeMember& m : shape.members) {
      const bool is_scalar = m.kind == MemberKind::kInteger && m.count == 0;
      if (is_shared && !is_scalar) {
        text += " };";
        is_shared = false;
      } else if (!is_shared && is_scalar && chance(4)) {
        text += " union {";
        is_shared = true;
      }
      text += fmt::format(" {} {}{}", m.type, m.kind == MemberKind::kPointer ? "*" : "", m.name);
      if (m.count > 0)
        text += m.kind == MemberKind::kBits ? fmt::format(":{}", m.count)
                                            : fmt::format("[{}]", m.count);
      text += ";";
    }
    declarations.push_back(text + (is_shared ? " };" : "") + " };");
  }
  declare_variables(declarations);
}

void Shapes::declare_variables(std::vector<std::string>& declarations) {
  static constexpr struct {
    const char *keyword, *prefix, *name;
  } kScopes[] = {{"", "", "so"}, {"self ", "self->", "sp"}, {"this ", "this->", "sq"}};
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const std::string& type = shapes_[i].name;
    for (const auto& scope : kScopes) {
      if (scope.keyword[0] != '\0' && chance(2)) continue;
      Variable variable{fmt::format("{}{}{}", scope.prefix, scope.name, i), i, "", 0};
      std::string text = fmt::format("{}{} {}{}", scope.keyword, type, scope.name, i);
      if (chance(5)) {
        variable.count = 1 + pick(3);
        text += fmt::format("[{}]", variable.count);
      }
      declarations.push_back(text + ";");
      variables_.push_back(std::move(variable));
    }
    if (chance(3)) {
      const bool is_self = chance(2);
      Variable variable{fmt::format("{}sr{}", is_self ? "self->" : "", i), i, "", 0};
      variable.key = chance(2) ? "string" : "int";
      declarations.push_back(
          fmt::format("{}{} sr{}[{}];", is_self ? "self " : "", type, i, variable.key));
      variables_.push_back(std::move(variable));
    }
    // Pointers to the process's memory are kept; those to a firing's are not.
    declarations.push_back(
        fmt::format("userland {0} *up{1}; self userland {0} *uq{1}; "
                    "this {0} *lp{1};",
                    type, i));
  }
  declarations.push_back("double fd1; self double fd2; float ff1; this float ff2;");
  doubles_ = {"fd1", "self->fd2"};
  floats_ = {"ff1", "this->ff2"};
}

// ---- Places and values ----------------------------------------------------------

// Not always within the array.
std::string Shapes::index_of(std::uint32_t count, bool may_be_computed) {
  if (!may_be_computed || in_error_ || in_body_ || nesting_ > 0 || !chance(5)) {
    return fmt::format("{}", pick(count));
  }
  ++nesting_;
  const std::string index = integer(1).text;
  --nesting_;
  if (chance(6)) return fmt::format("{} + 0 * arg0", index);
  return fmt::format("(({} + 0 * arg0) & 0xffff) % {}", index, count);
}

std::string Shapes::step(const ShapeMember& member, bool may_be_computed) {
  if (member.count == 0 || member.kind == MemberKind::kBits) return member.name;
  return fmt::format("{}[{}]", member.name, index_of(member.count, may_be_computed));
}

std::optional<std::string> Shapes::path_to(std::size_t shape, MemberKind kind, Path how) {
  const bool is_computed = how == Path::kInVariable;
  std::string path;
  for (int steps = 0; steps < 5; ++steps) {
    const ShapeMember& member = any(shapes_[shape].members);
    if (member.kind == kind) {
      const bool is_whole = kind == MemberKind::kChars;
      return path + (is_whole ? member.name : step(member, is_computed));
    }
    if (kind == MemberKind::kInteger && member.kind == MemberKind::kBits) return path + member.name;
    if (kind == MemberKind::kInteger && member.kind == MemberKind::kChars) {
      return path + step(member, is_computed);
    }
    if (member.kind == MemberKind::kStruct) {
      path += step(member, is_computed) + ".";
      shape = member.shape;
    } else if (member.kind == MemberKind::kPointer && how == Path::kFollowsPointers) {
      path += member.name + "->";
      shape = member.shape;
    }
  }
  return std::nullopt;
}

std::string Shapes::structure_place(std::size_t shape) {
  std::vector<const Variable*> fitting;
  for (const Variable& variable : variables_) {
    if (variable.shape == shape && (nesting_ < 2 || variable.key.empty())) {
      fitting.push_back(&variable);
    }
  }
  const Variable& variable = *any(fitting);
  if (variable.count > 0) {
    return fmt::format("{}[{}]", variable.name, index_of(variable.count, true));
  }
  if (variable.key.empty()) return variable.name;
  ++nesting_;
  const std::string key = variable.key == "string" ? text(0) : integer(0).text;
  --nesting_;
  return fmt::format("{}[{}]", variable.name, key);
}

bool Shapes::is_element(const std::string& place) const {
  const std::string name = place.substr(0, place.find('['));
  return std::any_of(variables_.begin(), variables_.end(), [&](const Variable& variable) {
    return variable.count > 0 && variable.name == name;
  });
}

// An address in user memory, mostly where there are pointers.
std::string Shapes::pointer_value(std::size_t shape) {
  const std::string& type = shapes_[shape].name;
  const std::string at =
      chance(4) ? address() : fmt::format("{:#x}", kUserPointers + 8 * pick(kPointers));
  switch (pick(8)) {
    case 0:
      return fmt::format("(({} *)copyin({}, sizeof ({})))", type, at, type);
    case 1:
      return fmt::format("((userland {} *){} + {})", type, at, pick(3));
    case 2:
      return fmt::format("(up{} = (userland {} *){})", shape, type, at);
    case 3:
      return fmt::format("(({} *){})", type, bad_kernel_address());
    default:
      return fmt::format("((userland {} *){})", type, at);
  }
}

// One whose value is known: not to what a firing has for itself.
std::string Shapes::user_pointer(std::size_t shape) {
  switch (pick(6)) {
    case 0:
      return fmt::format("up{}", shape);
    case 1:
      return fmt::format("(self->uq{}{})", shape, chance(3) ? "++" : "");
    case 2:
      return fmt::format("(up{} + {})", shape, integer(0).text);
    case 3:
      return fmt::format("(up{0} = &up{0}[{1}])", shape, pick(3));
    default:
      return fmt::format("((userland {} *){})", shapes_[shape].name, address());
  }
}

std::string Shapes::pointer(std::size_t shape) {
  switch (pick(8)) {
    case 0:
    case 1:
      return user_pointer(shape);
    case 2:
      return fmt::format("this->lp{}", shape);
    default:
      return pointer_value(shape);
  }
}

std::string Shapes::structure(std::size_t shape) {
  if (chance(3)) {
    const std::string at = pointer(shape);
    return chance(3) ? fmt::format("{}[0]", at) : fmt::format("(*{})", at);
  }
  if (chance(8)) {
    const std::string condition = integer(1).text, then = structure_place(shape);
    return fmt::format("({} ? {} : {})", condition, then, structure_place(shape));
  }
  return structure_place(shape);
}

std::string Shapes::part(MemberKind kind) {
  const std::size_t shape = any_shape();
  if (chance(3)) return part_place(kind);
  const auto path = path_to(shape, kind, chance(3) ? Path::kFollowsPointers : Path::kPlain);
  if (!path) return "";
  if (chance(2)) return fmt::format("{}->{}", pointer(shape), *path);
  return fmt::format("{}.{}", structure(shape), *path);
}

std::string Shapes::part_place(MemberKind kind) {
  const std::size_t shape = any_shape();
  const auto path = path_to(shape, kind, Path::kInVariable);
  return path ? fmt::format("{}.{}", structure_place(shape), *path) : "";
}

Text Shapes::more_integer(int depth) {
  if (shapes_.empty()) return {};
  static constexpr const char* kColors[] = {"RED", "GREEN", "BLUE", "BLACK", "WHITE"};
  const std::size_t shape = any_shape();
  switch (pick(12)) {
    case 0:
      return {kColors[pick(5)], true};
    case 1: {
      const Text inner = integer(std::max(depth - 1, 0));
      return {fmt::format("((enum color){})", inner.text), inner.is_constant};
    }
    case 2: {
      const ShapeMember& member = any(shapes_[shape].members);
      if (member.kind == MemberKind::kBits) return {};
      return {fmt::format("offsetof({}, {})", shapes_[shape].name, member.name), true};
    }
    case 3:
      return {fmt::format("({} {} {})", user_pointer(shape), relation(), user_pointer(shape)),
              false};
    case 4:
      return {fmt::format("({} - {})", user_pointer(shape), user_pointer(shape)), false};
    case 5:
      return {fmt::format("(!{})", pointer(shape)), false};
    default:
      return {part(MemberKind::kInteger), false};
  }
}

std::string Shapes::more_text(int) {
  if (shapes_.empty()) return "";
  const std::string chars = part(MemberKind::kChars);
  return chars.empty() ? "" : fmt::format("stringof({})", chars);
}

std::string Shapes::more_place() { return shapes_.empty() ? "" : part_place(MemberKind::kInteger); }

// ---- Statements ----------------------------------------------------------------

// What a firing has for itself, made and changed there.
std::string Shapes::memory_statement() {
  const std::size_t shape = any_shape();
  const std::string& type = shapes_[shape].name;
  const std::string make =
      fmt::format("this->lp{} = ({} *)alloca({} * sizeof ({}));", shape, type, 1 + pick(2), type);
  switch (pick(5)) {
    case 0:
      return make;
    case 1:
      return make +
             fmt::format(" bcopy({}, this->lp{}, sizeof ({}));", pointer_value(shape), shape, type);
    case 2:
      // No more than there is: at which address a store behind it fails is each machine's own.
      return make + fmt::format(" copyinto({}, {} % (sizeof ({}) + 1), this->lp{});", address(),
                                pick(9), type, shape);
    default:
      break;
  }
  const std::string before = chance(2) ? make + " " : "";
  const std::string& to = fmt::format("this->lp{}", shape);
  const ShapeMember& m = any(shapes_[shape].members);
  switch (m.kind) {
    case MemberKind::kInteger:
    case MemberKind::kBits:
      return fmt::format("{}{}->{} {} {};", before, to, step(m, false),
                         chance(2) ? "=" : "+=", integer(1).text);
    case MemberKind::kChars:
      return fmt::format("{}{}->{} = {};", before, to, m.name, text(1));
    case MemberKind::kStruct:
      return fmt::format("{}{}->{} = {};", before, to, step(m, false), structure(m.shape));
    default:
      return fmt::format("{}*{} = {};", before, to, structure(shape));
  }
}

std::string Shapes::float_statement() {
  const std::string value = part(MemberKind::kFloat);
  switch (pick(4)) {
    case 0:
      return fmt::format("{} = {};", any(doubles_), any(doubles_));
    case 1:
      return fmt::format("{} = {} ? {} : {};", any(floats_), integer(1).text, any(floats_),
                         any(floats_));
    case 2:
      if (!value.empty()) return fmt::format("printf(\"%f %g\\n\", {}, {});", value, any(doubles_));
      [[fallthrough]];
    default:
      return fmt::format("printf(\"%e\\n\", {});", any(chance(2) ? doubles_ : floats_));
  }
}

std::string Shapes::shape_statement() {
  const std::size_t shape = any_shape();
  const std::string place = structure_place(shape);
  switch (pick(12)) {
    case 0:
    case 1:
      return memory_statement();
    case 2:
      return float_statement();
    case 3:
      // Not an element of a C array.
      return fmt::format("{} = {};", place, is_element(place) ? structure(shape) : "0");
    case 4: {
      const std::string chars = part_place(MemberKind::kChars);
      return chars.empty() ? fmt::format("trace({});", structure(shape))
                           : fmt::format("{} = {};", chars, text(2));
    }
    case 5:
      return fmt::format(
          "{}{} = {};", chance(2) ? "up" : "self->uq", shape,
          chance(4) ? "NULL" : fmt::format("(userland {} *){}", shapes_[shape].name, address()));
    case 6: {
      const std::string from = part(MemberKind::kStruct);
      return from.empty() ? fmt::format("print({});", place) : fmt::format("trace({});", from);
    }
    case 7:
      return chance(3)
                 ? fmt::format("printm(8, copyin({}, 8));", address())
                 : fmt::format("tracemem(copyin({}, 16), 16, {});", address(), integer(1).text);
    case 8:
      return fmt::format("trace({});", structure(shape));
    default:
      return fmt::format("{} = {};", place, structure(shape));
  }
}

}  // namespace dt::differential
