// The random script: declarations first, then clauses over what they declare.

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <set>
#include <string_view>

#include "script.h"

namespace dt::differential {
namespace {

constexpr const char* kTypes[] = {
    "int8_t",        "uint8_t",        "int16_t",      "uint16_t",      "int32_t",  "uint32_t",
    "int64_t",       "uint64_t",       "char",         "short",         "int",      "long",
    "unsigned char", "unsigned short", "unsigned int", "unsigned long", "long long"};

struct Text {
  std::string text;
  bool is_constant = false;
};

struct Array {
  std::string name;
  std::vector<bool> string_keys;  // by key: a string, otherwise an integer
  bool is_string = false;
};

struct Aggregation {
  std::string name;
  std::string function;    // "lquantize"
  std::string parameters;  // ", 0, 100, 10"
  std::vector<int> keys;   // by key: a kind, as in key()
  bool has_increment = false;
};

class Generator {
 public:
  Generator(std::uint64_t seed, const bpf::Machine& machine) : random_(seed) {
    for (int i = 0; i < 3; i++) random_();
    has_task_ = machine.task_pid >= 0 && machine.task_tgid >= 0 && machine.task_comm >= 0 &&
                machine.task_real_parent >= 0 && pick(3) == 0;
    declare(machine);
    const std::uint32_t clauses = 1 + pick(6);
    for (std::uint32_t i = 0; i < clauses; i++) clause(false);
    if (pick(3) == 0) clause(true);
    firings();
  }
  Script take() { return std::move(script_); }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  bool chance(std::uint32_t in) { return pick(in) == 0; }
  template <typename T>
  const T& any(const std::vector<T>& from) {
    return from[pick(static_cast<std::uint32_t>(from.size()))];
  }
  const char* type() { return kTypes[pick(std::size(kTypes))]; }

  // ---- Declarations -----------------------------------------------------------

  void declare(const bpf::Machine& machine) {
    static constexpr const char* kSizes[] = {"8", "16", "20", "32", "64"};
    if (chance(2)) {
      string_size_ = pick(5);
      script_.declarations.push_back(
          fmt::format("#pragma D option strsize={}", kSizes[string_size_]));
    }
    if (has_task_) script_.declarations.push_back(task_struct(machine));
    static constexpr struct {
      const char *keyword, *prefix, *name;
    } kScopes[] = {{"", "", "g"}, {"self ", "self->", "s"}, {"this ", "this->", "t"}};
    for (const auto& scope : kScopes) {
      for (std::uint32_t i = 1 + pick(4); i > 0; i--) {
        script_.declarations.push_back(
            fmt::format("{}{} {}{};", scope.keyword, type(), scope.name, i));
        integers_.push_back(fmt::format("{}{}{}", scope.prefix, scope.name, i));
      }
      for (std::uint32_t i = pick(3); i > 0; i--) {
        script_.declarations.push_back(
            fmt::format("{}string {}x{};", scope.keyword, scope.name, i));
        strings_.push_back(fmt::format("{}{}x{}", scope.prefix, scope.name, i));
      }
    }
    for (std::uint32_t i = pick(3); i > 0; i--) declare_array("", "", fmt::format("a{}", i));
    if (chance(3)) declare_array("self ", "self->", "b");
    for (std::uint32_t i = 1 + pick(4); i > 0; i--) declare_aggregation(i);
  }

  // The members that scripts look at, where this kernel has them.
  static std::string task_struct(const bpf::Machine& machine) {
    struct Member {
      std::int32_t offset, size;
      const char* text;
      bool operator<(const Member& other) const { return offset < other.offset; }
    };
    std::vector<Member> members = {
        {machine.task_pid, 4, "int pid"},
        {machine.task_tgid, 4, "int tgid"},
        {machine.task_comm, 16, "char comm[16]"},
        {machine.task_real_parent, 8, "struct task_struct *real_parent"}};
    std::sort(members.begin(), members.end());
    std::string text = "struct task_struct {";
    std::int32_t end = 0;
    for (const Member& member : members) {
      if (member.offset > end) text += fmt::format(" char pad{}[{}];", end, member.offset - end);
      text += fmt::format(" {};", member.text);
      end = member.offset + member.size;
    }
    return text + " };";
  }

