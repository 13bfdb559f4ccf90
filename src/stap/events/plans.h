#pragma once
// Plans: what memory the expressions of a script read, by the C types of what they start at.
//
// A pointer has its type from @cast, from an argument of the probe, from a member that is a
// pointer, from task_current(), or from the variable that it was assigned to.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "front/world.h"
#include "stap/events/probes.h"
#include "stap/meaning/access.h"
#include "stap/meaning/memory_functions.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"
#include "types/type.h"

namespace dt::stap {

// "task_struct", "struct file *", "unsigned long": a type by its name; `module` is "kernel", or
// that of a module. nullopt: there is none.
std::optional<types::TypeId> find_c_type(const types::Catalog& types, std::string_view name,
                                         std::string_view module = {});

// A variable of the kernel by its name: where it is, or why it is not known.
struct VariablePlace {
  types::TypeId type;
  std::int64_t address = 0;
  std::string wrong;
};
VariablePlace find_variable(const front::World& world, const std::string& name,
                            const std::string& module);

class Plans {
 public:
  Plans(Program& program, const EventProbes& probes, const front::World& world, Messages& messages)
      : program_(program), probes_(probes), world_(world), messages_(messages) {}

  // Fills in Expr::access. False after an error, which is reported.
  bool make();

 private:
  using CType = std::optional<types::TypeId>;
  // Where a chain of members has come to.
  struct Walk {
    Access& access;
    types::TypeId type;
    bool is_place;  // of that type is what is at the address, and not the address's own
    bool is_userland;
    Span place = {};  // of the step
  };

  void everything();
  void statement(Stmt& stmt);
  void all(Expr& expr);
  CType visit(Expr& expr);
  CType call(Expr& expr);
  CType assignment(Expr& expr);
  CType target(Expr& expr);
  CType cast(Expr& expr);
  CType type_of_program(std::string_view name);
  std::string module_of(const std::string& text) const;
  CType variable(Expr& expr);
  CType program_variable(Expr& expr);
  CType global_of_program(Expr& expr, const std::string& text, const std::string& module);
  CType member(Expr& expr);
  CType deref(Expr& expr);
  CType memory_function(Expr& expr);
  void bytes(Expr& expr, const MemoryFunction& what, Access& out);
  bool is_of_program(const Expr& address);
  CType argument_type(const Expr& expr, bool& is_userland);
  void join(const void* place, CType type);
  CType known(const void* place) const;

  // Where a chain of members begins.
  struct Start {
    types::TypeId type;
    Expr* base = nullptr;   // its value is the address; none: of an argument, or of `address`
    bool is_place = false;  // as of Walk
    bool is_userland = false;
    std::optional<std::int64_t> address = {};
  };
  CType plan(Expr& expr, const Start& from);
  bool parts(const Expr& expr, Walk& walk);
  bool to_member(Walk& walk, const std::string& name, const Expr& expr);
  bool to_element(Walk& walk, Part& part, const Expr& expr);
  void load_pointer(Walk& walk);
  CType finish(const Expr& expr, Walk& walk);
  void show(Walk& walk, int depth);
  static void show_end(Access& access, ShownPart::As as);
  // `offset`: in bytes, from where the walk has come to. `depth`: how many structures deep.
  void show_value(Walk& walk, types::TypeId id, std::int64_t offset, int depth);
  bool leads_to_text(types::TypeId id) const;
  void show_pointed_text(Walk& walk, types::TypeId pointer, std::int64_t offset);
  void show_array(Walk& walk, const types::Type& type, std::int64_t offset, int depth);
  void show_members(Walk& walk, types::TypeId id, std::int64_t offset, int depth);
  static void show_text(Walk& walk, std::string_view text);
  void error(std::string_view text, Span span, std::string_view hint = {});
  std::string foreign_member(const Expr& expr) const;

  Program& program_;
  const EventProbes& probes_;
  const front::World& world_;
  Messages& messages_;
  Handler* handler_ = nullptr;
  const Function* function_ = nullptr;
  std::map<const void*, types::TypeId> known_;  // of variables and functions
  std::set<const void*> mixed_;                 // those of two types have none
  std::set<const Expr*> reported_;
  bool changed_ = false, is_last_ = false, failed_ = false;
};

}  // namespace dt::stap
