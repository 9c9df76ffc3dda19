#include "record/hdf5.hpp"

#include "problem/files/hdf5_tree.hpp"

#include <condyle/error.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <mutex>
#include <utility>

namespace condyle::record {

namespace {

/// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }  // NOLINT: handed to C calls everywhere
  herr_t close() { return close_(std::exchange(id_, -1)); }

 private:
  hid_t id_;
  Close close_;
};

/// The library's error printing is off while this lives, and as its user had it afterwards. Debian's library is not
/// built for threads, so only one such section runs at a time.
class Section {
 public:
  Section() : lock_(files::hdf5_mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Section() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& out = *static_cast<std::string*>(text);
  if (out.empty() && error->desc != nullptr) out = error->desc;
  return 0;
}

[[noreturn]] void fail(const std::string& file, const std::string& part) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  throw Error("cannot-write", {file, 0, part}, "HDF5 cannot write it: " + (reason.empty() ? "no reason given" : reason));
}

/// Makes the calls below read as a list: a failed one is an Error with the file and the part.
struct Check {
  const std::string& file;
  std::string part;

  Handle operator()(hid_t id, Handle::Close closer) const {
    if (id < 0) fail(file, part);
    return {id, closer};
  }
  void operator()(herr_t result) const {
    if (result < 0) fail(file, part);
  }
};

Handle text_type(const Check& check, std::size_t bytes) {
  Handle type = check(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, bytes));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void add_attribute(const Check& check, hid_t object, const Attribute& attribute) {
  const Handle space = check(H5Screate(H5S_SCALAR), H5Sclose);
  auto write = [&](hid_t file_type, hid_t memory_type, const void* value) {
    const Handle id =
        check(H5Acreate2(object, attribute.name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(id, memory_type, value));
  };
  if (const auto* text = std::get_if<std::string>(&attribute.value)) {
    const Handle type = text_type(check, H5T_VARIABLE);  // h5py gives these as str, fixed ones as bytes
    const char* chars = text->c_str();
    write(type, type, &chars);
  } else if (const auto* real = std::get_if<double>(&attribute.value)) {
    write(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, real);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&attribute.value)) {
    write(H5T_STD_U64LE, H5T_NATIVE_UINT64, natural);
  } else {
    write(H5T_STD_I64LE, H5T_NATIVE_INT64, &std::get<std::int64_t>(attribute.value));
  }
}

Handle file_type_of(const Check& check, const Part& part) {
  switch (part.type) {
    case Type::f64: return check(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
    case Type::i32: return check(H5Tcopy(H5T_STD_I32LE), H5Tclose);
    case Type::u64: return check(H5Tcopy(H5T_STD_U64LE), H5Tclose);
    case Type::text: break;
  }
  return text_type(check, part.shape.at(0));
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// The groups above a part, made by hand: those that HDF5 makes by itself carry the time of day.
void add_groups_above(const Check& check, hid_t file, const std::string& part) {
  const Handle creation = check(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation, false));
  for (auto end = part.find('/', 1); end != std::string::npos; end = part.find('/', end + 1)) {
    const std::string group = part.substr(0, end);
    if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
    check(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose);
  }
}

void add_part(const std::string& name, hid_t file, Part& part) {
  const Check check{name, part.name};
  add_groups_above(check, file, part.name);
  const std::vector<hsize_t> dims(part.shape.begin(), part.shape.end());
  const bool scalar = dims.empty() || part.type == Type::text;
  const Handle space = check(
      scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
  const Handle type = file_type_of(check, part);

  const Handle creation = check(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_layout(creation, H5D_CONTIGUOUS));
  check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));  // leaves holes, which read as zeros and cost no disk
  check(H5Pset_obj_track_times(creation, false));          // the same run gives the same bytes

  const Handle set = check(H5Dcreate2(file, part.name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (!part.unit.empty()) add_attribute(check, set, {"unit", part.unit});
  if (!part.labels.empty()) add_attribute(check, set, {"columns", joined(part.labels)});
  if (part.bytes() == 0) return;
  const haddr_t offset = H5Dget_offset(set);
  if (offset == HADDR_UNDEF) fail(name, check.part);
  part.offset = offset;
}

/// Checksummed object headers and no marks of open files in the superblock: those of later formats make the file of a
/// killed program unreadable.
Handle access_properties(const Check& check) {
  Handle access = check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  check(H5Pset_file_locking(access, false, true));  // somebody may look at the file while it is being written
  return access;
}

}  // namespace

void make_hdf5(const std::string& path, const std::string& name, const std::vector<Attribute>& root, Layout& layout) {
  const Section section;
  const Check check{name, ""};
  const Handle access = access_properties(check);
  const Handle creation = check(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_userblock(creation, user_block));
  check(H5Pset_obj_track_times(creation, false));
  check(H5Pset_attr_phase_change(creation, 64, 0));  // all in the root's header, where one of them is set later

  Handle file = check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose);
  for (const Attribute& attribute : root) add_attribute(Check{name, "attribute " + attribute.name}, file, attribute);
  for (Part& part : layout.parts) add_part(name, file, part);
  check(file.close());
}

void set_complete_attribute(const std::string& path, const std::string& name) {
  const Section section;
  const Check check{name, "attribute complete"};
  const Handle access = access_properties(check);
  Handle file = check(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose);
  {
    const Handle attribute = check(H5Aopen_by_name(file, "/", "complete", H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const std::int64_t yes = 1;
    check(H5Awrite(attribute, H5T_NATIVE_INT64, &yes));
  }
  check(file.close());
}

}  // namespace condyle::record