  void declare_array(const char* keyword, const char* prefix, const std::string& name) {
    Array array;
    array.name = prefix + name;
    std::string keys;
    for (std::uint32_t i = 1 + pick(3); i > 0; i--) {
      const bool is_string = chance(3);
      array.string_keys.push_back(is_string);
      keys += fmt::format("{}{}", keys.empty() ? "" : ", ", is_string ? "string" : type());
    }
    array.is_string = chance(4);
    script_.declarations.push_back(
        fmt::format("{}{} {}[{}];", keyword, array.is_string ? "string" : type(), name, keys));
    arrays_.push_back(std::move(array));
  }

  void declare_aggregation(std::uint32_t number) {
    static constexpr struct {
      const char *function, *parameters;
      bool takes_increment;
    } kFunctions[] = {{"count", "", false},
                      {"sum", "", false},
                      {"avg", "", false},
                      {"min", "", false},
                      {"max", "", false},
                      {"stddev", "", false},
                      {"quantize", "", true},
                      {"lquantize", ", -50, 50, 3", true},
                      {"lquantize", ", 0, 100, 10", true},
                      {"lquantize", ", 2147400000, 2147483647, 1000", true},
                      {"lquantize", ", 1, 5", false},
                      {"llquantize", ", 10, 0, 6, 20", true},
                      {"llquantize", ", 2, 0, 30, 2", true},
                      {"llquantize", ", 10, 2, 5, 10", false}};
    const auto& chosen = kFunctions[pick(std::size(kFunctions))];
    Aggregation agg;
    agg.name = number == 1 && chance(3) ? "@" : fmt::format("@q{}", number);
    agg.function = chosen.function;
    agg.parameters = chosen.parameters;
    agg.has_increment = chosen.takes_increment && chance(2);
    for (std::uint32_t i = pick(4); i > 0; i--) agg.keys.push_back(static_cast<int>(pick(8)));
    aggregations_.push_back(std::move(agg));
  }

  // ---- Clauses ------------------------------------------------------------------

  void clause(bool is_error) {
    static constexpr const char* kProbeTexts[] = {"diff:::go",
                                                  "diff::f0:go",
                                                  "diff::f1:go",
                                                  "diff::f[0-2]:go",
                                                  "diff::f0:go, diff::f3:go",
                                                  "diff::f*:",
                                                  "diff:::go, diff::f2:go"};
    in_error_ = is_error;
    Clause clause;
    clause.probes = is_error ? "dtrace:::ERROR" : kProbeTexts[chance(2) ? 0 : pick(7)];
    if (chance(3)) clause.predicate = integer(3).text;
    // ERROR's clauses stand behind every place that can fault, and the kernel's
    // verifier follows them from each: a long one is more than it will look at.
    if (is_error) {
      for (std::uint32_t i = 1 + pick(2); i > 0; i--) {
        const Aggregation& agg = any(aggregations_);
        const bool is_long = agg.function == "llquantize" || chance(2);
        clause.body.push_back({is_long ? error_statement() : aggregate(agg) + ";", {}, {}, false});
      }
    } else {
      clause.body = block(chance(12) ? 0 : 1 + pick(7), 0);
    }
    script_.clauses.push_back(std::move(clause));
  }

  std::string error_statement() {
    switch (pick(5)) {
      case 0:
        return fmt::format("{} = {};", integer_place(), integer(2).text);
      case 1:
        return string_assignment() + ";";
      case 2:
        return increment() + ";";
      case 3:
        return fmt::format("printf(\"%d %d %x\", {}, arg4, arg5);", integer(1).text);
      default:
        return fmt::format("trace({});", integer(2).text);
    }
  }

  std::vector<Statement> block(std::uint32_t count, int depth) {
    std::vector<Statement> body;
    for (std::uint32_t i = 0; i < count; i++) body.push_back(statement(depth));
    return body;
  }

  Statement statement(int depth) {
    const std::uint32_t kind = pick(30);
    if (kind < 3 && depth < 3) {
      Statement out;
      out.is_if = true;
      out.text = fmt::format("if ({})", integer(3).text);
      out.then = block(1 + pick(3), depth + 1);
      if (chance(2)) out.otherwise = block(1 + pick(3), depth + 1);
      return out;
    }
    return {plain_statement(kind), {}, {}, false};
  }

