#pragma once
// Datasets by name. Reading is by our own code on the bytes of the file, because libhdf5 crashes on damaged files
// (src/record/README.md): plain groups and contiguous datasets, as FCLIB, h5py without options and Condyle write them.
// Writing is by the library, into memory.
#include <condyle/error.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace condyle::files {

class Hdf5Reader {
 public:
  /// Throws Error if the beginning is not that of an HDF5 file. Both must outlive the reader.
  Hdf5Reader(const std::string& file, const std::string& bytes);

  /// "fclib_local/W/m". False as well if something on the way is no group.
  bool has(const std::string& path) const;
  /// Names in a group, "" is the root.
  std::vector<std::string> names(const std::string& path) const;

  std::vector<double> doubles(const std::string& path) const;
  std::vector<std::int64_t> integers(const std::string& path) const;
  /// Fixed-length texts, without the zeros at their ends.
  std::vector<std::string> texts(const std::string& path) const;
  [[noreturn]] void fail(const std::string& path, const std::string& reason) const;

 private:
  struct Object;
  std::uint64_t number(std::uint64_t place, int bytes, const std::string& path) const;
  void need(std::uint64_t place, std::uint64_t bytes, const std::string& path) const;
  Object object(std::uint64_t place, const std::string& path) const;
  void header_v1(std::uint64_t place, Object& out, const std::string& path) const;
  void header_v2(std::uint64_t place, Object& out, const std::string& path) const;
  void messages(std::uint64_t place, std::uint64_t size, Object& out, const std::string& path) const;
  void message(std::uint64_t type, std::uint64_t place, std::uint64_t size, Object& out, const std::string& path) const;
  void link(std::uint64_t place, std::uint64_t size, Object& out, const std::string& path) const;
  void symbol_table(std::uint64_t tree, std::uint64_t heap, Object& out, const std::string& path) const;
  void tree_node(std::uint64_t node, int level, std::uint64_t heap, Object& out, const std::string& path) const;
  bool find(const std::string& path, Object& out) const;
  Object dataset(const std::string& path) const;

  const std::string& file_;
  const std::string& bytes_;
  std::uint64_t base_ = 0, root_ = 0;
};

/// Collects datasets, one-dimensional, little-endian; groups come from the names.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& file);
  ~Hdf5Writer();
  void doubles(const std::string& path, const double* x, std::size_t n);
  void doubles(const std::string& path, const std::vector<double>& x) { doubles(path, x.data(), x.size()); }
  void integers(const std::string& path, const std::vector<int>& x);
  void naturals(const std::string& path, const std::vector<std::uint64_t>& x);
  void texts(const std::string& path, const std::vector<std::string>& x);
  /// The whole file.
  std::string bytes();

 private:
  void put(const std::string& path, std::int64_t file_type, std::int64_t memory_type, const void* x, std::size_t n);
  const std::string& file_;
  std::unique_lock<std::mutex> lock_;
  std::int64_t id_ = -1;
};

/// The library is not built for threads: whoever calls it holds this.
std::mutex& hdf5_mutex();

}  // namespace condyle::files
