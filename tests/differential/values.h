#pragma once
// Random expressions over what a script has declared.

#include <fmt/core.h>

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "script.h"

namespace dt::differential {

inline constexpr const char* kTypes[] = {
    "int8_t",        "uint8_t",        "int16_t",      "uint16_t",      "int32_t",   "uint32_t",
    "int64_t",       "uint64_t",       "char",         "short",         "int",       "long",
    "unsigned char", "unsigned short", "unsigned int", "unsigned long", "long long", "_Bool"};

struct Text {
  std::string text;
  bool is_constant = false;
};

struct Array {
  std::string name;
  std::vector<bool> string_keys;  // by key: a string, otherwise an integer
  bool is_string = false;
};

class Values {
 public:
  virtual ~Values() = default;

 protected:
  explicit Values(std::uint64_t seed) : random_(seed) {}

  // What else there is: an integer, a string, a place that holds an integer; ""
  // when there is none.
  virtual Text more_integer(int depth) = 0;
  virtual std::string more_text(int depth) = 0;
  virtual std::string more_place() = 0;

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  bool chance(std::uint32_t in) { return pick(in) == 0; }
  template <typename T>
  const T& any(const std::vector<T>& from) {
    return from[pick(static_cast<std::uint32_t>(from.size()))];
  }
  const char* type() { return kTypes[pick(std::size(kTypes))]; }

  // ---- Values --------------------------------------------------------------------

  std::string integer_place() {
    if (!objects_.empty() && chance(4)) return member();
    if (const std::string more = chance(5) ? more_place() : ""; !more.empty()) return more;
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
  // Structures in variables, and what of them holds an integer.
  std::string object() {
    if (!by_key_.name.empty() && nesting_ < 2 && chance(3)) return element(by_key_);
    return any(objects_);
  }
  std::string member() {
    static constexpr const char* kMembers[] = {"a",    "b",    "c",    "d",       "in.w",
                                               "v[0]", "v[3]", "in.x", "in.m[1]", "t[2]"};
    if (in_error_ || nesting_ > 0 || !chance(5)) {
      return fmt::format("{}.{}", object(), kMembers[pick(std::size(kMembers))]);
    }
    ++nesting_;
    const std::string index = integer(1).text;
    --nesting_;
    // Not always within the array.
    return fmt::format(
        fmt::runtime(chance(6) ? "{}.v[{} + 0 * arg0]" : "{}.v[({} + 0 * arg0) & 3]"), object(),
        index);
  }
  std::string object_statement() {
    switch (pick(7)) {
      case 0:
        return fmt::format("{} = {};", object(), object());
      case 1:
        return fmt::format("{} = *(userland struct obj *){};", object(), address());
      case 2:
        return fmt::format("{} = 0;", object());
      case 3:
        return fmt::format("{}.t = {};", object(), text(2));
      case 4:
        return fmt::format("{} = {} ? {} : {};", object(), integer(1).text, object(), object());
      case 5:
        return fmt::format("{}.in = {}.in;", object(), object());
      default:
        return fmt::format("trace({});", object());
    }
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
    if (in_body_) return fmt::format("{}", pick(100));  // it may be used in any clause
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
        return {argument(), in_body_};
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
    if (const Text more = chance(10) ? more_integer(depth) : Text{}; !more.text.empty()) {
      return more;
    }
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
        if (chance(2)) return {string_number(depth - 1), false};
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
  // A string is no condition, but whether it is empty is one.
  Text text_condition(int depth) { return {fmt::format("({} != \"\")", text(depth - 1)), false}; }
  Text logical(int depth) {
    static constexpr const char* kOps[] = {"&&", "||", "^^"};
    const auto side = [&] { return chance(6) ? text_condition(depth) : integer(depth - 1); };
    return join(side(), kOps[pick(3)], side());
  }
  Text unary(int depth) {
    static constexpr const char* kOps[] = {"-", "~", "!", "+"};
    if (chance(8)) return {fmt::format("(!{})", text_condition(depth).text), false};
    const Text inner = integer(depth - 1);
    return {fmt::format("({}({}))", kOps[pick(4)], inner.text), inner.is_constant};
  }
  Text ternary(int depth) {
    const Text condition = chance(8) ? text_condition(depth) : integer(depth - 1);
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
    if (chance(3)) return scratch_value(pointed);
    if (chance(6)) {
      return fmt::format("memref((void *)({}), {})[{}]", integer(1).text, integer(1).text, pick(2));
    }
    if (chance(6)) return fmt::format("get{}({})", chance(2) ? "major" : "minor", integer(1).text);
    if (chance(6) && has_task_) return chance(2) ? "progenyof(pid)" : "progenyof(ppid)";
    return fmt::format("(*(userland {} *){})", pointed, address());
  }
  // Bytes that are copied to scratch memory, changed there and read back.
  std::string scratch_value(const char* pointed) {
    const std::uint32_t copied = pick(9), from = pick(8), at = pick(16);
    return fmt::format(
        "(this->bytes = (unsigned char *)alloca(24), bcopy(copyin({}, {}), this->bytes + {}, {}), "
        "this->bytes[{}] {} {}, *({} *)(this->bytes + {}))",
        address(), copied + pick(3), from, copied, at, chance(2) ? "=" : "+=", integer(1).text,
        pointed, pick(16));
  }
  std::string address_text() {
    switch (pick(7)) {
      case 5:
        return fmt::format("inet_ntoa((uint32_t *)copyin({}, 4))", address());
      case 6:
        return fmt::format("inet_ntoa6(copyin({}, 16))", address());
      case 0:
        return fmt::format("inet_ntop(2, copyin({}, 4))", address());
      case 1:
        return fmt::format(
            "inet_ntop(10, (this->bytes = (unsigned char *)alloca(16), "
            "bcopy(copyin({}, 8), this->bytes + {}, 8), this->bytes))",
            address(), pick(9));
      case 2:
        return fmt::format("link_ntop(1, copyin({}, 6))", address());
      case 3:
        return fmt::format("inet_ntop(2 + 8 * ({} & 1), copyin({}, 16))", argument(), address());
      default:
        return fmt::format("inet_ntop(10, copyin({}, 16))", address());
    }
  }
  const char* byte_order() {
    static constexpr const char* kNames[] = {"htonl", "htonll", "htons",
                                             "ntohl", "ntohll", "ntohs"};
    return kNames[pick(6)];
  }

  // ---- Strings -------------------------------------------------------------------

  std::string probe_part() {
    static constexpr const char* kParts[] = {"probeprov", "probemod", "probefunc", "probename"};
    return kParts[pick(4)];
  }

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
        "/usr/./lib//x/../y/",
        "//",
        "../..",
        "/",
        ",",
        " -0x7fZ",
        "10, 20",
        "[7, {\\\"a\\\": [true, \\\"x\\\"]}]",
        "{\\\"a\\\": {\\\"b\\\": -1.5}, \\\"c\\\":null }",
        "a.b",
        "[1].a[1]",
        "c",
        "0",
        "go",
        "f0",
        "f1",
        "diff"};
    return fmt::format("\"{}\"", kTexts[pick(std::size(kTexts))]);
  }

