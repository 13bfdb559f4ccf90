// The text of a script.

#include "script.h"

#include <algorithm>
#include <cstring>

namespace dt::differential {
namespace {

void print(std::string& out, const std::vector<Statement>& body, std::size_t indent);

// One statement may stand alone; an if only where no else can be taken for its own.
void print_branch(std::string& out, const std::vector<Statement>& branch, std::size_t indent,
                  bool is_bare, bool is_last) {
  const bool is_one =
      branch.size() == 1 &&
      (branch[0].is_if ? is_last
                       : std::count(branch[0].text.begin(), branch[0].text.end(), ';') == 1);
  if (is_bare && is_one) {
    out += "\n";
    print(out, branch, indent + 2);
    out += std::string(indent, ' ');
    return;
  }
  out += " {\n";
  print(out, branch, indent + 2);
  out += std::string(indent, ' ') + "}";
}

void print(std::string& out, const std::vector<Statement>& body, std::size_t indent) {
  for (const Statement& statement : body) {
    out += std::string(indent, ' ') + statement.text;
    if (statement.is_if) {
      print_branch(out, statement.then, indent, statement.is_bare, false);
      if (!statement.otherwise.empty()) {
        out += " else";
        print_branch(out, statement.otherwise, indent, statement.is_bare, true);
      }
    }
    out += "\n";
  }
}

}  // namespace

std::string Script::text() const {
  std::string out;
  for (const std::string& declaration : declarations) out += declaration + "\n";
  for (const Clause& clause : clauses) {
    out += clause.probes + "\n";
    if (!clause.predicate.empty()) out += "/" + clause.predicate + "/\n";
    out += "{\n";
    print(out, clause.body, 2);
    out += "}\n";
  }
  return out;
}

std::vector<std::uint8_t> user_page() {
  std::vector<std::uint8_t> bytes(kUserPageBytes, 0);
  for (std::size_t i = 0; i < kUserBytes; ++i) {
    bytes[kUserBase - kUserPage + i] = static_cast<std::uint8_t>(i % 11 == 0 ? 0 : 0x5d + 37 * i);
  }
  for (std::uint32_t i = 0; i < kPointers; ++i) {
    const std::uint64_t to = kUserPointers + std::uint64_t{i * 37 % kPointers} * 8;
    std::memcpy(bytes.data() + (kUserPointers - kUserPage) + std::size_t{i} * 8, &to, sizeof to);
  }
  return bytes;
}

}  // namespace dt::differential