  std::string plain_statement(std::uint32_t kind) {
    if (kind < 12) return assignment() + ";";
    if (kind < 18) return aggregate() + ";";
    if (kind < 22) return fmt::format("trace({});", traced());
    if (kind < 25) return printf();
    if (kind < 27) return string_assignment() + ";";
    if (kind == 27) return rare();
    if (kind == 28) return increment() + ";";
    return fmt::format("{}, {};", assignment(), increment());
  }

  std::string rare() {
    const Aggregation& agg = any(aggregations_);
    static constexpr const char* kSymbols[] = {"sym", "mod", "func", "uaddr", "usym", "umod"};
    switch (pick(10)) {
      case 8:
        return fmt::format("{}({});", kSymbols[pick(6)], integer(2).text);
      case 9:
        return fmt::format("printf(\"%a %A %p\\n\", {}, {}, {});", integer(1).text, integer(2).text,
                           integer(1).text);
      case 0:
        return fmt::format("exit({});", integer(1).text);
      case 1:
        return aggregate(agg) + "; " + fmt::format("clear({});", agg.name);
      case 2:
        return aggregate(agg) + "; " + fmt::format("trunc({});", agg.name);
      case 3:
        return aggregate(agg) + "; " + fmt::format("normalize({}, {});", agg.name, integer(1).text);
      case 4:
        return fmt::format("{} ? trace({}) : trace({});", integer(2).text, integer(2).text,
                           integer(2).text);
      case 5:
        return fmt::format("new{0} = {1}; trace(new{0});", fresh_++, integer(2).text);
      case 6:
        return fmt::format("self->new{0} = {1}; trace(self->new{0});", fresh_++, text(2));
      default:
        return fmt::format("this->new{0} = {1}; trace(this->new{0});", fresh_++, integer(2).text);
    }
  }

  std::string traced() {
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
        return text(3);
      case 3:
        return fmt::format("copyin({}, {})", address(), 1 + pick(20));
      case 4:
        return probe_part();
      default:
        return integer(3).text;
    }
  }

  std::string printf() {
    static constexpr const char* kConversions[] = {"%d", "%u",  "%x",   "%o", "%c",
                                                   "%i", "%8d", "%-5x", "%*d"};
    std::string format, arguments;
    for (std::uint32_t i = pick(4); i > 0; i--) {
      if (chance(3)) {
        format += "%s ";
        arguments += ", " + text(2);
        continue;
      }
      const std::string conversion = kConversions[pick(std::size(kConversions))];
      format += conversion + " ";
      if (conversion == "%*d") arguments += ", " + integer(1).text;
      arguments += ", " + integer(3).text;
    }
    return fmt::format("printf(\"p {}\\n\"{});", format, arguments);
  }

  std::string aggregate() { return aggregate(any(aggregations_)); }
  std::string aggregate(const Aggregation& agg) {
    std::string keys;
    for (const int kind : agg.keys) keys += (keys.empty() ? "" : ", ") + key(kind);
    if (!keys.empty()) keys = fmt::format("[{}]", keys);
    if (agg.function == "count") return fmt::format("{}{} = count()", agg.name, keys);
    return fmt::format("{}{} = {}({}{}{})", agg.name, keys, agg.function, integer(3).text,
                       agg.parameters, agg.has_increment ? increment_argument(agg) : "");
  }
  std::string increment_argument(const Aggregation& agg) {
    const bool needs_step = agg.function == "lquantize" &&
                            std::count(agg.parameters.begin(), agg.parameters.end(), ',') == 2;
    return fmt::format("{}, {}", needs_step ? ", 1" : "", integer(2).text);
  }

  // A key of an aggregation; those of one kind go together.
  std::string key(int kind) {
    switch (kind) {
      case 0:
      case 1:
        return text(2);
      case 2:
        return probe_part();
      case 3:
        return fmt::format("uaddr({})", integer(1).text);
      case 4:
        return fmt::format("(uint8_t){}", integer(2).text);
      default:
        return integer(2).text;
    }
  }

