#pragma once
// Structures and unions that a script declares, and the variables and pointers
// that lead to them: every member can be read, and most can be written.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "values.h"

namespace dt::differential {

enum class MemberKind : std::uint8_t { kInteger, kBits, kFloat, kChars, kStruct, kPointer };

struct ShapeMember {
  std::string name, type;  // "struct s0", "double"
  MemberKind kind = MemberKind::kInteger;
  std::size_t shape = 0;    // kStruct, kPointer: which
  std::uint32_t count = 0;  // of an array's elements, kChars' too; 0 = none
};

struct Shape {
  std::string name;  // "struct s0"
  std::vector<ShapeMember> members;
  std::uint32_t bytes = 0;  // not less than its size
};

class Shapes : public Values {
 public:
  using Values::Values;

 protected:
  // Declares structures, what else has a type, and variables of all of them.
  void declare_shapes(std::vector<std::string>& declarations);
  bool has_shapes() const { return !shapes_.empty(); }

  // "a", "n.b", "v[2].c", "next->a" of a shape, to something of a kind. Only in a
  // variable is an index that is computed held against the array.
  enum class Path : std::uint8_t { kPlain, kFollowsPointers, kInVariable };
  std::optional<std::string> path_to(std::size_t shape, MemberKind kind, Path how = Path::kPlain);
  // A structure as a value, a pointer to one, and a variable that holds one.
  std::string structure(std::size_t shape);
  std::string pointer(std::size_t shape);
  std::string user_pointer(std::size_t shape);
  std::string structure_place(std::size_t shape);
  bool is_element(const std::string& place) const;  // of a C array
  std::size_t any_shape() { return pick(static_cast<std::uint32_t>(shapes_.size())); }

  // Something of a kind in any shape; "" when there happens to be none.
  std::string part(MemberKind kind);
  // The same where it can be written.
  std::string part_place(MemberKind kind);
  std::string shape_statement();

  Text more_integer(int depth) override;
  std::string more_text(int depth) override;
  std::string more_place() override;

  std::vector<Shape> shapes_;

 private:
  ShapeMember random_member(std::size_t number, std::uint32_t room);
  void declare_shape();
  void declare_variables(std::vector<std::string>& declarations);
  std::string index_of(std::uint32_t count, bool may_be_computed);
  // A member with its index, when it is an array.
  std::string step(const ShapeMember& member, bool may_be_computed);
  std::string pointer_value(std::size_t shape);
  std::string memory_statement();
  std::string float_statement();

  struct Variable {
    std::string name;
    std::size_t shape = 0;
    std::string key;          // of its elements: "string", "int", or none
    std::uint32_t count = 0;  // of an array
  };
  std::vector<Variable> variables_;
  std::vector<std::string> floats_, doubles_;  // variables
};

}  // namespace dt::differential
