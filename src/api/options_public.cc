// dtrace::Options over the values.

#include <utility>

#include "api/options/option_table.h"
#include "api/options/options.h"
#include "api/output/convert.h"

namespace dtrace {

Options::Options() : state_(std::make_unique<State>()) {}
Options::~Options() = default;
Options::Options(const Options& other) : state_(std::make_unique<State>(*other.state_)) {}
// What is moved from can still be used.
Options::Options(Options&& other) noexcept : state_(std::make_unique<State>()) {
  std::swap(state_, other.state_);
}
Options& Options::operator=(const Options& other) {
  *state_ = State(*other.state_);
  return *this;
}
Options& Options::operator=(Options&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Status Options::set(std::string_view name, std::string_view value) {
  return dt::api::given(dt::api::set_option(state_->values, name, value));
}

bool Options::flag(std::string_view name) const {
  return dt::api::option_flag(state_->values, name);
}

std::string Options::get(std::string_view name) const {
  return dt::api::option_text(state_->values, name);
}

std::string Options::unused_on_replay() const { return dt::api::unused_on_replay(state_->values); }

const std::vector<std::string>& Options::notes() const { return state_->values.notes; }

}  // namespace dtrace
