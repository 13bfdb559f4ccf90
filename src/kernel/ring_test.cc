// The ring reader on memory laid out by hand.

#include "kernel/ring.h"

#include <gtest/gtest.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/fd.h"

namespace dt::kernel {
namespace {

// A ring of one page. Its writer has the data twice, as the kernel does; its reader has it once,
// with nothing behind it.
class RingTest : public testing::Test {
 protected:
  static constexpr std::size_t kSize = 4096;

  void SetUp() override {
    const Fd file(::memfd_create("ring", MFD_CLOEXEC));
    ASSERT_EQ(::ftruncate(file.get(), kSize), 0);
    void* const area = ::mmap(nullptr, 2 * kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    data_ = static_cast<std::uint8_t*>(area);
    for (int i = 0; i < 2; ++i) {
      ASSERT_NE(::mmap(data_ + static_cast<std::size_t>(i) * kSize, kSize, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_FIXED, file.get(), 0),
                MAP_FAILED);
    }
    void* const once = ::mmap(nullptr, 2 * kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(::mmap(once, kSize, PROT_READ, MAP_SHARED | MAP_FIXED, file.get(), 0), MAP_FAILED);
    once_ = static_cast<std::uint8_t*>(once);
    ring_ = {&consumer_, &producer_, once_, kSize};
  }
  void TearDown() override {
    ::munmap(data_, 2 * kSize);
    ::munmap(once_, 2 * kSize);
  }

  // Writes a record at the producer's position; returns where its length is.
  std::uint32_t* put(const std::string& text, std::uint32_t bits = 0) {
    std::uint8_t* const at = data_ + producer_ % kSize;
    const auto length = static_cast<std::uint32_t>(text.size()) | bits;
    std::memcpy(at, &length, sizeof length);
    std::memcpy(at + BPF_RINGBUF_HDR_SZ, text.data(), text.size());
    producer_ += (BPF_RINGBUF_HDR_SZ + text.size() + 7) / 8 * 8;
    return reinterpret_cast<std::uint32_t*>(at);
  }
  std::vector<std::string> consume() {
    std::vector<std::string> out;
    consumed_ = consume_ring(ring_, [&](std::span<const std::uint8_t> record) {
      out.emplace_back(record.begin(), record.end());
    });
    return out;
  }

  std::uint8_t* data_ = nullptr;
  std::uint8_t* once_ = nullptr;
  std::uint64_t consumer_ = 0;
  std::uint64_t producer_ = 0;
  RingMemory ring_;
  std::size_t consumed_ = 0;
};

using Texts = std::vector<std::string>;

TEST_F(RingTest, GivesNothingWhenNothingWasWritten) {
  EXPECT_EQ(consume(), Texts{});
  EXPECT_EQ(consumed_, 0U);
}

TEST_F(RingTest, GivesRecordsInOrderAndTellsTheWriter) {
  put("first");
  put("the second");
  EXPECT_EQ(consume(), (Texts{"first", "the second"}));
  EXPECT_EQ(consumed_, 16U + 24U);
  EXPECT_EQ(consumer_, producer_);
  EXPECT_EQ(consume(), Texts{});
}

TEST_F(RingTest, ReadsARecordThatWrapsAround) {
  consumer_ = producer_ = 5 * kSize - 16;
  put("a record that begins at the end and ends at the beginning");
  put("next");
  EXPECT_EQ(consume(),
            (Texts{"a record that begins at the end and ends at the beginning", "next"}));
  EXPECT_EQ(consumer_, producer_);
}

TEST_F(RingTest, WaitsForARecordThatIsStillBeingWritten) {
  put("done");
  std::uint32_t* const busy = put("later", BPF_RINGBUF_BUSY_BIT);
  put("behind");
  EXPECT_EQ(consume(), Texts{"done"});
  EXPECT_EQ(consume(), Texts{});
  *busy &= ~BPF_RINGBUF_BUSY_BIT;
  EXPECT_EQ(consume(), (Texts{"later", "behind"}));
}

TEST_F(RingTest, SkipsDiscardedRecords) {
  put("one");
  put("gone", BPF_RINGBUF_DISCARD_BIT);
  put("two");
  EXPECT_EQ(consume(), (Texts{"one", "two"}));
  EXPECT_EQ(consumer_, producer_);
}

TEST_F(RingTest, GivesRoomBackWhileAFullRingIsRead) {
  while (producer_ - consumer_ + 64 <= kSize) {
    put(std::string(56, 'x'));
  }
  std::vector<std::uint64_t> seen;
  consume_ring(ring_, [&](std::span<const std::uint8_t>) { seen.push_back(consumer_); });
  EXPECT_EQ(seen.front(), 0U);
  EXPECT_GT(seen[seen.size() / 2], 0U);
  EXPECT_EQ(consumer_, producer_);
}

TEST_F(RingTest, LeavesWhatIsWrittenMeanwhileToTheNextCall) {
  put("one");
  Texts out;
  consume_ring(ring_, [&](std::span<const std::uint8_t> record) {
    out.emplace_back(record.begin(), record.end());
    put("more");
  });
  EXPECT_EQ(out, Texts{"one"});
  EXPECT_EQ(consume(), Texts{"more"});
}

TEST_F(RingTest, GivesAnEmptyRecord) {
  put("");
  EXPECT_EQ(consume(), Texts{""});
  EXPECT_EQ(consumed_, 8U);
}

}  // namespace
}  // namespace dt::kernel
