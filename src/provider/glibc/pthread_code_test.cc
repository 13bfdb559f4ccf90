// What is found in the glibc of this very program.

#include "provider/glibc/pthread_code.h"

#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dt::provider {
namespace {

std::unique_ptr<Image> glibc() {
  const auto objects = symbol::objects_of(::getpid());
  if (!objects.ok()) return nullptr;
  for (const symbol::ProcessObject& object : *objects) {
    if (!symbol::is_called(object, "libc")) continue;
    auto image = Image::open(object);
    if (image.ok() && is_glibc(**image)) return std::move(*image);
  }
  return nullptr;
}

class PthreadCodeTest : public testing::Test {
 protected:
  void SetUp() override {
    image_ = glibc();
    if (image_ == nullptr) GTEST_SKIP() << "this program's C library is not glibc";
    Result<PthreadCode> code = pthread_code(*image_);
    ASSERT_TRUE(code.ok()) << code.error().text;
    code_ = std::move(*code);
  }

  std::uint64_t address_of(const char* name) const {
    return image_->functions().named(name).at(0)->address;
  }
  // How far the library is from where its file says.
  std::uint64_t moved() const {
    return reinterpret_cast<std::uintptr_t>(&gnu_get_libc_version) -
           address_of("gnu_get_libc_version");
  }

  std::unique_ptr<Image> image_;
  PthreadCode code_;
};

TEST_F(PthreadCodeTest, EachFunctionBeginsAndThoseThatTellReturn) {
  for (std::size_t i = 0; i < kPthreadFunctions.size(); ++i) {
    const auto& [name, call] = kPthreadFunctions[i];
    if (call >= PthreadCall::kThread) continue;
    EXPECT_FALSE(code_.functions[i].entries.empty()) << name;
    EXPECT_FALSE(code_.functions[i].returns.empty()) << name;
    for (const std::uint64_t offset : code_.functions[i].returns) {
      std::uint8_t bytes[2] = {};
      ASSERT_TRUE(image_->elf().read(offset, bytes, sizeof bytes));
      EXPECT_TRUE(bytes[0] == 0xc3 || (bytes[0] == 0xf3 && bytes[1] == 0xc3)) << name;
    }
  }
}

// The library tells debuggers where it is: its size in bits, a count, and the offset.
TEST_F(PthreadCodeTest, TheStartRoutineIsWhereDebuggersFindIt) {
  ASSERT_TRUE(code_.thread) << code_.why_no_thread;
  EXPECT_TRUE(code_.main_end);
  const auto symbol = symbol::address_of_object(image_->elf(), "_thread_db_pthread_start_routine");
  ASSERT_TRUE(symbol);
  std::uint32_t told[3] = {};
  ASSERT_TRUE(image_->elf().read(*image_->elf().offset_of(*symbol), told, sizeof told));
  EXPECT_EQ(code_.thread->routine_at, told[2]);
  EXPECT_NE(code_.thread->value_at, told[2]);
}

std::uint64_t value_at;  // in the structure of a thread
void* exits(void*) { pthread_exit(reinterpret_cast<void*>(0x12345678)); }

TEST_F(PthreadCodeTest, AThreadsValueIsInItsStructure) {
  ASSERT_TRUE(code_.thread);
  value_at = code_.thread->value_at;
  pthread_t thread = {};
  ASSERT_EQ(pthread_create(&thread, nullptr, exits, nullptr), 0);
  std::uint64_t value = 0;
  for (int i = 0; i < 100'000 && value != 0x12345678; ++i) {
    std::memcpy(&value, reinterpret_cast<const char*>(thread) + value_at, sizeof value);
    ::usleep(100);
  }
  EXPECT_EQ(value, 0x12345678U);
  pthread_join(thread, nullptr);
}

TEST_F(PthreadCodeTest, TheErrorNumberIsErrno) {
  ASSERT_TRUE(code_.error_number);
  std::int64_t distance = code_.error_number->offset;
  if (code_.error_number->address) {
    std::memcpy(&distance, reinterpret_cast<const void*>(*code_.error_number->address + moved()),
                sizeof distance);
  }
  EXPECT_EQ(static_cast<std::uint64_t>(pthread_self()) + static_cast<std::uint64_t>(distance),
            reinterpret_cast<std::uintptr_t>(&errno));
}

TEST_F(PthreadCodeTest, SignalsOfWaitsAreNotThoseOfPrograms) {
  const auto is_inner = [this](const char* name) {
    const std::uint64_t address = address_of(name);
    return std::any_of(code_.inner.begin(), code_.inner.end(), [&](const auto& range) {
      return range.from <= address && address < range.to;
    });
  };
  for (const char* name :
       {"cnd_signal", "cnd_broadcast", "pthread_cond_signal", "pthread_create", "sem_post"}) {
    EXPECT_FALSE(is_inner(name)) << name;
  }
}

}  // namespace
}  // namespace dt::provider
