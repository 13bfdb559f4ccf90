// See handlers.h.

#include "stap/meaning/handlers.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/pattern.h"
#include "stap/meaning/call_points.h"
#include "stap/meaning/points.h"
#include "stap/syntax/clone.h"

namespace dt::stap {
namespace {

// Whether a pattern means the name of an alias: `*` is any text within a component, `**` also over
// several of them. `reached[i]`: what is read of the pattern means the first i characters.
bool pattern_means(std::string_view pattern, std::string_view name) {
  // Most names differ before the first wildcard, and some families have hundreds of them.
  const std::size_t literal = std::min(pattern.find('*'), pattern.size());
  if (name.substr(0, literal) != pattern.substr(0, literal)) return false;
  std::vector<bool> reached(name.size() + 1);
  reached[0] = true;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p] == '*') {
      const bool is_over_dots = p + 1 < pattern.size() && pattern[p + 1] == '*';
      if (is_over_dots) ++p;
      for (std::size_t i = 0; i < name.size(); ++i) {
        if (reached[i] && (is_over_dots || name[i] != '.')) reached[i + 1] = true;
      }
      continue;
    }
    for (std::size_t i = name.size(); i > 0; --i) {
      reached[i] = reached[i - 1] && name[i - 1] == pattern[p];
    }
    reached[0] = false;
  }
  return reached.back();
}

class Handlers {
 public:
  Handlers(Program& program, Messages& messages) : program_(program), messages_(messages) {}

  // Of a probe: one for its own points, and one for each alias that they name.
  bool derive(const Probe& probe) {
    bool is_good = true;
    const std::uint32_t list = ++lists_;
    std::uint32_t at = 0;
    for (const ProbePoint& point : probe.points) {
      std::vector<const Stmt*> before, after;
      const std::size_t had = program_.handlers.size();
      is_good = expand(point, *probe.body, before, after, 0) && is_good;
      add_choice({list, at++, point.is_sufficient}, had);
      if (!probe::is_literal(to_text(point))) add_choice({++lists_, kOfPattern, false}, had);
    }
    return is_good;
  }

 private:
  std::optional<PointTree::Misfit> misfit(const ProbePoint& point) {
    std::optional<PointTree::Misfit> out = tree_.misfit(point);
    if (!out || has_aliases_) return out;
    has_aliases_ = true;
    for (const std::string& one : program_.around.aliases) tree_.add_alias(one);
    for (const auto& alias : program_.script.aliases) {
      for (const std::string& one : alias->aliases) tree_.add_alias(one);
    }
    if (program_.around.call_names) {
      for (const std::string& one : program_.around.call_names()) tree_.add_call(one);
    }
    return tree_.misfit(point);
  }

  // Of the handlers that a point of a list has made, from this one on.
  void add_choice(const Handler::Choice& choice, std::size_t first) {
    for (std::size_t i = first; i < program_.handlers.size(); ++i) {
      program_.handlers[i].choices.push_back(choice);
    }
  }