  std::string probe_part() {
    static constexpr const char* kParts[] = {"probeprov", "probemod", "probefunc", "probename"};
    return kParts[pick(4)];
  }

  // ---- Values --------------------------------------------------------------------

  std::string integer_place() {
    for (const Array& array : arrays_) {
      if (!array.is_string && nesting_ < 2 && chance(4)) return element(array);
    }
    return any(integers_);
  }
  std::string string_place() {
    for (const Array& array : arrays_) {
      if (array.is_string && nesting_ < 2 && chance(3)) return element(array);
    }
    return strings_.empty() ? "" : any(strings_);
  }
  std::string element(const Array& array) {
    std::string keys;
    ++nesting_;
    for (const bool is_string : array.string_keys) {
      keys += (keys.empty() ? "" : ", ") + (is_string ? text(0) : integer(chance(4) ? 1 : 0).text);
    }
    --nesting_;
    return fmt::format("{}[{}]", array.name, keys);
  }

  std::string assignment() {
    static constexpr const char* kOps[] = {
        "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="};
    const std::string place = integer_place();
    if (chance(2)) return fmt::format("{} = {}", place, integer(3).text);
    const std::uint32_t op = pick(std::size(kOps));
    return fmt::format("{} {} {}", place, kOps[op], op >= 8 ? divisor(2) : integer(3).text);
  }
  std::string string_assignment() {
    const std::string place = string_place();
    if (place.empty()) return increment();
    return fmt::format("{} = {}", place, chance(12) ? "NULL" : text(3));
  }
  std::string increment() {
    static constexpr const char* kForms[] = {"++{}", "--{}", "{}++", "{}--"};
    return fmt::format(fmt::runtime(kForms[pick(4)]), integer_place());
  }

  // Not a constant zero, which is refused.
  std::string divisor(int depth) {
    if (chance(3)) return fmt::format("{}", 1 + pick(12));
    if (chance(8)) return "-1";
    const Text out = integer(depth);
    return out.is_constant ? integer_place() : out.text;
  }

  Text literal() {
    static constexpr const char* kExtremes[] = {"2147483647",
                                                "2147483648",
                                                "(-2147483647 - 1)",
                                                "4294967295",
                                                "4294967296",
                                                "0x7fffffffffffffff",
                                                "0x8000000000000000",
                                                "0xffffffffffffffff",
                                                "9223372036854775807",
                                                "(-9223372036854775807 - 1)",
                                                "18446744073709551615",
                                                "255",
                                                "256",
                                                "-128",
                                                "127",
                                                "-129",
                                                "65535",
                                                "32768",
                                                "0x80000000",
                                                "0xffffffff80000000",
                                                "'a'",
                                                "'\\377'",
                                                "1U",
                                                "1L",
                                                "1ULL",
                                                "017",
                                                "63",
                                                "64",
                                                "65",
                                                "31",
                                                "32"};
    switch (pick(4)) {
      case 0:
        return {kExtremes[pick(std::size(kExtremes))], true};
      case 1:
        return {fmt::format("{}", pick(5)), true};
      case 2:
        return {fmt::format("-{}", 1 + pick(20)), true};
      default:
        return {fmt::format("{}", static_cast<std::uint32_t>(random_()) >> pick(31)), true};
    }
  }

  std::string builtin() {
    static constexpr const char* kNames[] = {"pid",  "tid", "uid",  "gid",  "cpu",
                                             "ppid", "id",  "epid", "errno"};
    // What depends on the moment shows in its relations only.
    static constexpr const char* kMoments[] = {
        "(timestamp == timestamp)", "(timestamp - timestamp)",
        "(timestamp != 0)",         "(walltimestamp - walltimestamp)",
        "(timestamp > 5 ? 7 : 8)",  "(int64_t)(timestamp / timestamp)"};
    return chance(5) ? kMoments[pick(std::size(kMoments))] : kNames[pick(std::size(kNames))];
  }

  std::string task_value() {
    static constexpr const char* kValues[] = {"curthread->pid",
                                              "curthread->tgid",
                                              "curthread->real_parent->tgid",
                                              "(int)curthread->comm[1]",
                                              "(curthread == curthread)",
                                              "(*curthread).pid",
                                              "((uint64_t)&curthread->tgid - (uint64_t)curthread)",
                                              "(stringof(curthread->comm) == execname)"};
    return kValues[pick(std::size(kValues))];
  }

