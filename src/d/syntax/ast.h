#pragma once
// The tree of a D program, as the parser makes it and the checker completes it.
//
// Nodes live in an Arena and are referred to by raw pointers. The parser fills
// the syntactic fields; the fields under "typed" are empty until the checker
// has run. Only d/ includes this header.
//
// `syscall::read:entry /pid == 1/ { @n[execname] = count(); }` becomes
//
//   Clause
//     probes     ProbeSpec "syscall::read:entry"
//     predicate  Binary ==  (Ident pid, Int 1)
//     body       Stmt Expr: Assign (Aggregation n [Ident execname], Call count)
//
// `-xdump=ast` and `-xdump=typed` show it. One struct for all expressions: the comment behind each
// ExprKind says which fields count. Spans are kept for every node and for names within it, as
// messages mark the narrowest text that is wrong.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "d/syntax/token.h"
#include "support/source.h"
#include "types/type.h"

namespace dt::d {

struct Expr;
struct TypeName;

enum class ExprKind : std::uint8_t {
  kInt,          // int_value, int_unsigned, int_longs (suffixes); char constants too
  kFloat,        // text
  kString,       // text (escapes resolved)
  kIdent,        // text: a global, a built-in variable, an inline, an enumerator
  kScoped,       // `sym or mod`sym: module, text
  kThreadVar,    // self->text
  kClauseVar,    // this->text
  kAggregation,  // @text[args]; text "_" for @
  kUnary,        // op, args[0]
  kPostfix,      // ++ or --: op, args[0]
  kBinary,       // op, args[0], args[1]
  kAssign,       // op is the compound operator or kNone for "="; args[0] = args[1]
  kTernary,      // args[0] ? args[1] : args[2]
  kComma,        // args[0], args[1]
  kCall,         // text(args...)
  kIndex,        // args[0] [ args[1..] ]
  kMember,       // args[0].text or args[0]->text (arrow)
  kCast,         // (type_name) args[0]
  kSizeofType,   // type_name
  kSizeofExpr,   // args[0]
  kOffsetof,     // type_name, text
  kStringof,     // args[0]
  kXlate,        // xlate <type_name> (args[0])
  kBuilt,        // a translated structure as a whole: its members (typed)
};

enum class Op : std::uint8_t {
  kNone,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kShl,
  kShr,
  kAnd,
  kOr,
  kXor,
  kLogAnd,
  kLogOr,
  kLogXor,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kNeg,
  kPlus,
  kBitNot,
  kNot,
  kDeref,
  kAddrOf,
  kInc,
  kDec,
};
const char* op_text(Op op);

// What an identifier turned out to be (typed).
enum class Symbol : std::uint8_t {
  kUnresolved,
  kBuiltin,
  kGlobal,
  kThread,
  kClause,
  kInline,
  kParameter,   // of an inline or a translator: what it was given
  kTranslated,  // a member that a translator gives
  kEnumerator,
  kKernelSymbol,
  kKernelEnumerator,
  kMacro,
  kRegister,  // uregs[args[1]], regs[args[1]]
  kAction,
  kSubroutine,
  kAggFunc,
};

// An expression is checked once. What the checker finds replaces nothing that the parser wrote: it
// is in the fields below, so a message can still show the text.
//
// Constants: whatever the kind is, if `is_constant` is set the value is int_value, and nothing else
// of the expression is used.
struct Expr {
  ExprKind kind = ExprKind::kInt;
  Op op = Op::kNone;
  Span span;       // the whole expression
  Span name_span;  // of `text`, where that is narrower
  std::string text;
  std::string module;  // kScoped
  std::vector<Expr*> args;
  TypeName* type_name = nullptr;
  std::uint64_t int_value = 0;
  bool int_unsigned = false;
  std::uint8_t int_longs = 0;  // number of l suffixes
  bool is_char = false;
  bool arrow = false;
  bool parenthesized = false;
  std::uint16_t height = 1;  // of this tree: 1 for a leaf, at most kMaxHeight

