// The kernel's BTF as a source of types.
//
// The file is mapped (or, before Linux 6.16, read) and walked at the first
// question, and a type is imported when it is asked for or referred to.
// Structs arrive without members, which breaks every cycle of C and keeps the
// import of task_struct from importing half the kernel. Cycles that C cannot
// make, but damaged bytes can, are cut: the inner end becomes void.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>

#include "support/fd.h"
#include "types/btf.h"
#include "types/catalog_state.h"

namespace dt::types {
namespace {

// The bytes of a file, mapped where that is possible.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() {
    if (mapped_ != nullptr) ::munmap(mapped_, size_);
  }

  Status open(const std::string& path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) return support::system_error("open " + path, errno);
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) return support::system_error("stat " + path, errno);
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return Error{path + ": is empty", 0, "", ""};
    void* const data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (data != MAP_FAILED) {
      mapped_ = data;
      return {};
    }
    return read_all(fd, path);
  }

  std::span<const std::uint8_t> bytes() const {
    if (mapped_ == nullptr) return read_;
    return {static_cast<const std::uint8_t*>(mapped_), size_};
  }

 private:
  Status read_all(const Fd& fd, const std::string& path) {
    read_.resize(size_);
    std::size_t filled = 0;
    while (filled < size_) {
      const ssize_t got = ::read(fd.get(), read_.data() + filled, size_ - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return support::system_error("read " + path, errno);
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    read_.resize(filled);
    return {};
  }

  void* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> read_;
};

class KernelBtf : public Source {
 public:
  explicit KernelBtf(std::string path) : path_(std::move(path)) {}

  std::string_view module() const override { return "vmlinux"; }
  std::string error() const override { return error_; }

  std::optional<TypeId> find(Catalog& catalog, Tag tag, std::string_view name) override {
    if (!open()) return std::nullopt;
    const auto id = find_id(tag, name);
    if (!id) return std::nullopt;
    return import(catalog, *id, 0);
  }

  void complete(Catalog& catalog, TypeId id) override {
    const auto known = btf_ids_.find(id);
    if (known == btf_ids_.end()) return;
    const Btf::Record record = btf_->at(known->second);
    Type type = aggregate_head(record);
    type.members.reserve(record.count);
    for (std::uint32_t i = 0; i < record.count; ++i) {
      type.members.push_back(member(catalog, record, i));
    }
    catalog.define(id, std::move(type));
  }

 private:
  bool open() {
    if (btf_) return true;
    if (!error_.empty()) return false;
    if (Status status = file_.open(path_); !status.ok()) {
      error_ = status.error().text;
      return false;
    }
    Result<Btf> parsed = Btf::parse(file_.bytes());
    if (!parsed.ok()) {
      error_ = path_ + ": " + parsed.error().text;
      return false;
    }
    if (!parsed->damage().empty()) damage(parsed->damage());
    btf_ = std::move(parsed).value();
    return true;
  }

  void damage(const std::string& what) { error_ = path_ + ": BTF: " + what; }

  std::optional<std::uint32_t> find_id(Tag tag, std::string_view name) const {
    switch (tag) {
      case Tag::kNone:
        return btf_->find(name, [](BtfKind kind) {
          return kind == BtfKind::kTypedef || kind == BtfKind::kInt || kind == BtfKind::kFloat;
        });
      case Tag::kStruct:
        return find_aggregate(BtfKind::kStruct, false, name);
      case Tag::kUnion:
        return find_aggregate(BtfKind::kUnion, true, name);
      case Tag::kEnum:
        return btf_->find(
            name, [](BtfKind kind) { return kind == BtfKind::kEnum || kind == BtfKind::kEnum64; });
    }
    return std::nullopt;
  }

  // The definition, or else its forward.
  std::optional<std::uint32_t> find_aggregate(BtfKind wanted, bool is_union,
                                              std::string_view name) const {
    if (auto id = btf_->find(name, [&](BtfKind kind) { return kind == wanted; })) return id;
    auto id = btf_->find(name, [](BtfKind kind) { return kind == BtfKind::kFwd; });
    return id && btf_->at(*id).flag == is_union ? id : std::nullopt;
  }

  TypeId import(Catalog& catalog, std::uint32_t id, int depth) {
    if (id == 0 || depth > kMaxDepth) return catalog.void_type();
    // A type that refers to itself without a struct between finds void here.
    const auto [known, is_new] = types_.try_emplace(id, catalog.void_type());
    if (!is_new) return known->second;
    const TypeId made = make(catalog, id, depth);
    types_[id] = made;
    return made;
  }

  TypeId make(Catalog& catalog, std::uint32_t id, int depth) {
    const Btf::Record record = btf_->at(id);
    const auto target = [&] { return import(catalog, record.size, depth + 1); };
    switch (record.kind) {
      case BtfKind::kVoid:
      case BtfKind::kVar:
      case BtfKind::kDatasec:
        return catalog.void_type();
      case BtfKind::kInt:
        return make_int(catalog, record);
      case BtfKind::kFloat:
        return make_float(catalog, record);
      case BtfKind::kPtr:
        return catalog.pointer_to(target());
      case BtfKind::kArray:
        return catalog.array_of(import(catalog, btf_->word(record, 0), depth + 1),
                                btf_->word(record, 2));
      case BtfKind::kStruct:
      case BtfKind::kUnion: {
        const TypeId made = catalog.add_incomplete(aggregate_head(record), *this);
        btf_ids_.emplace(made, id);
        return made;
      }
      case BtfKind::kEnum:
      case BtfKind::kEnum64:
        return make_enum(catalog, record);
      case BtfKind::kFwd: {
        Type type;
        type.kind = Kind::kForward;
        type.name = btf_->string(record.name);
        type.is_union_forward = record.flag;
        return catalog.add(std::move(type));
      }
      case BtfKind::kTypedef:
        return make_typedef(catalog, record, target());
      case BtfKind::kConst:
        return catalog.constant(target());
      case BtfKind::kTypeTag: {
        const TypeId tagged = target();
        return btf_->string(record.name) == "user" ? catalog.userland(tagged) : tagged;
      }
      case BtfKind::kVolatile:
      case BtfKind::kRestrict:
      case BtfKind::kFunc:
      case BtfKind::kDeclTag:
        return target();
      case BtfKind::kFuncProto:
        return make_function(catalog, record, depth);
    }
    return catalog.void_type();
  }

  Type aggregate_head(const Btf::Record& record) const {
    Type type;
    type.kind = record.kind == BtfKind::kUnion ? Kind::kUnion : Kind::kStruct;
    type.name = btf_->string(record.name);
    type.size = record.size;
    return type;
  }

  Member member(Catalog& catalog, const Btf::Record& record, std::uint32_t index) {
    const std::size_t at = std::size_t{index} * 3;
    const std::uint32_t type = btf_->word(record, at + 1);
    const std::uint32_t offset = btf_->word(record, at + 2);
    Member member;
    member.name = btf_->string(btf_->word(record, at));
    member.type = import(catalog, type, 0);
    member.bit_offset = offset;
    if (record.flag) {
      member.bit_offset = offset & 0xffffff;
      member.bit_size = offset >> 24;
    } else {
      narrow_int(type, member);
    }
    return member;
  }

  // Before the struct's flag existed, a bit-field was an int of fewer bits.
  void narrow_int(std::uint32_t type, Member& member) const {
    Btf::Record record = btf_->at(type);
    for (int depth = 0; depth < kMaxDepth && is_transparent(record.kind); ++depth) {
      record = btf_->at(record.size);
    }
    if (record.kind != BtfKind::kInt) return;
    const std::uint32_t encoding = btf_->word(record, 0);
    const std::uint32_t bits = encoding & 0xff;
    const std::uint32_t offset = encoding >> 16 & 0xff;
    if (bits == 0 || std::uint64_t{bits} == std::uint64_t{record.size} * 8) return;
    member.bit_offset += offset;
    member.bit_size = bits;
  }

  static bool is_transparent(BtfKind kind) {
    return kind == BtfKind::kTypedef || kind == BtfKind::kConst || kind == BtfKind::kVolatile ||
           kind == BtfKind::kRestrict || kind == BtfKind::kTypeTag;
  }

  // The built-in node when C knows the type, so that `int` is one type.
  std::optional<TypeId> builtin(const Catalog& catalog, std::string_view name, Kind kind,
                                std::uint32_t size) const {
    const auto found = catalog.find(Tag::kNone, name, "C");
    if (!found) return std::nullopt;
    const Type& type = catalog.at(*found);
    return type.kind == kind && type.size == size ? found : std::nullopt;
  }

  TypeId make_int(Catalog& catalog, const Btf::Record& record) const {
    const std::string_view name = btf_->string(record.name);
    if (const auto own = builtin(catalog, name, Kind::kInt, record.size)) return *own;
    const std::uint32_t encoding = btf_->word(record, 0) >> 24;
    Type type;
    type.kind = Kind::kInt;
    type.name = name;
    type.size = record.size;
    type.is_signed = (encoding & 1) != 0;
    type.is_char = (encoding & 2) != 0;
    type.is_bool = (encoding & 4) != 0;
    return catalog.add(std::move(type));
  }

  TypeId make_float(Catalog& catalog, const Btf::Record& record) const {
    const std::string_view name = btf_->string(record.name);
    if (const auto own = builtin(catalog, name, Kind::kFloat, record.size)) return *own;
    Type type;
    type.kind = Kind::kFloat;
    type.name = name;
    type.size = record.size;
    type.is_signed = true;
    return catalog.add(std::move(type));
  }

  TypeId make_typedef(Catalog& catalog, const Btf::Record& record, TypeId target) const {
    Type type;
    type.kind = Kind::kTypedef;
    type.name = btf_->string(record.name);
    type.target = target;
    type.size = catalog.size_of(target);
    return catalog.add(std::move(type));
  }

  TypeId make_enum(Catalog& catalog, const Btf::Record& record) const {
    Type type;
    type.kind = Kind::kEnum;
    type.name = btf_->string(record.name);
    type.size = record.size;
    type.is_signed = record.flag;
    const bool is_wide = record.kind == BtfKind::kEnum64;
    const std::size_t words = is_wide ? 3 : 2;
    type.enumerators.reserve(record.count);
    for (std::uint32_t i = 0; i < record.count; ++i) {
      const std::size_t at = i * words;
      const std::uint32_t low = btf_->word(record, at + 1);
      std::uint64_t value = low;
      if (is_wide) {
        value |= std::uint64_t{btf_->word(record, at + 2)} << 32;
      } else if (record.flag || record.size < 4) {
        value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)});
      }
      type.enumerators.push_back(
          {std::string(btf_->string(btf_->word(record, at))), static_cast<std::int64_t>(value)});
    }
    return catalog.add(std::move(type));
  }

  TypeId make_function(Catalog& catalog, const Btf::Record& record, int depth) {
    Type type;
    type.kind = Kind::kFunction;
    type.target = import(catalog, record.size, depth + 1);
    for (std::uint32_t i = 0; i < record.count; ++i) {
      const std::size_t at = std::size_t{i} * 2;
      const std::uint32_t name = btf_->word(record, at);
      const std::uint32_t parameter = btf_->word(record, at + 1);
      if (parameter == 0 && i + 1 == record.count) {
        type.is_variadic = true;
        break;
      }
      Member member;
      member.name = btf_->string(name);
      member.type = import(catalog, parameter, depth + 1);
      type.members.push_back(std::move(member));
    }
    return catalog.add(std::move(type));
  }

  std::string path_;
  std::string error_;
  FileBytes file_;
  std::optional<Btf> btf_;
  std::unordered_map<std::uint32_t, TypeId> types_;  // by BTF id
  std::unordered_map<TypeId, std::uint32_t> btf_ids_;
};

}  // namespace

std::unique_ptr<Source> kernel_btf_source(std::string path) {
  return std::make_unique<KernelBtf>(std::move(path));
}

Result<std::vector<std::uint32_t>> kernel_btf_typedef_ids(std::span<const std::string_view> names,
                                                          const std::string& path) {
  FileBytes file;
  DT_TRY(file.open(path));
  Result<Btf> btf = Btf::parse(file.bytes());
  if (!btf.ok()) return Error{path + ": " + btf.error().text, 0, "", ""};
  std::vector<std::uint32_t> ids(names.size(), 0);
  for (std::uint32_t id = 1; id < btf->type_count(); ++id) {
    const Btf::Record record = btf->at(id);
    if (record.kind != BtfKind::kTypedef) continue;
    const std::string_view name = btf->string(record.name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (ids[i] == 0 && names[i] == name) ids[i] = id;
    }
  }
  return ids;
}

}  // namespace dt::types
