#pragma once
// The symbolic half of a block-sparse factorization: an order of the bodies with little fill (SuiteSparse's AMD on the graph
// of bodies), supernodes, where every number goes. Factors of any matrix whose blocks are among the analysed ones use it as
// it is.
#include "linalg/block_matrix.hpp"

namespace condyle {

/// Supernode s: bodies first[s]...first[s+1] in elimination order, eliminated together. Its panel is (width + height) ×
/// width numbers, column by column: the diagonal block, then the rows below, body by body.
class BlockAnalysis {
 public:
  struct Supernode {
    int width = 0, height = 0;             ///< columns; rows below the diagonal block
    int begin = 0;                         ///< its first row in elimination order
    int row_begin = 0, row_end = 0;        ///< into rows()
    int update_begin = 0, update_end = 0;  ///< into updates()
    std::size_t value = 0;                 ///< its panel
    int ld() const { return width + height; }
  };
  struct Rows {  ///< rows of a panel that lie side by side in the whole vector
    int begin = 0, count = 0;
  };
  struct Segment {  ///< rows of the source panel that are neighbours in the target panel too
    int from = 0, rows = 0, to = 0;
  };
  /// What a supernode subtracts from the panel of a later one: for its rows [from, from + columns) as columns of the target.
  struct Update {
    int from = 0, columns = 0;
    int ld = 0;             ///< of the target
    std::size_t value = 0;  ///< first number of the target's column
    int segment_begin = 0, segment_end = 0;
  };
  struct Place {  ///< of a block of the matrix
    std::size_t value = 0;
    int ld = 0, rows = 0, columns = 0;  ///< of the block as it lies in the matrix
    bool transposed = false;            ///< its row body is eliminated before its column body
  };

  /// Keeps what is there if the pattern's blocks are among the analysed ones; else orders anew. True: ordered anew.
  bool use(const BlockPattern& pattern);
  /// Orders anew whatever is there.
  void analyse(const BlockPattern& pattern);
  /// The first part of it: the order of the bodies alone, for measurements.
  void order_bodies(const BlockPattern& pattern);

  int size() const { return size_; }
  std::size_t values() const { return values_; }     ///< numbers of all panels
  int tallest() const { return tallest_; }           ///< largest width + height
  double operations() const { return operations_; }  ///< of a Cholesky factorization, multiplications and additions
  const std::vector<Supernode>& supernodes() const { return supernodes_; }
  const std::vector<Rows>& rows() const { return rows_; }
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<Update>& updates() const { return updates_; }
  const std::vector<Place>& places() const { return places_; }  ///< of the last pattern given, block by block
  /// Row of the matrix that is eliminated k-th.
  const std::vector<int>& order() const { return order_; }

 private:
  bool place_blocks(const BlockPattern& pattern);
  void find_tree(const BlockPattern& pattern);
  void fill();
  void merge();
  void lay_out();
  void plan_updates();

  BlockPattern placed_;  // the last pattern given
  int bodies_ = 0, size_ = 0, tallest_ = 0;
  std::size_t values_ = 0;
  double operations_ = 0;
  std::vector<int> body_, place_of_;  // of the k-th eliminated, and back
  std::vector<int> begin_;            // first row of each body in elimination order
  std::vector<int> parent_, super_of_;
  std::vector<int> below_begin_, below_;                     // bodies below each eliminated one in the factor, ascending
  std::vector<int> first_;                                   // body of each supernode, in elimination order
  std::vector<int> row_body_begin_, row_body_, row_offset_;  // bodies below each supernode and their rows in its panel
  std::vector<Supernode> supernodes_;
  std::vector<Rows> rows_;
  std::vector<Segment> segments_;
  std::vector<Update> updates_;
  std::vector<Place> places_;
  std::vector<int> order_;
  std::vector<int> graph_begin_, graph_;  // each body's neighbours
  std::vector<int> work_, child_, sibling_, mark_, amd_;
  std::vector<double> zeros_;
};

}  // namespace condyle
