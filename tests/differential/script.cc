// The text of a script.

#include "script.h"

namespace dt::differential {
namespace {

void print(std::string& out, const std::vector<Statement>& body, std::size_t indent) {
  const std::string blanks(indent, ' ');
  for (const Statement& statement : body) {
    out += blanks + statement.text;
    if (statement.is_if) {
      out += " {\n";
      print(out, statement.then, indent + 2);
      out += blanks + "}";
      if (!statement.otherwise.empty()) {
        out += " else {\n";
        print(out, statement.otherwise, indent + 2);
        out += blanks + "}";
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
  return bytes;
}

}  // namespace dt::differential
