#pragma once
// The variables of a session as aggregations of D, for the code that prints and draws those: each
// number, and each function of a statistic, is one.
//
// A key is as wide as the longest one, or, of variables that change, as one may ever be. A stack of
// an aggregation has addresses, and a resolver names them. The frames of a variable are named
// already: each name has an address here, by which the resolver finds it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "front/outcome.h"
#include "front/session.h"
#include "record/aggregation_source.h"
#include "record/schema.h"
#include "support/result.h"
#include "support/source.h"
#include "symbol/resolve/resolver.h"

namespace dt::api {

class FrameNames final : public symbol::Resolver {
 public:
  std::uint64_t address_of(const front::OutcomeFrame& frame);
  bool kernel(KernelAddr address, symbol::Symbol& out) override { return find(address.value, out); }
  bool user(std::int32_t, UserAddr address, symbol::Symbol& out) override {
    return find(address.value, out);
  }
  void note_process(std::int32_t) override {}

 private:
  bool find(std::uint64_t number, symbol::Symbol& out) const;

  std::vector<front::OutcomeFrame> frames_;
  std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint64_t> numbers_;
};

class VariableTables final : public record::AggregationSource {
 public:
  // The variables that a run ends with.
  explicit VariableTables(const std::vector<front::Outcome>& variables);
  // The variables of a session, which `read` visits whenever an aggregation is read. The schema has
  // two clauses for each keeper: one that prints variables, and one that clears them.
  using Read = std::function<void(std::uint32_t variable, const front::Session::VisitVariable&)>;
  VariableTables(const std::vector<front::Session::Variable>& variables,
                 const std::vector<front::Session::Keeper>& keepers, Read read);

  Status read(std::uint32_t aggregation, const Visit& visit) override;

  // Variables have changed since they were read.
  void forget();
  const record::Schema& schema() const { return schema_; }
  const record::Layout& printing(std::uint32_t keeper) const {
    return schema_.layouts[std::size_t{2} * keeper];
  }
  const record::Layout& emptying(std::uint32_t keeper) const {
    return schema_.layouts[std::size_t{2} * keeper + 1];
  }
  const Sources& sources() const { return sources_; }
  FrameNames& names() { return names_; }
  int texts() const { return texts_; }  // that are left out, as they are no numbers
  // All keys of a table are as long as the longest: a recording of another user may want any
  // memory. Whether the variables need more than kMostBytes. If they change while they are read,
  // only elements without room are left out.
  bool is_too_large() const { return is_too_large_; }
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

 private:
  using Rows = std::vector<const front::Outcome*>;
  struct Table {
    std::vector<record::Field> keys;  // placed
    std::uint32_t key_bytes = 0;
    std::uint32_t first = 0;  // its first aggregation
    bool is_statistic = false;
    bool is_read = false;
    std::vector<std::pair<std::vector<std::uint8_t>, front::Outcome>> rows = {};
  };

  record::Field key_field(std::size_t key, std::size_t of) const;
  record::Field fitting_field(const Rows& rows, std::size_t key) const;
  void add_rows(const std::string& name, const Rows& rows);
  void add_table(const std::string& name, std::vector<record::Field> keys, bool is_statistic,
                 bool is_counted, const std::vector<record::AggFunc>& functions,
                 const record::AggParams& params);
  void add_keeper(const front::Session::Keeper& keeper);
  std::vector<std::uint32_t> aggregations_of(std::uint32_t table) const;
  void put(const front::OutcomeValue& value, const record::Field& field, std::uint8_t* to);
  void add_row(Table& table, front::Outcome row);

  record::Schema schema_;
  Sources sources_;
  std::uint32_t source_ = 0;
  FrameNames names_;
  std::vector<Table> tables_;
  std::vector<std::uint32_t> table_of_;  // by aggregation
  Read read_;
  int texts_ = 0;
  std::uint64_t bytes_ = 0;  // of all keys
  bool is_too_large_ = false;
};

}  // namespace dt::api