  bool expand(const ProbePoint& point, const Stmt& body, std::vector<const Stmt*>& before,
              std::vector<const Stmt*>& after, std::size_t depth) {
    constexpr std::size_t kMostDepth = 20;
    bool found = false, is_good = true;
    const bool is_whole = is_alias(point);
    const std::size_t all_before = program_.handlers.size();
    for (const auto& alias : program_.script.aliases) {
      std::vector<Component> suffix;
      if (!names_alias(point, *alias, suffix) || (is_whole && !suffix.empty())) continue;
      if (depth > kMostDepth) {
        messages_.point_error(
            fmt::format("recursive loop in alias expansion of {}", to_text(point)), point.span,
            std::nullopt);
        return false;
      }
      found = true;
      if (depth == 0) alias_ = name_of(point, *alias, suffix);
      alias->body->is_of_library = alias->is_library;
      (alias->is_epilogue ? after : before).push_back(alias->body.get());
      if (alias->epilogue != nullptr) after.push_back(alias->epilogue.get());
      const std::uint32_t list = ++lists_;
      std::uint32_t at = 0;
      for (const ProbePoint& inner : alias->points) {
        ProbePoint made;
        made.components = inner.components;
        made.components.insert(made.components.end(), suffix.begin(), suffix.end());
        made.span = inner.span;
        made.own_count = inner.components.size();
        if (!suffix.empty()) made.suffix_of = point.span;
        made.is_optional =
            inner.is_optional || inner.is_sufficient || point.is_optional || point.is_sufficient;
        if (inner.condition) made.condition = clone(*inner.condition);
        const std::size_t had = program_.handlers.size();
        is_good = expand(made, body, before, after, depth + 1) && is_good;
        add_choice({list, at++, inner.is_sufficient}, had);
        for (std::size_t i = had; i < program_.handlers.size(); ++i) {
          add_condition(point, program_.handlers[i]);
        }
      }
      (alias->is_epilogue ? after : before).pop_back();
      if (alias->epilogue != nullptr) after.pop_back();
    }
    if (found) is_good = is_resolved(point, all_before) && is_good;
    found = expand_families(point, body, before, after, depth) || found;
    if (found) return is_good;
    if (depth == 0) alias_.clear();
    Handler made;
    made.alias = alias_;
    if (!resolve_point(point, program_.around, misfit(point), messages_, made)) {
      return point.is_optional || point.is_sufficient;
    }
    made.body = std::make_unique<Stmt>();
    made.body->kind = StmtKind::kBlock;
    made.body->span = body.span;
    // An alias is what its points are, with a body around: that of the alias which it names comes
    // before its own, so that it may use the variables of that one. Behind the probe it is the
    // other way round.
    for (auto one = before.rbegin(); one != before.rend(); ++one) {
      add_alias(**one, *made.body);
    }
    made.body->body.push_back(clone(body));
    for (const Stmt* one : after) add_alias(*one, *made.body);
    if (point.condition) made.condition = clone(*point.condition);
    program_.handlers.push_back(std::move(made));
    return true;
  }

  // Whether an alias has any point, or need not have one; otherwise it is no point itself.
  bool is_resolved(const ProbePoint& alias, std::size_t before) {
    if (program_.handlers.size() > before || alias.is_optional || alias.is_sufficient) return true;
    const bool has_pattern = to_text(alias).find('*') != std::string::npos;
    if (!has_pattern) messages_.point_error("no match", alias.span, std::nullopt);
    return has_pattern;
  }

  // sys*.read: what each family has that matches. False: none has.
  bool expand_families(const ProbePoint& point, const Stmt& body, std::vector<const Stmt*>& before,
                       std::vector<const Stmt*>& after, std::size_t depth) {
    if (depth > 0) return false;
    bool found = false;
    for (const std::string& family : families_of(point.components.front().name)) {
      ProbePoint made;
      made.components = point.components;
      made.components.front().name = family;
      made.span = point.span;
      made.is_optional = true;
      made.is_sufficient = point.is_sufficient;
      if (point.condition) made.condition = clone(*point.condition);
      const std::size_t had = program_.handlers.size();
      expand(made, body, before, after, depth);
      found = found || program_.handlers.size() > had;
    }
    return found;
  }

  // The condition of an alias, and that of the probe that names it: both must hold.
  static void add_condition(const ProbePoint& point, Handler& handler) {
    if (point.condition == nullptr) return;
    ExprPtr own = clone(*point.condition);
    if (handler.condition == nullptr) {
      handler.condition = std::move(own);
      return;
    }
    auto both = std::make_unique<Expr>();
    both->kind = ExprKind::kBinary;
    both->text = "&&";
    both->span = own->span;
    both->place = own->place;
    both->kids.push_back(std::move(handler.condition));
    both->kids.push_back(std::move(own));
    handler.condition = std::move(both);
  }