  std::string text(int depth) {
    if (!objects_.empty() && chance(12)) return fmt::format("stringof({}.t)", object());
    if (const std::string more = chance(12) ? more_text(depth) : ""; !more.empty()) return more;
    switch (pick(depth > 0 ? 18u : 9u)) {
      case 14:
      case 15:
      case 16:
      case 17:
        return string_call(depth - 1);
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
        if (chance(3)) return address_text();
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

  // ---- Subroutines of strings ------------------------------------------------------

  std::string string_call(int depth) {
    static constexpr const char* kOfOne[] = {"tolower", "toupper", "basename", "dirname",
                                             "cleanpath"};
    switch (pick(9)) {
      case 0:
        return fmt::format("strjoin({}, {})", text(depth), text(depth));
      case 1:
        return found(depth);
      case 2:
        return fmt::format("substr({}, {})", text(depth), position(depth));
      case 3:
        return fmt::format("substr({}, {}, {})", text(depth), position(depth), position(depth));
      case 4:
        return fmt::format("strtok({}, {})", chance(2) ? "NULL" : text(depth), text(depth));
      case 5:
        if (chance(2)) return fmt::format("lltostr({})", integer(depth).text);
        return fmt::format("lltostr({}, {})", integer(depth).text, base());
      case 6:
        return fmt::format("memstr((userland char *){}, {}, {})", address(), position(depth),
                           position(depth));
      default:
        return fmt::format("{}({})", kOfOne[pick(std::size(kOfOne))], text(depth));
    }
  }

  // Calls that give NULL when they find nothing.
  std::string found(int depth) {
    switch (pick(4)) {
      case 0:
        return fmt::format("strstr({}, {})", text(depth), text(depth));
      case 1:
        return fmt::format("json({}, {})", text(depth), text(depth));
      default:
        return fmt::format("{}({}, {})", chance(2) ? "strchr" : "strrchr", text(depth),
                           chance(2) ? "'/'" : integer(depth).text);
    }
  }

  std::string string_number(int depth) {
    const char* which = chance(2) ? "index" : "rindex";
    switch (pick(5)) {
      case 0:
        return fmt::format("strlen({})", text(depth));
      case 1:
        return fmt::format("{}({}, {})", which, text(depth), text(depth));
      case 2:
        return fmt::format("{}({}, {}, {})", which, text(depth), text(depth), position(depth));
      case 3:
        return fmt::format("({} {} NULL)", found(depth), chance(2) ? "==" : "!=");
      default:
        if (chance(2)) return fmt::format("strtoll({})", text(depth));
        return fmt::format("strtoll({}, {})", text(depth), base());
    }
  }

  std::string position(int depth) {
    return chance(3) ? integer(depth).text : fmt::format("{}", static_cast<int>(pick(24)) - 6);
  }
  std::string base() { return chance(4) ? integer_place() : fmt::format("{}", 2 + pick(35)); }

  std::mt19937_64 random_;
  bool has_task_ = false;                        // struct task_struct is declared
  bool in_error_ = false;                        // in one of ERROR's clauses
  bool in_body_ = false;                         // of an inline or a translator
  std::uint32_t nesting_ = 0;                    // of array elements in keys
  std::vector<std::string> integers_, strings_;  // scalars, as they are written
  std::vector<Array> arrays_;
  std::vector<std::string> objects_;  // variables of struct obj
  Array by_key_;                      // of struct obj, when it has a name
};

}  // namespace dt::differential
