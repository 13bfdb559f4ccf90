#include "d/check/probe_arguments.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/declared_providers.h"
#include "d/check/expander.h"
#include "d/check/library_use.h"
#include "d/check/scope.h"
#include "d/check/translators.h"
#include "d/check/wording.h"
#include "d/meaning/type_meaning.h"
#include "d/meaning/unmatched.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

// The types of args[] must be the same in every probe that the clause names.
namespace {

// "pid`request" for "pid12`request": the types of two processes have names of their own.
std::string without_processes(const std::string& types) {
  constexpr std::string_view kPid = "pid";
  std::string out;
  for (std::size_t i = 0; i < types.size(); ++i) {
    out += types[i];
    if (!out.ends_with(kPid)) continue;
    const std::size_t end = types.find_first_not_of("0123456789", i + 1);
    if (end != types.npos && types[end] == '`') i = end - 1;
  }
  return out;
}

// The arguments of probes that never fire here: those of providers of Solaris (lib/servers.d).
// Empty: not known.
std::vector<probe::Argument> foreign_arguments(const probe::Pattern& pattern) {
  struct Provider {
    std::string_view name, properties, range, result;
  };
  constexpr Provider kProviders[] = {
      {"nfsv3", "nfsv3opinfo_t *", "nfs_range_args_t *", "nfs_result_t *"},
      {"nfsv4", "nfsv4opinfo_t *", "nfs_range_args_t *", "nfs_result_t *"},
      {"smb", "smbopinfo_t *", "smb_range_args_t *", "smb_range_args_t *"},
      {"iscsi", "iscsiinfo_t *", "", ""},
  };
  for (const Provider& one : kProviders) {
    if (pattern.provider != one.name) continue;
    std::vector<probe::Argument> out = {{"conninfo_t *"}, {std::string(one.properties)}};
    const std::string& name = pattern.name;
    const bool is_range = name.starts_with("op-read-") || name.starts_with("op-write-") ||
                          name.starts_with("op-Read") || name.starts_with("op-Write");
    std::string_view third = name.ends_with("-done") ? one.result : is_range ? one.range : "";
    if (name == "scsi-command") third = "scsicmd_t *";
    if (!third.empty()) out.push_back({std::string(third)});
    return out;
  }
  return {};
}

// What two probes whose args[] are alike have in common.
std::string key_of_arguments(const std::vector<probe::Argument>& arguments) {
  std::string key;
  for (const probe::Argument& argument : arguments) {
    key += fmt::format("{}{}<{}#{};", argument.userland ? "userland " : "", argument.type,
                       argument.native, argument.source);
  }
  return key;
}

}  // namespace

bool ProbeArguments::load_matched(Span span) {
  std::optional<std::string> first;
  std::string first_probe;
  for (const ProbeSpec& spec : scope_.clause->probes) {
    const auto pattern = probe::parse_pattern(spec.text);
    if (!pattern) {
      continue;
    }
    for (const probe::Probe& one : world_.probes.match(*pattern)) {
      std::vector<ProbeArgument> found;
      std::string key;
      if (const DeclaredProbe* declared = providers_.find(one.description)) {
        found = declared->arguments;
        key = declared->key;
      } else if (const auto arguments = world_.probes.arguments(one)) {
        key = key_of_arguments(*arguments);
        if (!first || *first != key) {
          found = published(*arguments);
        }
      } else {
        error("D_ARGS_NONE", span,
              fmt::format("args[ ] may not be referenced: the types of the arguments of {} are not "
                          "known",
                          probe::to_string(one.description)))
            .hint = "use arg0 to arg9";
        return false;
      }
      if (!first) {
        first = std::move(key);
        arguments_ = std::move(found);
        first_probe = probe::to_string(one.description);
      } else if (*first != key && (without_processes(*first) != without_processes(key) ||
                                   !are_same(found, *arguments_))) {
        error("D_ARGS_MULTI", span,
              fmt::format("args[ ] may not be referenced because probe description {} matches an "
                          "unstable set of probes",
                          spec.text))
            .hint = fmt::format("{} and {} have different arguments: use arg0 to arg9", first_probe,
                                probe::to_string(one.description));
        return false;
      }
    }
  }
  return true;
}

void ProbeArguments::load(Span span) {
  if (!load_matched(span)) {
    failed_ = true;
    arguments_.reset();
    return;
  }
  if (!arguments_ && world_.allow_unmatched) {
    for (const ProbeSpec& spec : scope_.clause->probes) {
      const auto pattern = probe::parse_pattern(spec.text);
      const auto foreign = pattern ? foreign_arguments(*pattern) : std::vector<probe::Argument>();
      if (!foreign.empty() && !arguments_) arguments_ = published(foreign);
    }
  }
  if (!arguments_) {
    // The error about the description is enough.
    for (const ProbeSpec& spec : scope_.clause->probes) {
      Diagnostic& unmatched = report_unmatched(
          probe::explain_unmatched(world_.probes, probe::parse_point(spec.text, spec.span)),
          diagnostics_);
      unmatched.region.clear();
      if (world_.allow_unmatched) {
        unmatched.notes.push_back({span,
                                   "-Z lets a probe come later, but args[] has types only "
                                   "where it is there; arg0 to arg9 have none"});
      }
    }
    failed_ = true;
  }
}

