#include "parameter.h"

#include <stdexcept>
#include <utility>

namespace load {

Parameter::Parameter(std::string name, nlohmann::json text, std::uint64_t seed)
    : name_(std::move(name)), random_(seed) {
  if (!text.is_object()) {
    constant_ = std::move(text);
  } else if (text.contains("pmap")) {
    read_map(text.at("pmap"));
  } else if (text.contains("randvar")) {
    read_variable(text.at("randvar"));
  } else if (text.contains("randgen") && text.at("randgen").value("class", "") == "seq") {
    kind_ = Kind::kSequence;
  } else {
    throw std::runtime_error(
        name_ + ": neither a constant, nor pmap, randvar or randgen (seq): " + text.dump());
  }
}

void Parameter::read_variable(const nlohmann::json& variable) {
  const std::string kind = variable.value("class", "");
  if (kind == "uniform") {
    kind_ = Kind::kUniform;
    min_ = variable.at("min").get<std::int64_t>();
    max_ = variable.at("max").get<std::int64_t>();
    if (min_ > max_) throw std::runtime_error(name_ + ": min is above max");
  } else if (kind == "exponential") {
    kind_ = Kind::kExponential;
    mean_ = variable.at("mean").get<double>();
    if (mean_ <= 0) throw std::runtime_error(name_ + ": mean is not above 0");
  } else {
    throw std::runtime_error(name_ + ": randvar's class is uniform or exponential, not \"" + kind +
                             "\"");
  }
}

void Parameter::read_map(const nlohmann::json& entries) {
  kind_ = Kind::kMap;
  for (const nlohmann::json& entry : entries) {
    probabilities_.push_back(entry.at("probability").get<double>());
    values_.push_back(entry.at("value"));
  }
  if (values_.empty()) throw std::runtime_error(name_ + ": pmap is empty");
}

nlohmann::json Parameter::draw() {
  switch (kind_) {
    case Kind::kConstant:
      return constant_;
    case Kind::kUniform:
      return std::uniform_int_distribution<std::int64_t>(min_, max_)(random_);
    case Kind::kExponential:
      return static_cast<std::int64_t>(std::exponential_distribution<double>(1 / mean_)(random_));
    case Kind::kSequence:
      return next_++;
    case Kind::kMap:
      return values_[static_cast<std::size_t>(
          std::discrete_distribution<int>(probabilities_.begin(), probabilities_.end())(random_))];
  }
  return nullptr;
}

}  // namespace load
