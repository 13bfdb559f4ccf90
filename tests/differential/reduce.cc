// See reduce.h.

#include "reduce.h"

#include <utility>

namespace dt::differential {
namespace {

class Reducer {
 public:
  Reducer(Script script, const std::function<bool(const Script&)>& fails)
      : script_(std::move(script)), fails_(fails) {}

  Script run() {
    do {
      is_smaller_ = false;
      drop_from(script_.clauses);
      drop_from(script_.firings);
      for (Clause& clause : script_.clauses) {
        if (!clause.predicate.empty()) attempt(clause.predicate, std::string());
        block(clause.body);
      }
      drop_from(script_.declarations);
    } while (is_smaller_);
    return std::move(script_);
  }

 private:
  // Keeps `value` in `place` when the script still fails with it.
  template <typename T>
  bool attempt(T& place, T value) {
    std::swap(place, value);
    if (fails_(script_)) {
      is_smaller_ = true;
      return true;
    }
    std::swap(place, value);
    return false;
  }

  template <typename T>
  void drop_from(std::vector<T>& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
      std::vector<T> less = list;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      attempt(list, std::move(less));
    }
  }

  void block(std::vector<Statement>& body) {
    drop_from(body);
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (!body[i].is_if) continue;
      if (hoist(body, i, body[i].then) || hoist(body, i, body[i].otherwise)) continue;
      block(body[i].then);
      block(body[i].otherwise);
    }
  }

  // Puts a branch in the place of its if.
  bool hoist(std::vector<Statement>& body, std::size_t at, const std::vector<Statement>& branch) {
    std::vector<Statement> less = body;
    const auto place = less.erase(less.begin() + static_cast<std::ptrdiff_t>(at));
    less.insert(place, branch.begin(), branch.end());
    return attempt(body, std::move(less));
  }

  Script script_;
  const std::function<bool(const Script&)>& fails_;
  bool is_smaller_ = false;
};

}  // namespace

Script reduce(Script script, const std::function<bool(const Script&)>& fails) {
  return Reducer(std::move(script), fails).run();
}

}  // namespace dt::differential