void ProbeArguments::element(Expr* e) {
  if (scope_.clause == nullptr) {
    error("D_ARGS_NONE", e->span, "args[ ] may not be referenced outside of a probe clause");
    return;
  }
  if (e->args.size() != 2) {
    error("D_PROTO_LEN", e->span,
          prototype_mismatch("args", "[ ]", "arg", e->args.size() - 1, 1, false));
    return;
  }
  Expr* at = e->args[1];
  expr(at);
  if (bad(at)) {
    return;
  }
  if (!at->is_constant || !rules_.is_integer(at->type)) {
    error("D_ARGS_TYPE", e->span, "args[ ] takes one index, an integer constant");
    return;
  }
  if (!arguments_ && !failed_) {
    load(e->span);
  }
  if (!arguments_) {
    return;
  }
  if (at->int_value >= arguments_->size() || at->int_value > 9) {
    const std::size_t count = arguments_->size();
    error("D_ARGS_IDX", at->span,
          fmt::format("index {} is out of range for {} args[ ]",
                      rules_.is_signed(at->type)
                          ? std::to_string(static_cast<std::int64_t>(at->int_value))
                          : std::to_string(at->int_value),
                      scope_.clause->probes.front().text))
        .hint = count == 0 ? "it has no arguments"
                           : fmt::format("it has {} argument{}: see dtrace -lv", count,
                                         count == 1 ? "" : "s");
    return;
  }
  const ProbeArgument& argument = (*arguments_)[at->int_value];
  const TypeId native = argument.native;
  const bool is_translated =
      argument.type != native &&
      (rules_.is_string(argument.type) || !providers_.is_simple_mapping(argument.type, native)) &&
      !rules_.catalog().same(argument.type, native);
  const TypeId type = is_translated ? native : argument.type;
  if (type == TypeId{} || !rules_.is_scalar(type)) {
    error("D_ARGS_TYPE", e->span, fmt::format("the type of args[{}] is not known", at->int_value))
        .hint = fmt::format("use arg{}", at->int_value);
    return;
  }
  e->symbol = Symbol::kBuiltin;
  e->text = "args";
  e->int_value = argument.source;
  e->type = type;
  if (is_translated) {
    translate(e, argument.type);
  }
}

// Two processes of one program have types of two names.
bool ProbeArguments::are_same(const std::vector<ProbeArgument>& a,
                              const std::vector<ProbeArgument>& b) const {
  const auto is_same = [&](const ProbeArgument& x, const ProbeArgument& y) {
    return x.source == y.source && x.type != TypeId{} && y.type != TypeId{} &&
           rules_.catalog().same(x.type, y.type) && rules_.catalog().same(x.native, y.native);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
}

std::vector<ProbeArgument> ProbeArguments::published(
    const std::vector<probe::Argument>& arguments) {
  std::vector<ProbeArgument> out;
  for (const probe::Argument& argument : arguments) {
    const std::string prefix = argument.userland ? "userland " : "";
    if (!argument.native.empty()) {
      // The library's type goes before one of the kernel that has its name.
      libraries_.load(argument.type.substr(0, argument.type.find(' ')));
    }
    const TypeId type = rules_.parse(prefix + argument.type).value_or(TypeId{});
    const auto index = static_cast<std::uint32_t>(out.size());
    if (argument.native.empty()) {
      out.push_back({type, type, index});
    } else {
      out.push_back(
          {type, rules_.parse(prefix + argument.native).value_or(TypeId{}), argument.source});
    }
  }
  return out;
}

// e is args[n], as the provider passes it; it becomes its translation to `type`.
void ProbeArguments::translate(Expr* e, TypeId type) {
  if (rules_.is_string(type)) {  // that is at the address
    Expr* const address = arena_.expr();
    *address = *e;
    e->kind = ExprKind::kStringof;
    e->symbol = Symbol::kUnresolved;
    e->args = {address};
    e->type = type;
    return;
  }
  const TypeId output = providers_.translated_output(type);
  translators_.load(output);
  const std::uint32_t found = translators_.find(output, e->type);
  if (found == 0) {
    error("D_ARGS_XLATOR", e->span,
          fmt::format("translator for args[{}] from \"{}\" to \"{}\" is not defined",
                      e->args[1]->int_value, type_name(e), rules_.name(type)));
    e->type = TypeId{};
    return;
  }
  Expr* raw = arena_.expr();
  *raw = *e;
  Expr* translated = arena_.expr();
  translated->kind = ExprKind::kXlate;
  translated->span = e->span;
  translated->args.push_back(expander_.implicit_cast(raw, translators_.input(found)));
  translated->type = type;
  translated->translation = found;
  translated->in_user = rules_.is_userland_pointer(raw->type);
  e->symbol = Symbol::kInline;
  e->slot = expander_.take_slot();
  e->inlined = translated;
  e->type = type;
  e->translation = found;
  e->in_user = translated->in_user;
}

}  // namespace dt::d
