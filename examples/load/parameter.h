// What a workload is given for each request: a constant, or a value that is drawn.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace load {

/// A parameter of a workload. Its text is one of
///   5, "text", true                                          the same value for each request
///   {"randvar": {"class": "uniform", "min": 1, "max": 6}}    a number of [min, max]
///   {"randvar": {"class": "exponential", "mean": 100}}       a number
///   {"randgen": {"class": "seq"}}                            0, 1, 2, ...
///   {"pmap": [{"probability": 0.8, "value": "a"}, ...]}      one of the values
/// The same seed gives the same values.
class Parameter {
 public:
  /// \throws std::runtime_error  the text is none of these; says why
  Parameter(std::string name, nlohmann::json text, std::uint64_t seed);

  nlohmann::json draw();

 private:
  enum class Kind { kConstant, kUniform, kExponential, kSequence, kMap };

  void read_variable(const nlohmann::json& variable);
  void read_map(const nlohmann::json& entries);

  std::string name_;
  Kind kind_ = Kind::kConstant;
  nlohmann::json constant_;
  std::int64_t min_ = 0, max_ = 0, next_ = 0;
  double mean_ = 0;
  std::vector<double> probabilities_;
  std::vector<nlohmann::json> values_;
  std::mt19937_64 random_;
};

}  // namespace load
