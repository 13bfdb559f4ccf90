// See translations.h.

#include "translations.h"

#include <algorithm>

namespace dt::differential {

// ---- Declarations -------------------------------------------------------------

void Translations::declare_output(std::vector<std::string>& declarations) {
  Output output;
  output.name = fmt::format("struct t{}", outputs_.size());
  std::string text = output.name + " {";
  for (std::uint32_t i = 2 + pick(5); i > 0; --i) {
    Member member;
    member.name = fmt::format("n{}", output.members.size());
    switch (pick(8)) {
      case 0:
        member.kind = MemberOf::kString;
        text += fmt::format(" string {};", member.name);
        break;
      case 1:
        member.kind = MemberOf::kString;
        text += fmt::format(" char {}[{}];", member.name, 1 + pick(12));
        break;
      case 2:
        member.kind = MemberOf::kFloat;
        text += fmt::format(" double {};", member.name);
        break;
      case 3:
        member.kind = MemberOf::kStruct;
        member.shape = any_shape();
        text += fmt::format(" {} {};", shapes_[member.shape].name, member.name);
        break;
      case 4:
        member.kind = MemberOf::kPointer;
        member.shape = any_shape();
        text += fmt::format(" {} *{};", shapes_[member.shape].name, member.name);
        break;
      case 5:
        text += fmt::format(" enum color {};", member.name);
        break;
      default:
        text += fmt::format(" {} {};", type(), member.name);
        break;
    }
    output.members.push_back(std::move(member));
  }
  declarations.push_back(text + " };");
  outputs_.push_back(std::move(output));
}

bool Translations::is_taken(const Translator& like) const {
  return std::any_of(translators_.begin(), translators_.end(), [&](const Translator& one) {
    const bool has_shape = one.input == Input::kPointer || one.input == Input::kStruct;
    return one.output == like.output && one.input == like.input &&
           (!has_shape || one.shape == like.shape);
  });
}

// What a member is; the body sees the translator's input as numbers_ and words_.
std::string Translations::body(const Translator& translator, const Member& member) {
  const std::string& shape = shapes_[member.shape].name;
  switch (member.kind) {
    case MemberOf::kInteger:
      return integer(2).text;
    case MemberOf::kString:
      return text(2);
    case MemberOf::kFloat:
      return chance(2) ? "fd1" : "self->fd2";
    case MemberOf::kStruct:
      if (translator.shape == member.shape && translator.input == Input::kPointer) return "*I";
      if (translator.shape == member.shape && translator.input == Input::kStruct) return "I";
      return structure(member.shape);
    case MemberOf::kPointer:
      if (translator.shape == member.shape && translator.input == Input::kPointer && chance(2)) {
        return "I";
      }
      return fmt::format("(({} *){})", shape, pointer(member.shape));
  }
  return "";
}

void Translations::declare_translator(std::vector<std::string>& declarations) {
  Translator translator;
  translator.output = pick(static_cast<std::uint32_t>(outputs_.size()));
  translator.shape = any_shape();
  translator.input = static_cast<Input>(pick(4));
  if (is_taken(translator)) return;
  const std::string& shape = shapes_[translator.shape].name;
  std::string from = "string";
  if (translator.input == Input::kPointer) from = shape + " *";
  if (translator.input == Input::kStruct) from = shape;
  if (translator.input == Input::kInteger) from = chance(2) ? "long" : "unsigned int";
  in_body_ = true;
  for (int i = 0; i < 6; ++i) {
    const char* arrow = translator.input == Input::kPointer ? "->" : ".";
    const bool is_structure =
        translator.input == Input::kPointer || translator.input == Input::kStruct;
    const auto number =
        is_structure ? path_to(translator.shape, MemberKind::kInteger) : std::nullopt;
    const auto word = is_structure ? path_to(translator.shape, MemberKind::kChars) : std::nullopt;
    if (number) numbers_.push_back(fmt::format("I{}{}", arrow, *number));
    if (word) words_.push_back(fmt::format("stringof(I{}{})", arrow, *word));
  }
  if (translator.input == Input::kInteger) numbers_ = {"I"};
  if (translator.input == Input::kString) words_ = {"I"};
  const Output& output = outputs_[translator.output];
  std::string text = fmt::format("translator {} < {} I > {{", output.name, from);
  for (const Member& member : output.members) {
    translator.defines.push_back(!chance(5));
    if (!translator.defines.back()) continue;
    text += fmt::format("\n  {} = {};", member.name, body(translator, member));
  }
  declarations.push_back(text + "\n};");
  in_body_ = false;
  numbers_.clear();
  words_.clear();
  translators_.push_back(std::move(translator));
}

void Translations::declare_inline(std::vector<std::string>& declarations) {
  Inline out;
  out.name = fmt::format("il{}", inlines_.size());
  out.is_text = chance(3);
  std::string parameters;
  in_body_ = true;
  for (std::uint32_t i = pick(4); i > 0; --i) {
    const std::string name = fmt::format("I{}", out.parameters.size());
    std::string type = this->type();
    char letter = 'i';
    if (chance(3)) {
      letter = 's';
      type = "string";
      words_.push_back(name);
    } else if (chance(3) && has_shapes() && out.parameters.find('p') == std::string::npos) {
      letter = 'p';
      out.shape = any_shape();
      type = shapes_[out.shape].name + " *";
      const auto path = path_to(out.shape, MemberKind::kInteger);
      if (path) numbers_.push_back(fmt::format("{}->{}", name, *path));
    } else if (chance(3) && !translators_.empty() &&
               out.parameters.find('t') == std::string::npos) {
      letter = 't';
      out.translator = pick(static_cast<std::uint32_t>(translators_.size()));
      const Translator& translator = translators_[out.translator];
      const Output& output = outputs_[translator.output];
      type = output.name + " *";
      for (std::size_t k = 0; k < output.members.size(); ++k) {
        if (!translator.defines[k]) continue;
        const std::string member = fmt::format("{}->{}", name, output.members[k].name);
        if (output.members[k].kind == MemberOf::kInteger) numbers_.push_back(member);
        if (output.members[k].kind == MemberOf::kString) words_.push_back(member);
      }
    } else {
      numbers_.push_back(name);
    }
    out.parameters += letter;
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", type, name);
  }
  declarations.push_back(fmt::format("inline {} {}{} = {};", out.is_text ? "string" : type(),
                                     out.name,
                                     parameters.empty() ? "" : fmt::format("[{}]", parameters),
                                     out.is_text ? text(2) : integer(2).text));
  in_body_ = false;
  numbers_.clear();
  words_.clear();
  inlines_.push_back(std::move(out));
}

void Translations::declare_translations(std::vector<std::string>& declarations) {
  if (has_shapes()) {
    for (std::uint32_t i = 1 + pick(2); i > 0; --i) declare_output(declarations);
    for (std::uint32_t i = 1 + pick(4); i > 0; --i) declare_translator(declarations);
  }
  for (std::uint32_t i = pick(4); i > 0; --i) declare_inline(declarations);
}

// ---- Uses ---------------------------------------------------------------------

std::string Translations::input(const Translator& translator) {
  switch (translator.input) {
    case Input::kPointer:
      return pointer(translator.shape);
    case Input::kStruct:
      return structure(translator.shape);
    case Input::kInteger:
      return integer(1).text;
    case Input::kString:
      return text(1);
  }
  return "";
}

std::string Translations::translated(MemberOf kind) {
  if (translators_.empty()) return "";
  const Translator& translator = any(translators_);
  const Output& output = outputs_[translator.output];
  const std::size_t number = pick(static_cast<std::uint32_t>(output.members.size()));
  const Member& member = output.members[number];
  if (!translator.defines[number]) return "";
  const bool is_pointer = chance(2);
  const std::string from = fmt::format("xlate <{}{}> ({}){}{}", output.name, is_pointer ? " *" : "",
                                       input(translator), is_pointer ? "->" : ".", member.name);
  if (member.kind == kind) return from;
  const bool leads = member.kind == MemberOf::kStruct || member.kind == MemberOf::kPointer;
  if (!leads || kind == MemberOf::kStruct || kind == MemberOf::kPointer) return "";
  const MemberKind wanted = kind == MemberOf::kInteger  ? MemberKind::kInteger
                            : kind == MemberOf::kString ? MemberKind::kChars
                                                        : MemberKind::kFloat;
  const auto path =
      path_to(member.shape, wanted, chance(2) ? Path::kFollowsPointers : Path::kPlain);
  if (!path) return "";
  const std::string whole =
      fmt::format("{}{}{}", from, member.kind == MemberOf::kStruct ? "." : "->", *path);
  return wanted == MemberKind::kChars ? fmt::format("stringof({})", whole) : whole;
}

std::string Translations::call(const Inline& what) {
  std::string arguments;
  for (const char letter : what.parameters) {
    if (!arguments.empty()) arguments += ", ";
    if (letter == 'i') arguments += integer(1).text;
    if (letter == 's') arguments += text(1);
    if (letter == 'p') arguments += pointer(what.shape);
    if (letter == 't') {
      const Translator& translator = translators_[what.translator];
      arguments +=
          fmt::format("xlate <{} *> ({})", outputs_[translator.output].name, input(translator));
    }
  }
  return arguments.empty() ? what.name : fmt::format("{}[{}]", what.name, arguments);
}

Text Translations::more_integer(int depth) {
  // What is given, and what is translated, may be a constant.
  if (!numbers_.empty() && !chance(4)) return {any(numbers_), true};
  if (depth < 0) return {};
  const std::uint32_t kind = pick(6);
  if (kind < 2) {
    const std::string member = translated(MemberOf::kInteger);
    if (!member.empty()) return {member, true};
  }
  if (kind < 4 && !inlines_.empty()) {
    const Inline& what = any(inlines_);
    if (!what.is_text) return {call(what), true};
  }
  return Shapes::more_integer(depth);
}

std::string Translations::more_text(int depth) {
  if (!words_.empty() && !chance(4)) return any(words_);
  const std::uint32_t kind = pick(4);
  if (kind == 0) return translated(MemberOf::kString);
  if (kind == 1 && !inlines_.empty()) {
    const Inline& what = any(inlines_);
    if (what.is_text) return call(what);
  }
  return Shapes::more_text(depth);
}

std::string Translations::translation_statement() {
  switch (pick(6)) {
    case 0: {
      const std::string value = translated(MemberOf::kFloat);
      return value.empty() ? "" : fmt::format("printf(\"%g\\n\", {});", value);
    }
    case 1: {
      const std::string value = translated(MemberOf::kStruct);
      return value.empty() ? "" : fmt::format("trace({});", value);
    }
    case 2: {
      const std::string value = translated(MemberOf::kString);
      return value.empty() ? "" : fmt::format("trace({});", value);
    }
    case 3: {
      if (translators_.empty()) return "";
      const Translator& translator = any(translators_);
      return fmt::format("trace(xlate <{} *> ({}) {} NULL);", outputs_[translator.output].name,
                         input(translator), chance(2) ? "==" : "!=");
    }
    default: {
      const std::string value = translated(MemberOf::kInteger);
      return value.empty() ? "" : fmt::format("trace({});", value);
    }
  }
}

}  // namespace dt::differential