  // typed
  types::TypeId type;
  // It has a place: in a variable, or in memory (see home_of()). Only these can be assigned to, and
  // only those in memory have an address.
  bool is_lvalue = false;
  bool is_constant = false;  // int_value holds the value
  Symbol symbol = Symbol::kUnresolved;
  std::uint32_t index = 0;  // into the checker's table for `symbol`
  bool in_user = false;     // an lvalue in user memory
  bool is_per_cpu = false;  // Symbol::kKernelSymbol: int_value is relative to a CPU's area
  // kInline and kTranslated: what to compute instead; kParameter: the argument.
  Expr* inlined = nullptr;
  Expr* object = nullptr;         // kTranslated: the translator's input
  std::uint32_t slot = 0;         // of the parameter; of the first one that this use binds
  std::uint32_t translation = 0;  // 1 + the translator that gives this value's members
};

// ---- Types and declarations, as written --------------------------------------

enum class Storage : std::uint8_t {
  kNone,
  kThread,
  kClause,
  kTypedef,
  kExtern,
  kStatic,
  kAuto,
  kRegister
};

struct StructDecl;
struct EnumDecl;

// The words before the declarator: "unsigned long", "struct foo", "string".
struct TypeSpec {
  Span span;
  Storage storage = Storage::kNone;
  bool is_const = false, is_volatile = false, is_userland = false, is_restrict = false;
  bool is_signed = false, is_unsigned = false;
  bool is_short = false;
  bool is_inline = false;  // static inline: a function of a C header
  std::uint8_t longs = 0;
  bool has_twice = false;  // signed, unsigned or short stands twice
  // "int", "char", "void", "float", "double", "_Bool", "string", typedef name.
  // Empty with no other word or tag: the type was left out ("self x;").
  std::string base;
  std::string module;  // struct mod`type or mod`type
  enum class Tag : std::uint8_t { kNone, kStruct, kUnion, kEnum } tag = Tag::kNone;
  std::string tag_name;
  StructDecl* body = nullptr;  // struct or union with a member list
  EnumDecl* enum_body = nullptr;
};

// *, [n], (params) around a name, from the outside in: for `int *a[3]` the
// list is [array 3, pointer].
struct Declarator {
  struct Part {
    enum class Kind : std::uint8_t { kPointer, kArray, kAssoc, kFunction } kind;
    Expr* count = nullptr;           // kArray; null for []
    std::vector<TypeName*> types;    // kAssoc: key types; kFunction: parameters
    std::vector<std::string> names;  // kFunction: parameter names, "" when unnamed
    bool variadic = false;
    bool is_const = false;
  };
  std::vector<Part> parts;
  std::string name;
  Span name_span;
  Expr* bit_width = nullptr;
  LayoutAttributes attributes = {};  // of a member or a typedef
};

struct TypeName {
  TypeSpec spec;
  Declarator declarator;  // without a name
  Span span;
};

struct StructDecl {
  struct Field {
    TypeSpec spec;
    std::vector<Declarator> declarators;  // empty for an anonymous member
  };
  std::vector<Field> fields;
  LayoutAttributes attributes = {};
};

struct EnumDecl {
  struct Item {
    std::string name;
    Span span;
    Expr* value = nullptr;
  };
  std::vector<Item> items;
  bool is_packed = false;
};

struct Declaration {
  TypeSpec spec;
  std::vector<Declarator> declarators;
  Span span;
};

// ---- Statements, clauses, the program ------------------------------------------

enum class StmtKind : std::uint8_t { kExpr, kIf, kBlock, kEmpty };
struct Stmt {
  StmtKind kind = StmtKind::kEmpty;
  Span span;
  Expr* expr = nullptr;     // kExpr; kIf: the condition
  std::vector<Stmt*> body;  // kBlock; kIf: body[0] then, body[1] else (may be absent)
};

struct ProbeSpec {
  std::string text;  // "syscall::read:entry"
  Span span;
};

struct Clause {
  std::vector<ProbeSpec> probes;
  Expr* predicate = nullptr;
  std::vector<Stmt*> body;
  bool has_body = false;  // `BEGIN` alone, without { }, is allowed
  bool is_again = false;  // the text of the clause before it, for other probes
  bool is_added = false;  // made by the checker for the clause that follows it
  Span span;
};

struct Inline {
  TypeSpec spec;
  Declarator declarator;  // parameters as kAssoc
  std::vector<std::string> parameter_names;
  Expr* value = nullptr;
  Span span;
};

// `translator psinfo_t < struct task_struct *T > { pr_pid = T->tgid; ... }`: output, input,
// input_name and members.
struct Translator {
  TypeName* output = nullptr;
  TypeName* input = nullptr;
  std::string input_name;
  struct Member {
    std::string name;
    Span span;
    Expr* value = nullptr;
  };
  std::vector<Member> members;
  Span span;
};

// `provider foo { probe bar(int a, char *b) : (char *b, int a); }`: what the program passes, and
// what scripts see as args[].
struct ProviderDecl {
  std::string name;
  struct ProbeDecl {
    std::string name;
    Span span;
    std::vector<TypeName*> native, translated;
    std::vector<std::string> native_names, translated_names;  // "" when unnamed
    bool has_mapping = false;                                 // a `: (...)` is there, perhaps empty
  };
  std::vector<ProbeDecl> probes;
  Span span;
};

struct Pragma {
  std::string text;  // after "#pragma D ", blanks squeezed
  Span span;
  bool nested = false;  // on a line within a clause or declaration
};

// The order of the text matters: a declaration counts from where it stands.
struct Item {
  enum class Kind : std::uint8_t {
    kClause,
    kDeclaration,
    kInline,
    kTranslator,
    kProvider,
    kPragma,
  } kind;
  std::uint32_t index;  // into the list of that kind
};

// One source file.
struct Unit {
  std::vector<Item> items;  // in the order of the text
  std::vector<Clause> clauses;
  std::vector<Declaration> declarations;
  std::vector<Inline> inlines;
  std::vector<Translator> translators;
  std::vector<ProviderDecl> providers;
  std::vector<Pragma> pragmas;
};

// Nodes live as long as the arena, which is as long as the compilation. A deque does not move its
// elements, so pointers stay valid.
class Arena {
 public:
  Expr* expr() { return &exprs_.emplace_back(); }
  Stmt* stmt() { return &stmts_.emplace_back(); }
  TypeName* type_name() { return &type_names_.emplace_back(); }
  StructDecl* struct_decl() { return &structs_.emplace_back(); }
  EnumDecl* enum_decl() { return &enums_.emplace_back(); }

 private:
  std::deque<Expr> exprs_;
  std::deque<Stmt> stmts_;
  std::deque<TypeName> type_names_;
  std::deque<StructDecl> structs_;
  std::deque<EnumDecl> enums_;
};

}  // namespace dt::d
