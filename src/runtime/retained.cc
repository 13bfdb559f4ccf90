// See retained.h.

#include "runtime/retained.h"

#include <algorithm>
#include <cstring>

#include "record/wire.h"

namespace dt::runtime {

// The oldest records of a CPU are dropped when its share is full, but never the newest one, even if
// it is larger than the share.
void Retained::add(std::span<const std::uint8_t> record) {
  record::Header header{};
  std::memcpy(&header, record.data(), std::min(record.size(), sizeof header));
  Cpu& cpu = cpus_[header.cpu < cpus_.size() ? header.cpu : 0];
  cpu.records.push_back({next_++, {record.begin(), record.end()}});
  cpu.bytes += record.size();
  while (cpu.bytes > bytes_ && cpu.records.size() > 1) {
    cpu.bytes -= cpu.records.front().bytes.size();
    cpu.records.pop_front();
  }
}

// The fronts of all CPUs are merged by their numbers, which were given in the order of arrival.
void Retained::hand_over(const std::function<void(std::span<const std::uint8_t>)>& visit) {
  while (true) {
    Cpu* oldest = nullptr;
    for (Cpu& cpu : cpus_) {
      if (!cpu.records.empty() &&
          (oldest == nullptr || cpu.records.front().number < oldest->records.front().number)) {
        oldest = &cpu;
      }
    }
    if (oldest == nullptr) {
      return;
    }
    visit(oldest->records.front().bytes);
    oldest->bytes -= oldest->records.front().bytes.size();
    oldest->records.pop_front();
  }
}

}  // namespace dt::runtime
