#include "d/syntax/macros.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/characters.h"
#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::d {
namespace {

constexpr std::uint64_t kMaxArgument = 9999;  // $n beyond this is not an argument

const std::vector<std::string_view>& macro_names() {
  static const std::vector<std::string_view> names = {
      "target", "pid", "ppid", "uid", "euid", "gid", "egid", "pgid", "sid", "projid", "taskid"};
  return names;
}

}  // namespace

std::optional<Macros::Value> Macros::find(std::string_view name) {
  if (!name.empty() && is_digit(name[0])) {
    std::uint64_t index = 0;
    for (const char c : name) {
      index = std::min(index * 10 + static_cast<std::uint64_t>(c - '0'), kMaxArgument + 1);
    }
    if (index <= kMaxArgument) {
      if (references_.size() <= index) {
        references_.resize(index + 1);
      }
      references_[index] = true;
    }
    if (index < world_.macro_args.size()) {
      return Value{world_.macro_args[index]};
    }
    return default_args_ ? std::optional(Value{"", true}) : std::nullopt;
  }
  if (const auto found = declared_.find(name); found != declared_.end()) {
    return found->second;
  }
  if (world_.macro) {
    if (const std::optional<std::int64_t> value = world_.macro(name)) {
      return Value{fmt::format("{}", *value)};
    }
  }
  return std::nullopt;
}

std::optional<Macros::Value> Macros::find_in_expression(std::string_view name) {
  std::optional<Value> found = find(name);
  if (!found && name == "target") found = Value{"0"};
  return found;
}

Status Macros::declare(const front::ScriptOption& option) {
  const std::vector<std::string_view>& taken = macro_names();
  if (std::find(taken.begin(), taken.end(), option.name) != taken.end()) {
    return Error::of(fmt::format("${} has a meaning already", option.name), "choose another name");
  }
  if (declared_.contains(option.name)) {
    return Error::of(fmt::format("{} is declared twice", option.name));
  }
  const auto named = world_.named_args.find(option.name);
  const std::string* given = named == world_.named_args.end() ? nullptr : &named->second;
  if (option.letter == '\0') {
    const std::size_t index = ++arguments_;
    references_.resize(std::max(references_.size(), index + 1));
    references_[index] = true;
    if (given == nullptr && index < world_.macro_args.size()) {
      given = &world_.macro_args[index];
    }
  }
  Result<front::ScriptValue> value =
      front::script_value(option, given == nullptr ? option.fallback : *given);
  if (!value.ok()) {
    // What uses it is no error, too.
    if (Result<front::ScriptValue> fallback = front::script_value(option, option.fallback);
        fallback.ok()) {
      define(option.name, std::move(*fallback));
    }
    return value.error();
  }
  if (value->text == front::kTarget && !value->is_string) {
    const std::optional<Value> target = find("target");
    if (!target) {
      return Error::of(fmt::format("${} is $target, and there is no process", option.name),
                       undefined_hint("target"));
    }
    value->text = value->in_description = target->text;
  }
  define(option.name, std::move(*value));
  return {};
}

void Macros::define(const std::string& name, front::ScriptValue&& value) {
  declared_.emplace(name, Value{.text = std::move(value.text),
                                .is_string = value.is_string,
                                .in_description = std::move(value.in_description)});
}

std::string Macros::undefined_text(std::string_view name) {
  return fmt::format("macro {} ${} is not defined",
                     !name.empty() && is_digit(name[0]) ? "argument" : "variable", name);
}

std::string Macros::undefined_hint(std::string_view name) {
  if (!name.empty() && is_digit(name[0])) {
    return "give it after the script's name, or allow it to be missing with -x defaultargs";
  }
  if (name == "target") {
    return "give a process to trace with -p PID or -c COMMAND";
  }
  const std::string near = support::nearest(name, macro_names());
  return near.empty()
             ? fmt::format("a variable of the clause is this->{}: $ begins an argument or a macro",
                           name)
             : fmt::format("did you mean \"${}\"?", near);
}

}  // namespace dt::d