  // Whether it is an alias without a suffix: an alias vfs.read.return is meant, and not the
  // return of vfs.read.
  bool is_alias(const ProbePoint& point) const {
    const std::string text = to_text(point);
    for (const auto& alias : program_.script.aliases) {
      for (const std::string& name : alias->aliases) {
        if (pattern_means(text, name)) return true;
      }
    }
    return false;
  }

  // Whether the point is the alias, or the alias with components behind it: alias.return is
  // what it stands for, .return.
  static bool names_alias(const ProbePoint& point, const Probe& alias,
                          std::vector<Component>& suffix) {
    for (const std::string& name : alias.aliases) {
      if (pattern_means(to_text(point), name)) return true;
    }
    ProbePoint head;
    for (std::size_t i = 0; i + 1 < point.components.size(); ++i) {
      head.components.push_back(point.components[i]);
      const std::string text = to_text(head);
      if (text.find('*') != std::string::npos) return false;
      if (std::find(alias.aliases.begin(), alias.aliases.end(), text) == alias.aliases.end())
        continue;
      suffix.assign(point.components.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    point.components.end());
      return true;
    }
    return false;
  }

  // What a pattern of aliases has found.
  static std::string name_of(const ProbePoint& point, const Probe& alias,
                             const std::vector<Component>& suffix) {
    for (const std::string& name : alias.aliases) {
      if (suffix.empty() && pattern_means(to_text(point), name)) return name;
    }
    return to_text(point);
  }

  static void add_alias(const Stmt& body, Stmt& to) {
    to.body.push_back(clone(body));
    to.body.back()->is_alias = true;
  }

  Program& program_;
  Messages& messages_;
  PointTree tree_;
  bool has_aliases_ = false;  // the tree has those of the script and the library
  std::uint32_t lists_ = 0;   // of points: those of probes and of aliases
  std::string alias_;         // the outermost one of the point at hand
};

// A file has one handler for each way, and is no directory of another one.
bool check_files(const Program& program, Messages& messages) {
  bool is_good = true;
  std::vector<const Handler*> before;
  for (const Handler& one : program.handlers) {
    if (one.kind != HandlerKind::kFile) continue;
    for (const Handler* const other : before) {
      const std::string &a = one.file.path, &b = other->file.path;
      const bool is_twice = a == b && one.file.is_write == other->file.is_write;
      const bool is_within = a.starts_with(b + "/") || b.starts_with(a + "/");
      if (!is_twice && !is_within) continue;
      messages.semantic_error(
          is_twice ? fmt::format("another probe {} the file '{}'",
                                 one.file.is_write ? "is for writes of" : "is for reads of", a)
                   : fmt::format("'{}' and '{}' cannot both be files", b, a),
          one.span);
      is_good = false;
      break;
    }
    before.push_back(&one);
  }
  return is_good;
}

// The system calls that points of the script surely have: "syscall.pipe2.return".
std::set<std::string, std::less<>> calls_of(const Script& script) {
  std::set<std::string, std::less<>> out;
  for (const auto* const probes : {&script.probes, &script.aliases}) {
    for (const auto& probe : *probes) {
      for (const ProbePoint& point : probe->points) {
        const bool is_call = !probe->is_library && point.components.size() > 1 &&
                             point.components[0].name.ends_with("syscall");
        if (!is_call || point.condition != nullptr || point.is_optional) continue;
        const bool is_return = point.components.size() > 2 && point.components[2].name == "return";
        out.insert(call_point(point.components[0].name, point.components[1].name, is_return));
      }
    }
  }
  return out;
}

}  // namespace

bool make_handlers(Program& program, Messages& messages) {
  program.around.named_calls = calls_of(program.script);
  Handlers handlers(program, messages);
  bool is_good = true;
  for (const auto& probe : program.script.probes) is_good = handlers.derive(*probe) && is_good;
  return check_files(program, messages) && is_good;
}

}  // namespace dt::stap
