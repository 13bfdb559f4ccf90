// See provider_blocks.h.

#include "d/provider_blocks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "d/syntax/ast.h"
#include "d/syntax/parser.h"
#include "d/syntax/pragma_words.h"
#include "probe/probe.h"
#include "usdt/header.h"

namespace dt::d {
namespace {

constexpr std::size_t kMaxArguments = 12;  // as sys/sdt.h has macros
constexpr std::size_t kMaxRead = 10;       // arg0 to arg9
constexpr std::size_t kMaxProviderBytes = 63;
constexpr std::size_t kMaxProbeBytes = 127;

// "const unsigned char": the words before the stars.
std::string c_type_text(const TypeSpec& spec) {
  std::string out;
  const auto add = [&out](std::string_view word, bool there = true) {
    if (there && !word.empty()) {
      out += out.empty() ? "" : " ";
      out += word;
    }
  };
  add("const", spec.is_const);
  add("volatile", spec.is_volatile);
  add("signed", spec.is_signed);
  add("unsigned", spec.is_unsigned);
  add("short", spec.is_short);
  for (int i = 0; i < spec.longs; ++i) {
    add("long");
  }
  add("struct", spec.tag == TypeSpec::Tag::kStruct);
  add("union", spec.tag == TypeSpec::Tag::kUnion);
  add("enum", spec.tag == TypeSpec::Tag::kEnum);
  add(spec.tag_name);
  // D's string is what a program has as characters.
  add(spec.base == "string" ? "char *" : std::string_view(spec.base));
  return out;
}

// As C passes it: an array is a pointer. What has parameters or several bounds is
// an address of something.
std::string text_of(const TypeName& type) {
  std::string out = c_type_text(type.spec);
  std::string stars;
  for (std::size_t i = 0; i < type.declarator.parts.size(); ++i) {
    const Declarator::Part::Kind kind = type.declarator.parts[i].kind;
    if (kind != Declarator::Part::Kind::kPointer &&
        (kind != Declarator::Part::Kind::kArray || i != 0)) {
      return "void *";
    }
    stars += '*';
  }
  return out + (stars.empty() || out.ends_with('*') ? "" : " ") + stars;
}

constexpr std::string_view kParts[] = {"provider", "module", "function", "name", "args"};

bool is_void(const TypeName& type) {
  return type.spec.base == "void" && type.declarator.parts.empty();
}

class Reader {
 public:
  Reader(const Sources& sources, Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics) {}

  void read(const Unit& unit) {
    for (const Clause& clause : unit.clauses) {
      const Span at = clause.probes.empty() ? clause.span : clause.probes.front().span;
      diagnostics_
          .error("D_PROV_CLAUSE", at, "a clause cannot be built into a program: only providers can")
          .hint = "what probes are to do stands in a script of its own";
    }
    for (const ProviderDecl& one : unit.providers) {
      read(one);
    }
    for (const Pragma& one : unit.pragmas) {
      read(one);
    }
  }

  std::vector<usdt::Provider> take() { return std::move(providers_); }

 private:
  void read(const ProviderDecl& one) {
    if (one.name.size() > kMaxProviderBytes) {
      diagnostics_.error("D_PROV_BADNAME", name_span(one),
                         fmt::format("provider name may not exceed {} characters: {}",
                                     kMaxProviderBytes, one.name));
      return;
    }
    if (std::isdigit(static_cast<unsigned char>(one.name.back())) != 0) {
      diagnostics_.error("D_PROV_BADNAME", name_span(one),
                         fmt::format("provider name may not end with a digit: {}", one.name));
      return;
    }
    if (one.name == "pid") {
      diagnostics_.error("D_PROV_BADNAME", name_span(one),
                         "provider name is that of the probes of functions: pid");
      return;
    }
    auto into = std::find_if(providers_.begin(), providers_.end(),
                             [&](const usdt::Provider& known) { return known.name == one.name; });
    if (into == providers_.end()) {
      into = providers_.insert(into, usdt::Provider{one.name, {}});
    }
    for (const ProviderDecl::ProbeDecl& probe : one.probes) {
      read(probe, *into);
    }
  }

  // attributes Name/Data/Class provider NAME provider|module|function|name|args
  void read(const Pragma& one) {
    const std::vector<std::string_view> words = pragma_words(one.text);
    if (words.size() < 3 || words[0] != "attributes" || words[2] != "provider") {
      return;
    }
    if (words.size() != 5) {
      diagnostics_.error("D_PRAGMA_MALFORM", one.span,
                         "malformed #pragma attributes: provider <name> "
                         "provider|module|function|name|args must follow");
      return;
    }
    const auto attributes = probe::parse_attributes(words[1]);
    const auto part = std::find(std::begin(kParts), std::end(kParts), words[4]);
    if (!attributes || part == std::end(kParts)) {
      diagnostics_.error(
          "D_PRAGMA_INVAL", one.span,
          attributes ? fmt::format("invalid component {} in #pragma attributes: it must be "
                                   "provider, module, function, name or args",
                                   words[4])
                     : fmt::format("invalid attributes in #pragma attributes: {}", words[1]));
      return;
    }
    const auto of =
        std::find_if(providers_.begin(), providers_.end(),
                     [&](const usdt::Provider& known) { return known.name == words[3]; });
    if (of == providers_.end()) {
      diagnostics_.error(
          "D_PRAGMA_UNUSED", one.span,
          fmt::format("unused #pragma: the program does not define provider {}", words[3]));
      return;
    }
    if (of->stability.empty()) {  // what is shown of a provider that says nothing
      of->stability.assign(std::size(kParts), "Unstable Unstable Common");
      of->stability[1] = of->stability[2] = "Private Private Unknown";
    }
    std::string text = probe::to_string(*attributes);
    std::replace(text.begin(), text.end(), '/', ' ');
    of->stability[static_cast<std::size_t>(part - std::begin(kParts))] = std::move(text);
  }

