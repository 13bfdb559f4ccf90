// The random script: declarations first, then clauses over what they declare.

#include <fmt/core.h>

#include <algorithm>

#include "script.h"
#include "translations.h"

namespace dt::differential {
namespace {

struct Aggregation {
  std::string name;
  std::string function;    // "lquantize"
  std::string parameters;  // ", 0, 100, 10"
  std::vector<int> keys;   // by key: a kind, as in key()
  bool has_increment = false;
};

class Generator : private Translations {
 public:
  Generator(std::uint64_t seed, const bpf::Machine& machine) : Translations(seed) {
    for (int i = 0; i < 3; i++) random_();
    has_task_ = machine.task_pid >= 0 && machine.task_tgid >= 0 && machine.task_comm >= 0 &&
                machine.task_real_parent >= 0 && pick(3) == 0;
    script_.is_divided = chance(2);
    declare(machine);
    const std::uint32_t clauses = 1 + (chance(100) ? 10 + pick(60) : pick(6));
    for (std::uint32_t i = 0; i < clauses; i++) clause(false);
    for (std::uint32_t i = chance(3) ? 1 + pick(3) : 0; i > 0; i--) clause(true);
    firings();
  }
  Script take() { return std::move(script_); }

 private:
  // ---- Declarations -----------------------------------------------------------

  void declare(const bpf::Machine& machine) {
    static constexpr const char* kSizes[] = {"8", "16", "20", "32", "64", "100", "300", "1000"};
    if (chance(2)) {
      script_.declarations.push_back(fmt::format("#pragma D option strsize={}", kSizes[pick(8)]));
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
    if (chance(2)) declare_objects();
    if (chance(2)) declare_shapes(script_.declarations);
    for (std::uint32_t i = pick(3); i > 0; i--) declare_array("", "", fmt::format("a{}", i));
    if (chance(3)) declare_array("self ", "self->", "b");
    if (chance(2)) declare_translations(script_.declarations);
    if (chance(4)) declare_speculations();
    for (std::uint32_t i = 1 + pick(4); i > 0; i--) declare_aggregation(i);
  }

  // A structure whose members lie differently in each script.
  void declare_objects() {
    const char* bits = chance(2) ? "unsigned" : "int";
    script_.declarations.push_back(
        fmt::format("struct in {{ {} w; {} x; {} m[2]; }}; struct obj {{ {} a; {} b:{}; {} c:{}; "
                    "{} d; {} v[4]; "
                    "char t[{}]; struct in in; }};",
                    type(), type(), type(), type(), bits, 1 + pick(20), bits, 1 + pick(11), type(),
                    type(), 3 + pick(14)));
    script_.declarations.push_back("struct obj o; self struct obj p; this struct obj q;");
    objects_ = {"o", "self->p", "this->q"};
    if (chance(2)) return;
    by_key_.name = chance(2) ? "r" : "self->r";
    by_key_.string_keys = {chance(3)};
    script_.declarations.push_back(fmt::format("{}struct obj r[{}];",
                                               by_key_.name == "r" ? "" : "self ",
                                               by_key_.string_keys[0] ? "string" : type()));
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

  void declare_speculations() {
    if (chance(2)) {
      script_.declarations.push_back(fmt::format("#pragma D option nspec={}", 1 + pick(5)));
    }
    script_.declarations.push_back("int sid; self int sie;");
    speculations_ = {"sid", "self->sie"};
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
    for (std::uint32_t i = chance(8) ? 6 : pick(4); i > 0; i--)
      agg.keys.push_back(static_cast<int>(pick(8)));
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
    clause.body = !speculations_.empty() && !is_error && chance(3)
                      ? speculation()
                      : block(chance(12) ? 0 : 1 + pick(7), 0);
    script_.clauses.push_back(std::move(clause));
  }

  // A clause about a speculation: those that record must not commit, and only
  // some actions may be speculative.
  std::vector<Statement> speculation() {
    std::vector<Statement> body;
    const auto add = [&](std::string text) { body.push_back({std::move(text), {}, {}, false}); };
    const std::string& id = any(speculations_);
    switch (pick(5)) {
      case 0:
      case 1:
        add(fmt::format("{} = speculation();", id));
        break;
      case 2:
        add(fmt::format("{}({});", chance(2) ? "commit" : "discard", id));
        add(fmt::format("{} = 0;", id));
        break;
      default:
        add(fmt::format("speculate({});", chance(4) ? integer(1).text : id));
        for (std::uint32_t i = pick(4); i > 0; i--) {
          add(chance(3)   ? assignment() + ";"
              : chance(2) ? fmt::format("trace({});", traced())
                          : printf());
        }
        break;
    }
    return body;
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
      out.is_bare = chance(3);
      return out;
    }
    return {plain_statement(kind), {}, {}, false};
  }

  std::string plain_statement(std::uint32_t kind) {
    if (kind < 12) return assignment() + ";";
    if (kind < 18) return aggregate() + ";";
    if (kind < 22) return fmt::format("trace({});", traced());
    if (kind < 25) return printf();
    if (kind == 25 && !objects_.empty()) return object_statement();
    if (kind == 26 && has_shapes()) {
      const std::string more = translation_statement();
      return more.empty() || chance(2) ? shape_statement() : more;
    }
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
        return fmt::format("{} ? {} : {};", integer(2).text, branch(1), branch(1));
      case 5:
        return fmt::format("new{0} = {1}; trace(new{0});", fresh_++, integer(2).text);
      case 6:
        return fmt::format("self->new{0} = {1}; trace(self->new{0});", fresh_++, text(2));
      default:
        return fmt::format("this->new{0} = {1}; trace(this->new{0});", fresh_++, integer(2).text);
    }
  }

  // What may stand in a branch of ?: as a statement.
  std::string branch(int depth) {
    switch (pick(depth > 0 ? 8u : 6u)) {
      case 0:
        return fmt::format("trace({})", traced());
      case 1:
        return fmt::format("printf(\"b %d\\n\", {})", integer(2).text);
      case 2:
        return fmt::format("({})", assignment());
      case 3:
        return increment();
      case 4:
        return "1";
      case 5:
        return fmt::format("({})", aggregate());
      default:
        return fmt::format("({} ? {} : {})", integer(1).text, branch(depth - 1), branch(depth - 1));
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

  Script script_;
  std::uint32_t fresh_ = 0;
  std::vector<std::string> speculations_;  // variables that hold their ids
  std::vector<Aggregation> aggregations_;
};

}  // namespace

Script random_script(std::uint64_t seed, const bpf::Machine& machine) {
  return Generator(seed, machine).take();
}

}  // namespace dt::differential
