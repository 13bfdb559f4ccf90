#pragma once
// What is kept of the records under the policy "ring": the newest of each CPU.

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace dt::runtime {

class Retained {
 public:
  // `bytes` of records for each of `cpus`, and at least the last one.
  Retained(std::uint64_t bytes, std::uint32_t cpus) : bytes_(bytes), cpus_(cpus) {}

  void add(std::span<const std::uint8_t> record);
  // Gives out what is kept, oldest first over all CPUs, and keeps nothing.
  void hand_over(const std::function<void(std::span<const std::uint8_t>)>& visit);

 private:
  struct Record {
    std::uint64_t number;  // in the order of add()
    std::vector<std::uint8_t> bytes;
  };
  struct Cpu {
    std::deque<Record> records;
    std::uint64_t bytes = 0;
  };

  std::uint64_t bytes_;
  std::vector<Cpu> cpus_;
  std::uint64_t next_ = 0;
};

}  // namespace dt::runtime