  std::string argument() {
    // In ERROR: the epid, the action, the fault and its address.
    static constexpr const char* kErrorArguments[] = {"arg1", "arg2", "arg4",
                                                      "arg5", "arg0", "arg6"};
    if (in_error_) return kErrorArguments[pick(6)];
    if (chance(4)) return fmt::format("args[{}]", pick(4));
    return fmt::format("arg{}", pick(10));
  }

  // User addresses: mostly good ones. Kernel memory is read at fixed bad
  // addresses only, since any other may hold anything.
  std::string address() {
    switch (pick(6)) {
      case 0:
        return fmt::format("({:#x} + ({} & 127))", kUserBase, integer(1).text);
      case 1:
        return argument();
      case 2:
        return integer(1).text;
      default:
        return fmt::format("{:#x}", kUserBase + pick(kUserBytes + 8));
    }
  }
  std::string bad_kernel_address() {
    static constexpr const char* kBad[] = {"0", "8", "0x1000", "0x10000ff0", "0x1000000000000"};
    return kBad[pick(std::size(kBad))];
  }

  Text atom() {
    switch (pick(12)) {
      case 0:
      case 1:
        return literal();
      case 2:
      case 3:
        return {argument(), false};
      case 4:
        return {builtin(), false};
      case 5:
        if (has_task_) return {task_value(), false};
        [[fallthrough]];
      default:
        return {integer_place(), false};
    }
  }

  Text integer(int depth) {
    if (depth <= 0) return atom();
    switch (pick(20)) {
      case 0:
      case 1:
        return atom();
      case 2:
      case 3:
      case 4:
      case 5:
        return binary(depth);
      case 6:
      case 7:
        return comparison(depth);
      case 8:
        return logical(depth);
      case 9: {
        const Text left = integer(depth - 1);
        return {fmt::format("({} {} {})", left.text, chance(2) ? "/" : "%", divisor(depth - 1)),
                left.is_constant};
      }
      case 10:
      case 11:
        return unary(depth);
      case 12:
      case 13: {
        const Text inner = integer(depth - 1);
        return {fmt::format("({}){}", type(), inner.text), inner.is_constant};
      }
      case 14:
        return ternary(depth);
      case 15:
        return {fmt::format("({} {} {})", text(depth - 1), relation(), text(depth - 1)), false};
      case 16:
        return {side_effect(depth), false};
      case 17:
        return chance(3) ? Text{memory_value(), false} : binary(depth);
      case 18:
        return {fmt::format("{}({})", byte_order(), integer(depth - 1).text), false};
      default:
        return {fmt::format("({}, {})", integer(depth - 1).text, integer(depth - 1).text), false};
    }
  }

  static Text join(const Text& a, const char* op, const Text& b) {
    return {fmt::format("({} {} {})", a.text, op, b.text), a.is_constant && b.is_constant};
  }
  Text binary(int depth) {
    static constexpr const char* kOps[] = {"+", "-", "*", "&", "|", "^", "<<", ">>"};
    return join(integer(depth - 1), kOps[pick(8)], integer(depth - 1));
  }
  const char* relation() {
    static constexpr const char* kOps[] = {"==", "!=", "<", "<=", ">", ">="};
    return kOps[pick(6)];
  }
  Text comparison(int depth) { return join(integer(depth - 1), relation(), integer(depth - 1)); }
  Text logical(int depth) {
    static constexpr const char* kOps[] = {"&&", "||", "^^"};
    const auto side = [&] { return chance(6) ? Text{text(depth - 1), false} : integer(depth - 1); };
    return join(side(), kOps[pick(3)], side());
  }
  Text unary(int depth) {
    static constexpr const char* kOps[] = {"-", "~", "!", "+"};
    if (chance(8)) return {fmt::format("(!{})", text(depth - 1)), false};
    const Text inner = integer(depth - 1);
    return {fmt::format("({}({}))", kOps[pick(4)], inner.text), inner.is_constant};
  }
  Text ternary(int depth) {
    const Text condition = chance(8) ? Text{text(depth - 1), false} : integer(depth - 1);
    const Text then = integer(depth - 1), otherwise = integer(depth - 1);
    return {fmt::format("({} ? {} : {})", condition.text, then.text, otherwise.text),
            condition.is_constant && then.is_constant && otherwise.is_constant};
  }
  std::string side_effect(int depth) {
    if (chance(2)) return fmt::format("({})", increment());
    return fmt::format("({} = {})", integer_place(), integer(depth - 1).text);
  }
  std::string memory_value() {
    static constexpr const char* kPointed[] = {"char", "unsigned char", "short", "unsigned short",
                                               "int",  "unsigned int",  "long",  "unsigned long"};
    const char* pointed = kPointed[pick(8)];
    if (chance(4)) return fmt::format("(*({} *){})", pointed, bad_kernel_address());
    if (chance(3)) return fmt::format("(*({} *)copyin({}, 8))", pointed, address());
    return fmt::format("(*(userland {} *){})", pointed, address());
  }
  const char* byte_order() {
    static constexpr const char* kNames[] = {"htonl", "htonll", "htons",
                                             "ntohl", "ntohll", "ntohs"};
    return kNames[pick(6)];
  }

