#pragma once
// BTF as a source of types: the kernel's, a kernel module's, a program's.
//
// The bytes are opened at the first question, and a type is imported when it is
// asked for or referred to. Structs arrive without members, which
// breaks every cycle of C and keeps the import of task_struct from importing
// half the kernel. Cycles that C cannot make, but damaged bytes can, are cut:
// the inner end becomes void.
//
// A module's BTF is split: what its base (vmlinux) describes is imported there,
// so that `struct file` is one type for all.

#include <functional>
#include <unordered_map>

#include "support/thread.h"
#include "types/btf.h"
#include "types/btf_index.h"
#include "types/catalog_state.h"
#include "types/file_bytes.h"

namespace dt::types {

class BtfSource : public Source {
 public:
  using Open = std::function<Result<FileBytes>()>;
  using FindIndex = std::function<std::optional<BtfIndex>(std::span<const std::uint8_t>)>;

  struct Options {
    std::string module;         // "vmlinux", "ext4", "a.out"
    std::string where;          // for messages: the path
    BtfSource* base = nullptr;  // of split BTF; outlives this source
    bool is_userland = false;   // what it describes is in user memory
    FindIndex find_index = {};  // of the bytes
  };
  BtfSource(Options options, Open open) : options_(std::move(options)), open_(std::move(open)) {}

  std::string_view module() const override { return options_.module; }
  std::string error() const override;
  std::optional<TypeId> find(Catalog& catalog, Tag tag, std::string_view name) override;
  std::optional<Object> find_object(Catalog& catalog, std::string_view name) override;
  std::vector<EnumeratorPlace> find_enumerators(Catalog& catalog, std::string_view name) override;
  std::vector<std::string_view> enumerator_names() override;
  std::uint32_t number(Tag tag, std::string_view name) override;
  std::uint32_t function_number(std::string_view name) override;
  void expect_function(std::string_view name) override;
  std::vector<std::string> names(Tag tag) override;
  void complete(Catalog& catalog, TypeId id) override;

 private:
  bool open();
  // The numbers of some kinds of types by name, made when several have been asked for.
  struct Index {
    int questions = 0;
    std::unordered_map<std::string_view, std::uint32_t> ids;
  };
  template <typename Accept>
  std::optional<std::uint32_t> find_named(Index& index, std::string_view name, Accept accept);
  std::optional<std::uint32_t> find_id(Tag tag, std::string_view name);
  std::optional<std::uint32_t> find_function(std::string_view name);
  std::optional<std::uint32_t> find_aggregate(BtfKind wanted, bool is_union,
                                              std::string_view name) const;
  bool is_per_cpu(std::uint32_t variable) const;

  TypeId import(Catalog& catalog, std::uint32_t id, int depth);
  TypeId make(Catalog& catalog, std::uint32_t id, int depth);
  Type aggregate_head(const Btf::Record& record) const;
  Member member(Catalog& catalog, const Btf::Record& record, std::uint32_t index);
  void narrow_int(std::uint32_t type, Member& member) const;
  TypeId make_int(Catalog& catalog, const Btf::Record& record) const;
  TypeId make_float(Catalog& catalog, const Btf::Record& record) const;
  TypeId make_typedef(Catalog& catalog, const Btf::Record& record, TypeId target) const;
  TypeId make_enum(Catalog& catalog, const Btf::Record& record) const;
  template <typename Visit>
  void each_enumeration(Visit visit);
  Enumerator enumerator(const Btf::Record& record, std::uint32_t index) const;
  TypeId make_function(Catalog& catalog, const Btf::Record& record, int depth);

  Options options_;
  Open open_;
  std::string error_;
  FileBytes file_;
  std::optional<BtfIndex> index_;
  std::optional<Btf> btf_;
  std::unordered_map<std::uint32_t, TypeId> types_;  // by BTF id
  std::unordered_map<TypeId, std::uint32_t> btf_ids_;
  Index functions_, plain_;  // plain_: typedefs, integers and floats
  std::optional<std::vector<std::uint32_t>> enumerations_;
  // The one that is looked for in a thread, which reads file_.
  std::string expected_;
  std::optional<support::Later<std::optional<std::uint32_t>>> found_;
};

}  // namespace dt::types
