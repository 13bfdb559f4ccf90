#pragma once
// Translators over the structures that a script declares, and inlines: bodies
// that are written once and expanded where they are used.

#include <string>
#include <vector>

#include "shapes.h"

namespace dt::differential {

class Translations : public Shapes {
 public:
  using Shapes::Shapes;

 protected:
  // After the variables that bodies may name.
  void declare_translations(std::vector<std::string>& declarations);

  Text more_integer(int depth) override;
  std::string more_text(int depth) override;
  std::string translation_statement();

 private:
  enum class MemberOf : std::uint8_t { kInteger, kString, kFloat, kStruct, kPointer };
  struct Member {
    std::string name;
    MemberOf kind = MemberOf::kInteger;
    std::size_t shape = 0;
    std::string declaration;
  };
  struct Output {
    std::string name;  // "struct t0"
    std::vector<Member> members;
  };
  enum class Input : std::uint8_t { kPointer, kStruct, kInteger, kString };
  struct Translator {
    std::size_t output = 0;
    Input input = Input::kInteger;
    std::size_t shape = 0;
    std::vector<bool> defines;  // by member
  };
  struct Inline {
    std::string name;
    bool is_text = false;
    std::string parameters;  // by letter: i an integer, s a string, p a pointer, t a translated one
    std::size_t shape = 0;   // of p
    std::size_t translator = 0;  // of t
  };

  void declare_output(std::vector<std::string>& declarations);
  void declare_translator(std::vector<std::string>& declarations);
  void declare_inline(std::vector<std::string>& declarations);
  bool is_taken(const Translator& like) const;
  std::string body(const Translator& translator, const Member& member);
  std::string input(const Translator& translator);
  // A member of some translated thing, or what leads from one to a member; ""
  // when there happens to be none.
  std::string translated(MemberOf kind);
  std::string call(const Inline& what);
  std::string parameter(bool is_text);

  std::vector<Output> outputs_;
  std::vector<Translator> translators_;
  std::vector<Inline> inlines_;
  // In a body: what its parameters are in words of D.
  std::vector<std::string> numbers_, words_;
};

}  // namespace dt::differential
