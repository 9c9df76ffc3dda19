#include "problem/files/hdf5_tree.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>

namespace condyle::files {

namespace {

[[noreturn]] void cannot_write(const std::string& file, const std::string& path) {
  throw Error("cannot-write", {file, 0, path}, "HDF5 cannot write it", "is there enough memory?");
}

/// Error printing is off while this lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Owns an identifier.
struct Handle {
  hid_t id;
  herr_t (*closer)(hid_t);
  Handle(hid_t i, herr_t (*c)(hid_t)) : id(i), closer(c) {}
  ~Handle() {
    if (id >= 0) closer(id);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

}  // namespace

std::mutex& hdf5_mutex() {
  static std::mutex only;
  return only;
}

Hdf5Writer::Hdf5Writer(const std::string& file) : file_(file), lock_(hdf5_mutex()) {
  const Quiet quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  if (access.id < 0 || creation.id < 0 || H5Pset_fapl_core(access.id, std::size_t{1} << 20, false) < 0 ||
      H5Pset_fclose_degree(access.id, H5F_CLOSE_STRONG) < 0 || H5Pset_obj_track_times(creation.id, false) < 0)
    cannot_write(file_, "");
  id_ = H5Fcreate("problem in memory", H5F_ACC_TRUNC, creation.id, access.id);
  if (id_ < 0) cannot_write(file_, "");
}

Hdf5Writer::~Hdf5Writer() {
  if (id_ >= 0) H5Fclose(id_);
}

void Hdf5Writer::put(const std::string& path, std::int64_t file_type, std::int64_t memory_type, const void* x,
                     std::size_t n) {
  const Quiet quiet;
  const Handle plain(H5Pcreate(H5P_GROUP_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  // the same problem gives the same bytes at every time of day
  if (plain.id < 0 || creation.id < 0 || H5Pset_obj_track_times(plain.id, false) < 0 ||
      H5Pset_obj_track_times(creation.id, false) < 0)
    cannot_write(file_, path);
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string group = path.substr(0, end);
    if (H5Lexists(id_, group.c_str(), H5P_DEFAULT) > 0) continue;
    const Handle made(H5Gcreate2(id_, group.c_str(), H5P_DEFAULT, plain.id, H5P_DEFAULT), H5Gclose);
    if (made.id < 0) cannot_write(file_, group);
  }
  const hsize_t extent = n;
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  const Handle set(
      space.id < 0 ? -1 : H5Dcreate2(id_, path.c_str(), file_type, space.id, H5P_DEFAULT, creation.id, H5P_DEFAULT),
      H5Dclose);
  if (set.id < 0 || (n > 0 && H5Dwrite(set.id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0))
    cannot_write(file_, path);
}

void Hdf5Writer::doubles(const std::string& path, const double* x, std::size_t n) {
  put(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, x, n);
}

void Hdf5Writer::integers(const std::string& path, const std::vector<int>& x) {
  put(path, H5T_STD_I32LE, H5T_NATIVE_INT, x.data(), x.size());
}

void Hdf5Writer::naturals(const std::string& path, const std::vector<std::uint64_t>& x) {
  put(path, H5T_STD_U64LE, H5T_NATIVE_UINT64, x.data(), x.size());
}

void Hdf5Writer::texts(const std::string& path, const std::vector<std::string>& x) {
  std::size_t width = 1;
  for (const std::string& text : x) width = std::max(width, text.size());
  std::string all(width * x.size(), '\0');
  for (std::size_t i = 0; i < x.size(); ++i) std::memcpy(all.data() + i * width, x[i].data(), x[i].size());
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  if (type.id < 0 || H5Tset_size(type.id, width) < 0 || H5Tset_strpad(type.id, H5T_STR_NULLPAD) < 0 ||
      H5Tset_cset(type.id, H5T_CSET_UTF8) < 0)
    cannot_write(file_, path);
  put(path, type.id, type.id, all.data(), x.size());
}

std::string Hdf5Writer::bytes() {
  const Quiet quiet;
  if (H5Fflush(id_, H5F_SCOPE_LOCAL) < 0) cannot_write(file_, "");
  const ssize_t size = H5Fget_file_image(id_, nullptr, 0);
  if (size <= 0) cannot_write(file_, "");
  std::string out(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(id_, out.data(), out.size()) != size) cannot_write(file_, "");
  return out;
}

}  // namespace condyle::files