  // ---- Strings -------------------------------------------------------------------

  std::string string_literal() {
    static constexpr const char* kTexts[] = {
        "",
        "a",
        "b",
        "hello",
        "hellp",
        "differ",
        "12345678",
        "1234567",
        "0123456789abcdef",
        "a string that is a good deal longer than the others are",
        "\\200",
        "\\377\\376",
        "\\177",
        "go",
        "f0",
        "f1",
        "diff"};
    return fmt::format("\"{}\"", kTexts[pick(std::size(kTexts))]);
  }

  std::string text(int depth) {
    switch (pick(depth > 0 ? 14u : 9u)) {
      case 0:
      case 1:
        return string_literal();
      case 2:
        return "execname";
      case 3:
        return probe_part();
      case 4:
        if (has_task_) return "stringof(curthread->comm)";
        [[fallthrough]];
      case 5:
      case 6:
      case 7: {
        const std::string place = string_place();
        return place.empty() ? string_literal() : place;
      }
      case 8:
        return fmt::format("copyinstr({})", address());
      case 9:
        return fmt::format("copyinstr({}, {})", address(), integer(depth - 1).text);
      case 10:
        return fmt::format("stringof(copyin({}, {}))", address(), 1 + pick(20));
      case 11: {
        const std::string place = string_place();
        if (!place.empty()) return fmt::format("({} = {})", place, text(depth - 1));
        [[fallthrough]];
      }
      default:
        return fmt::format("({} ? {} : {})", integer(depth - 1).text, text(depth - 1),
                           text(depth - 1));
    }
  }

  // ---- Firings -------------------------------------------------------------------

  void firings() {
    static constexpr std::int64_t kValues[] = {
        0,         1,          -1,         5,           7,    INT64_MIN, INT64_MAX, INT32_MIN,
        INT32_MAX, 0xffffffff, 0x80000000, 0x123456789, -128, 255,       64};
    for (std::uint32_t i = 0; i < 8; i++) {
      Firing firing;
      firing.key = pick(kProbes + 1);  // one more than there are: none of ours
      for (std::int64_t& argument : firing.arguments) {
        switch (pick(4)) {
          case 0:
            argument = static_cast<std::int64_t>(random_());
            break;
          case 1:
            argument = static_cast<std::int64_t>(kUserBase + pick(kUserBytes));
            break;
          default:
            argument = kValues[pick(std::size(kValues))];
            break;
        }
      }
      script_.firings.push_back(firing);
    }
  }

  std::mt19937_64 random_;
  Script script_;
  bool has_task_ = false;
  bool in_error_ = false;
  std::uint32_t string_size_ = 0;
  std::uint32_t fresh_ = 0;
  std::uint32_t nesting_ = 0;  // of array elements in keys
  std::vector<std::string> integers_, strings_;
  std::vector<Array> arrays_;
  std::vector<Aggregation> aggregations_;
};

}  // namespace

Script random_script(std::uint64_t seed, const bpf::Machine& machine) {
  return Generator(seed, machine).take();
}

}  // namespace dt::differential
