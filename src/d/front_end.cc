// compile(): the front end as one function of text and World.

#include "d/front_end.h"

#include "d/check/absent_target.h"
#include "d/check/checker.h"
#include "d/check/typed_print.h"
#include "d/lower/lower.h"
#include "d/meaning/advice.h"
#include "d/meaning/refusal.h"
#include "d/meaning/unmatched.h"
#include "d/provider_blocks.h"
#include "d/syntax/parser.h"
#include "d/syntax/script_declaration.h"
#include "ir/print.h"

namespace dt::d {
namespace {

// -i gives probes by number; what follows knows descriptions only.
void resolve_ids(Unit& unit, const World& world, Diagnostics& diagnostics) {
  for (Clause& clause : unit.clauses) {
    for (ProbeSpec& spec : clause.probes) {
      std::uint64_t number = 0;
      for (const char c : spec.text) {
        if (c < '0' || c > '9' || number > UINT32_MAX) {
          number = UINT64_MAX;
          break;
        }
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
      }
      const auto probe = number <= UINT32_MAX
                             ? world.probes.find(ProbeId(static_cast<std::uint32_t>(number)))
                             : std::nullopt;
      if (!probe) {
        diagnostics
            .error("D_PDESC_ZERO", spec.span,
                   fmt::format("probe identifier {} does not match any probes", spec.text))
            .region = fmt::format("probe description {}", spec.text);
        continue;
      }
      spec.text = probe::to_string(probe->description);
    }
  }
}

// Whether a program has declared an option of this name.
bool declares(const std::vector<Unit>& units, std::string_view name) {
  for (const Unit& unit : units) {
    for (const Pragma& pragma : unit.pragmas) {
      for (const std::string_view word : {"flag ", "argument "}) {
        if (!pragma.text.starts_with(word)) {
          continue;
        }
        const auto option =
            parse_script_option(std::string_view(pragma.text).substr(word.size()), word == "flag ");
        if (option.ok() && option->name == name) {
          return true;
        }
      }
    }
  }
  return false;
}

void unknown_named_arguments(const World& world, const std::vector<Unit>& units,
                             std::span<const front::Input> inputs, Diagnostics& diagnostics) {
  for (const auto& [name, text] : world.named_args) {
    if (!declares(units, name) && !inputs.empty()) {
      diagnostics.error("D_MACRO_UNUSED", Span{inputs.back().source, 0, 0},
                        fmt::format("no program declares an option '{}'", name));
    }
  }
}

void unused_arguments(const World& world, const std::vector<bool>& references,
                      std::span<const front::Input> inputs, Diagnostics& diagnostics) {
  if (world.default_args || inputs.empty()) {
    return;
  }
  for (std::size_t i = 1; i < world.macro_args.size(); ++i) {
    if (i < references.size() && references[i]) {
      continue;
    }
    const std::string& argument = world.macro_args[i];
    Diagnostic& d = diagnostics.error(
        "D_MACRO_UNUSED", Span{inputs.back().source, 0, 0},
        fmt::format("extraneous argument '{}' (${} is not referenced)", argument, i));
    if (argument.starts_with('{') || argument.starts_with('/')) {
      d.hint = "a predicate and actions stand in the argument of their probe, within its quotes";
    }
    return;
  }
}

}  // namespace

std::optional<ir::Program> compile(Sources& sources, std::span<const front::Input> inputs,
                                   World& world, Diagnostics& diagnostics, front::Dump* dump) {
  Arena arena;
  std::vector<bool> references;
  std::vector<Unit> units;
  ParseContext context{sources, diagnostics, world, arena, references};
  // Before the parser, which asks for the names of types.
  Checker checker(sources, units, world, arena, diagnostics);
  for (const front::Input& input : inputs) {
    if (dump != nullptr && dump->want_tokens) {
      dump->tokens += print_tokens(input.source, input.spec, context);
    }
    std::optional<Unit> unit = parse(input.source, input.spec, context);
    if (!unit) {
      continue;
    }
    if (dump != nullptr && dump->want_ast) {
      dump->ast += print(*unit, sources);
    }
    if (input.spec == front::Input::Spec::kId) {
      resolve_ids(*unit, world, diagnostics);
    }
    units.push_back(std::move(*unit));
  }
  if (diagnostics.any()) {
    return std::nullopt;
  }
  if (dump != nullptr && dump->ends_with_ast) {
    return ir::Program();
  }
  unused_arguments(world, references, inputs, diagnostics);
  unknown_named_arguments(world, units, inputs, diagnostics);
  const Checked checked = checker.check(units);
  bool is_empty = true;
  for (const Unit& unit : units) {
    is_empty = is_empty && unit.items.empty();
  }
  if (is_empty && !world.allow_empty && !inputs.empty() && !diagnostics.any()) {
    diagnostics.error("D_EMPTY", Span{inputs.back().source, 0, 0},
                      "empty D program translation unit");
  }
  if (dump != nullptr) {
    dump->stability = checked.stability;
    dump->remarks = remarks_on_target(units, sources, world);
    for (std::string& remark : remarks_on_returns(units)) {
      dump->remarks.emplace_back(std::move(remark), "");
    }
    for (auto& remark : remarks_on_calls(units, world)) {
      dump->remarks.push_back(std::move(remark));
    }
    for (std::string& remark : remarks_on_stacks(units)) {
      dump->remarks.emplace_back(std::move(remark), "");
    }
    for (auto& remark : remarks_on_characters(units, sources)) {
      dump->remarks.push_back(std::move(remark));
    }
  }
  if (dump != nullptr && dump->want_typed) {
    dump->typed = print_typed(units, checked, world);
  }
  if (diagnostics.any()) {
    return std::nullopt;
  }
  ir::Program program = lower(units, checked, world);
  if (dump != nullptr && dump->want_ir) {
    dump->ir = ir::print(program, &sources);
  }
  return program;
}

namespace {

class FrontEnd : public front::FrontEnd {
 public:
  explicit FrontEnd(Options options) : options_(std::move(options)) {}

  std::optional<ir::Program> compile(const front::Compilation& of, front::Dump& dump) override {
    World world{of.world, options_};
    return d::compile(of.sources, of.inputs, world, of.diagnostics, &dump);
  }
  std::optional<std::vector<usdt::Provider>> read_providers(const front::Compilation& of) override {
    World world{of.world, options_};
    return d::read_providers(of.sources, of.inputs, world, of.diagnostics);
  }

  void report(const probe::Unmatched& unmatched, Diagnostics& diagnostics) const override {
    report_unmatched(unmatched, diagnostics);
  }
  Words words(const ir::Refusal& refusal) const override { return d::words(refusal); }
  std::string advice(const probe::Catalog& probes, ProbeId probe,
                     std::uint32_t argument) const override {
    return advice_on(probes, probe, argument);
  }

 private:
  Options options_;
};

}  // namespace

std::unique_ptr<front::FrontEnd> make_front_end(Options options) {
  return std::make_unique<FrontEnd>(std::move(options));
}

}  // namespace dt::d
