#pragma once
// Additions: what events have added in the kernel (meaning/accumulations.h), on its way into the
// variables at home.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "front/session.h"
#include "stap/home/variables.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class Additions {
 public:
  using GlobalOf = std::function<Global&(const Symbol&)>;
  // All arguments must outlive this. `full` is called for an array that has no room for an element
  // that was taken, with the place of the script that adds to it.
  Additions(const Program& program, front::Session::Accumulator source, GlobalOf global,
            std::function<void(const Symbol& array, Span place)> full)
      : program_(program),
        all_(program.accumulations),
        source_(std::move(source)),
        global_(std::move(global)),
        full_(std::move(full)) {}

  // All that firings have added which have ended is in the variables. Why it could not be taken, or
  // "".
  std::string take();
  // Tells the kernel which elements there are now, behind a handler that may have changed that.
  void tell();
  // Handlers may go on in the kernel again.
  void release();

 private:
  // An element that was taken, or a scalar: by part, its words.
  struct Taken {
    std::vector<Value> keys;
    std::vector<std::vector<std::uint64_t>> words;
  };
  struct Where {
    std::size_t variable = 0, part = 0;
    int epoch = -1;  // of a scalar
  };
  // Words of the epoch that has not ended yet: they are added at the next take().
  struct Later {
    std::uint32_t aggregation = 0;
    std::vector<std::uint8_t> key;
    std::vector<std::uint64_t> words;
  };

  void find_aggregations();
  bool wants(std::uint32_t aggregation, int epoch) const;
  void add(std::uint32_t aggregation, std::span<const std::uint8_t> key,
           std::span<const std::uint64_t> words, int epoch);
  void put_scalar(const Accumulated& of, const Taken& taken);
  void put_elements(const Accumulated& of, std::unordered_map<std::string, Taken>& taken);
  std::vector<Value> keys_of(const Accumulated& of, std::span<const std::uint8_t> key,
                             int& epoch) const;
  std::vector<std::uint8_t> present_key(const Accumulated& of,
                                        const std::vector<Value>& keys) const;

  const Program& program_;
  const Accumulations& all_;
  front::Session::Accumulator source_;
  GlobalOf global_;
  std::function<void(const Symbol& array, Span place)> full_;
  std::map<std::uint32_t, Where> where_;  // by aggregation
  std::vector<Later> later_;
  std::vector<std::unordered_map<std::string, Taken>> taken_;  // by variable, by key
  std::vector<std::unordered_set<std::string>>
      announced_;  // by variable, the elements that the kernel knows of
};

}  // namespace dt::stap