  void read(const ProviderDecl::ProbeDecl& one, usdt::Provider& into) {
    usdt::Probe probe;
    for (const char c : one.name) {
      probe.name += c == '-' ? "__" : std::string(1, c);
    }
    if (probe.name.size() > kMaxProbeBytes) {
      diagnostics_.error(
          "D_PROV_BADNAME", one.span,
          fmt::format("probe name may not exceed {} characters: {}", kMaxProbeBytes, one.name));
      return;
    }
    const auto [known, is_new] = seen_.try_emplace(into.name + ":" + probe.name, one.span);
    if (!is_new) {
      diagnostics_
          .error("D_PROV_PRDUP", one.span,
                 fmt::format("probe {} is declared twice in provider {}", one.name, into.name))
          .notes.push_back({known->second, "first declared here"});
      return;
    }
    if (!has_macros(one, probe, into)) {
      return;
    }
    if (arguments(one, probe) && mapping(one, probe)) {
      into.probes.push_back(std::move(probe));
    }
  }

  // Whether those of -h are no other probe's, too.
  bool has_macros(const ProviderDecl::ProbeDecl& one, const usdt::Probe& probe,
                  const usdt::Provider& into) {
    const std::string macro = usdt::macro_of(into, probe);
    for (const std::string& each : {macro, macro + "_ENABLED"}) {
      const auto [known, is_new] = macros_.try_emplace(each, one.span);
      if (!is_new) {
        diagnostics_
            .error("D_PROV_PRDUP", one.span,
                   fmt::format("probe {} would have the macro of another: {}", one.name, each))
            .notes.push_back({known->second, "this has it"});
        return false;
      }
    }
    return true;
  }

  bool arguments(const ProviderDecl::ProbeDecl& one, usdt::Probe& into) {
    if (one.native.size() > kMaxArguments || one.translated.size() > kMaxRead) {
      diagnostics_.error("D_PROV_PRARGLEN", one.span,
                         fmt::format("probe {} has more than {} arguments", one.name,
                                     one.native.size() > kMaxArguments ? kMaxArguments : kMaxRead));
      return false;
    }
    const bool has_none = one.native.size() == 1 && is_void(*one.native[0]);
    for (const TypeName* type : one.native) {
      if (is_void(*type) && !has_none) {
        diagnostics_.error("D_DECL_PROTO_VOID", type->span, "void cannot be one of several");
        return false;
      }
      const bool is_structure =
          type->spec.tag == TypeSpec::Tag::kStruct || type->spec.tag == TypeSpec::Tag::kUnion;
      if (is_structure && type->declarator.parts.empty()) {
        diagnostics_
            .error("D_PROV_PRARGLEN", type->span,
                   fmt::format("probe {} cannot pass a structure itself", one.name))
            .hint = "pass where it is: a pointer";
        return false;
      }
      if (!has_none) {
        into.arguments.push_back(text_of(*type));
      }
    }
    return true;
  }

  bool mapping(const ProviderDecl::ProbeDecl& one, usdt::Probe& into) {
    into.is_translated = one.has_mapping;
    for (std::size_t i = 0; i < one.translated.size(); ++i) {
      const std::string& name = one.translated_names[i];
      const auto named = std::find(one.native_names.begin(), one.native_names.end(), name);
      const std::size_t source = name.empty() || named == one.native_names.end()
                                     ? i
                                     : static_cast<std::size_t>(named - one.native_names.begin());
      if (source >= into.arguments.size()) {
        diagnostics_.error(
            "D_PROV_PRARGLEN", one.translated[i]->span,
            fmt::format("probe {} passes {} argument{}: there is none for argument #{}", one.name,
                        into.arguments.size(), into.arguments.size() == 1 ? "" : "s", i + 1));
        return false;
      }
      if (source >= kMaxRead) {
        diagnostics_.error(
            "D_PROV_PRARGLEN", one.translated[i]->span,
            fmt::format("probe {} gives scripts its first {} arguments only", one.name, kMaxRead));
        return false;
      }
      into.translated.push_back({text_of(*one.translated[i]), static_cast<std::uint32_t>(source)});
    }
    return true;
  }

  // The tree has the place of the whole block.
  Span name_span(const ProviderDecl& one) const {
    Span span = one.span;
    const std::size_t at = sources_.at(span.source).text().find(one.name, span.begin + 8);
    if (at != std::string::npos) {
      span.begin = static_cast<std::uint32_t>(at);
      span.end = span.begin + static_cast<std::uint32_t>(one.name.size());
    }
    return span;
  }

  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<usdt::Provider> providers_;
  std::map<std::string, Span> seen_, macros_;
};

}  // namespace

std::optional<std::vector<usdt::Provider>> read_providers(Sources& sources,
                                                          std::span<const front::Input> inputs,
                                                          World& world, Diagnostics& diagnostics) {
  Arena arena;
  std::vector<bool> references;
  ParseContext context{sources, diagnostics, world, arena, references};
  Reader reader(sources, diagnostics);
  bool is_empty = true;
  for (const front::Input& input : inputs) {
    const std::optional<Unit> unit = parse(input.source, input.spec, context);
    if (unit) {
      is_empty = is_empty && unit->providers.empty();
      reader.read(*unit);
    }
  }
  if (is_empty && !diagnostics.any() && !inputs.empty()) {
    diagnostics.error("D_EMPTY", Span{inputs.back().source, 0, 0}, "no provider is defined here")
        .hint = "provider server { probe request__start(int, char *); };";
  }
  if (diagnostics.any()) {
    return std::nullopt;
  }
  return reader.take();
}

}  // namespace dt::d
