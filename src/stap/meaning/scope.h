#pragma once
// Scope: which variable or function a name means. This depends on the handler or function and on
// the file that the name is in: `private` names are known in their file only.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stap/meaning/program.h"
#include "support/source.h"

namespace dt::stap {

enum class Use : std::uint8_t { kRead, kWrite, kReadWrite };

class Scope {
 public:
  using Error = std::function<void(std::string_view text, Span span, std::string_view hint)>;
  // The program must outlive this.
  Scope(Program& program, Error error) : program_(program), error_(std::move(error)) {}

  // Numbers the script's globals and puts its functions into the order in which they are tried.
  void declare();
  // The names that come from now on are in the handler or function with these variables.
  void enter(std::vector<std::unique_ptr<Symbol>>& locals) { locals_ = &locals; }

  Symbol& make_local(const std::string& name, Span span);
  // nullptr where nothing has this name yet. `source` is the file that the name stands in.
  Symbol* lookup(const std::string& name, std::uint32_t source) const;
  // A name that nothing has yet is a new local variable.
  Symbol* variable(const std::string& name, Span span, Use use);
  // nullptr when an error was reported: an array is declared, and has one number of keys.
  Symbol* array(const std::string& name, Span span, std::size_t arity, Use use);
  // Reports that a variable is used with another number of keys than before.
  void contrary_arity(const Symbol& symbol, std::size_t arity, Span span) const;
  // nullptr where the script has no function of this name with so many parameters.
  Function* function(const std::string& name, std::size_t arity, std::uint32_t source) const;

 private:
  void declare_globals();
  void declare_functions();

  Program& program_;
  Error error_;
  std::vector<std::unique_ptr<Symbol>>* locals_ = nullptr;
};

}  // namespace dt::stap
