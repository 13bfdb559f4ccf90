// Rows of printrow() as text and as CSV.

#include "consumer/value/table.h"

#include <gtest/gtest.h>

#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

class TableTest : public ::testing::Test, public Trial {
 protected:
  std::uint32_t row(const std::string& columns, const std::vector<FieldType>& types) {
    return clause(ActionKind::kPrintrow, types, columns);
  }
};

TEST_F(TableTest, ColumnsBeginAsWideAsTheirTypeAndGrow) {
  const std::uint32_t epid =
      row("PID\nNAME\nN %{ms}.1f", {int_type(4), type(FieldKind::kString, 32), int_type(8)});
  consume(epid, {int_bytes(5, 4), "sh", int_bytes(1'000'000, 8)});
  consume(epid, {int_bytes(123456789, 4), "a name of many characters", int_bytes(0, 8)});
  consume(epid, {int_bytes(6, 4), "ls", int_bytes(2'000'000, 8)});
  EXPECT_EQ(text(),
            "    PID NAME                      N\n"
            "      5 sh                      1.0\n"
            "123456789 a name of many characters        0.0\n"
            "        6 ls                               2.0\n");
}

TEST_F(TableTest, AHeaderStandsWhereTheTableChanges) {
  const std::uint32_t one = row("A", {int_type(1)});
  const std::uint32_t same = row("A", {int_type(1)});
  const std::uint32_t other = row("B", {int_type(1)});
  for (const std::uint32_t epid : {one, same, other, one}) consume(epid, {int_bytes(1, 1)});
  EXPECT_EQ(text(), "  A\n  1\n  1\n  B\n  1\n  A\n  1\n");
}

TEST_F(TableTest, CharactersOfSeveralBytesAreOneColumn) {
  const std::uint32_t epid = row("A %-4s\nB", {type(FieldKind::kString, 8), int_type(1)});
  consume(epid, {"\u00e4\u00f6", int_bytes(1, 1)});
  consume(epid, {"ab", int_bytes(2, 1)});
  EXPECT_EQ(text(), "A      B\n\u00e4\u00f6     1\nab     2\n");
}

TEST_F(TableTest, MoreColumnsThanValuesAreNotShown) {
  consume(row("A\nB\nC", {int_type(1)}), {int_bytes(1, 1)});
  consume(row("A", {int_type(1), int_type(1)}), {int_bytes(1, 1), int_bytes(2, 1)});
  EXPECT_EQ(text(), "  A\n  1\n  A\n  1\n");
}

TEST_F(TableTest, CsvQuotesWhatNeedsIt) {
  options.form = Form::kCsv;
  options.exact_names = true;  // as in a file
  const std::uint32_t epid = row("A, \"B\"\nC", {type(FieldKind::kString, 8), int_type(8)});
  for (const char* value : {"x", "a,b", "\"", "a\nb", " x", ""}) {
    consume(epid, {value, int_bytes(static_cast<std::uint64_t>(-1), 8)});
  }
  EXPECT_EQ(
      text(),
      "\"A, \"\"B\"\"\",C,drops\nx,-1,0\n\"a,b\",-1,0\n\"\"\"\",-1,0\n\"a\nb\",-1,0\n\" x\",-1,0\n"
      ",-1,0\n");
}

}  // namespace
}  // namespace dt::consumer::testing
