#include "carom/io/siconos_dat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "carom/core/error.hpp"
#include "carom/io/fclib.hpp"
#include "carom/io/text_file.hpp"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// Words of a text, with the line for messages.
class Words {
 public:
  Words(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  std::size_t position() const { return at_; }

  [[noreturn]] void fail(const std::string& field, const std::string& value, const std::string& allowed) const {
    int line = 1;
    for (std::size_t i = 0; i < std::min(at_, text_.size()); ++i) line += text_[i] == '\n';
    throw InputError(field, value, allowed, {.file = file_, .line = line});
  }

  std::string_view word() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

  void skip_line() {
    (void)word();
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  int integer(const char* field, int low, int high) {
    const std::string_view w = word();
    int value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (error != std::errc() || end != w.data() + w.size() || value < low || value > high)
      fail(field, std::string(w.substr(0, 40)), low == high ? fmt::format("must be {}", low)
                                                            : fmt::format("must be an integer in [{}, {}]", low, high));
    return value;
  }

  double real(const char* field) {
    std::string_view w = word();
    if (!w.empty() && w.front() == '+') w.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    const bool tiny = error == std::errc::result_out_of_range;  // a denormal or smaller reads as 0
    if ((error != std::errc() && !tiny) || end != w.data() + w.size() || !std::isfinite(value))
      fail(field, std::string(w.substr(0, 40)), "must be a finite number");
    return tiny ? 0.0 : value;
  }

  VectorXd reals(const char* field, int count) {
    VectorXd v(count);
    for (double& x : v) x = real(field);
    return v;
  }

  bool number_follows() {
    const std::size_t here = at_;
    const std::string_view w = word();
    at_ = here;
    double value = 0;
    return !w.empty() && std::from_chars(w.data(), w.data() + w.size(), value).ec == std::errc();
  }

  // Some files end with a lone 0 or 1, whether a guess follows; none ever does.
  void flag() {
    if (number_follows()) (void)integer("flag at the end", 0, 1);
  }

  // Nothing numeric may follow; a remark may.
  void end() {
    if (number_follows()) fail("end of file", std::string(word().substr(0, 40)), "no further numbers expected here");
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
};

constexpr int kMany = 100'000'000;

MatrixXd read_dense(Words& in, int rows, int cols) {
  in.integer("dense rows", rows, rows);
  in.integer("dense columns", cols, cols);
  MatrixXd A(rows, cols);
  for (double& x : A.reshaped()) x = in.real("matrix entry");
  return A;
}

Sparse read_blocks(Words& in, int rows, int cols) {
  const int count = in.integer("number of blocks", 0, kMany);
  const int nr = in.integer("block rows", 0, rows), nc = in.integer("block columns", 0, cols);
  std::vector<int> row_end(nr), col_end(nc);
  for (int& e : row_end) e = in.integer("block row end", 0, rows);
  for (int& e : col_end) e = in.integer("block column end", 0, cols);
  const int filled1 = in.integer("filled1", nr + 1, nr + 1), filled2 = in.integer("filled2", count, count);
  std::vector<int> start(filled1), column(filled2);
  for (int& s : start) s = in.integer("index1", 0, count);
  for (int& c : column) c = in.integer("index2", 0, nc - 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < nr; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) {
      in.integer("block number", 0, count - 1);
      const int r0 = i ? row_end[i - 1] : 0, c0 = column[k] ? col_end[column[k] - 1] : 0;
      for (int c = c0; c < col_end[column[k]]; ++c)
        for (int r = r0; r < row_end[i]; ++r) entries.emplace_back(r, c, in.real("block entry"));
    }
  Sparse A(rows, cols);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

// The text of CSparse's cs_print: "m-by-n, nzmax: a nnz: b, 1-norm: x" and columns, or "triplet: m-by-n, …" and entries.
Sparse read_csparse(Words& in, int rows, int cols) {
  const int origin = in.integer("origin of the sparse matrix", 1, 3);
  in.skip_line();
  if (origin == 3) std::swap(rows, cols);
  std::vector<Eigen::Triplet<double>> entries;
  if (origin == 1 && in.word() != "triplet:") in.fail("sparse matrix", "", "expected \"triplet:\"");
  const auto size = fmt::format("{}-by-{},", rows, cols);
  if (const auto found = in.word(); found != size) in.fail("size of the sparse matrix", std::string(found), "must be " + size);
  in.word();
  in.word();
  in.word();
  std::string nnz(in.word());
  if (!nnz.empty() && nnz.back() == ',') nnz.pop_back();
  const int count = Words(nnz, {}).integer("nnz", 0, kMany);
  if (origin == 1) {
    for (int k = 0; k < count; ++k) {
      const int i = in.integer("row", 0, rows - 1), j = in.integer("column", 0, cols - 1);
      if (in.word() != ":") in.fail("sparse entry", "", "expected \"row column : value\"");
      entries.emplace_back(i, j, in.real("sparse entry"));
    }
  } else {
    in.word();  // 1-norm:
    in.word();
    for (int j = 0; j < cols; ++j) {
      if (in.word() != "col") in.fail("sparse matrix", "", fmt::format("expected \"col {}\"", j));
      in.integer("column", j, j);
      in.word();  // :
      in.word();  // locations
      const int from = in.integer("location", 0, kMany);
      in.word();  // to
      const int to = in.integer("location", -1, kMany);
      for (int k = from; k <= to; ++k) {
        const int i = in.integer("row", 0, rows - 1);
        in.word();  // :
        entries.emplace_back(i, j, in.real("sparse entry"));
      }
    }
  }
  Sparse A(rows, cols);
  A.setFromTriplets(entries.begin(), entries.end());
  if (origin == 3) return A.transpose();
  return A;
}

// `cols` < 0: any number of columns; `rows` < 0: any number of rows.
Sparse read_matrix(Words& in, int rows, int cols) {
  const int storage = in.integer("matrix storage", 0, 2);
  rows = in.integer("matrix rows", rows < 0 ? 0 : rows, rows < 0 ? kMany : rows);
  cols = in.integer("matrix columns", cols < 0 ? 0 : cols, cols < 0 ? kMany : cols);
  if (storage == 0) return read_dense(in, rows, cols).sparseView(0.0, 0.0);
  if (storage == 1) return read_blocks(in, rows, cols);
  return read_csparse(in, rows, cols);
}

Sparse from_triplets(Eigen::Index rows, Eigen::Index cols, const std::vector<Eigen::Triplet<double>>& entries) {
  Sparse A(rows, cols);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

// Position in carom's order of component a of Siconos's: (n, t…) → (t…, n).
int carom_index(int i, int d) { return i % d == 0 ? i + d - 1 : i - 1; }
// And back.
int siconos_index(int i, int d) { return i % d == d - 1 ? i - d + 1 : i + 1; }

template <class Index>
VectorXd reorder(const VectorXd& x, int d, Index index) {
  VectorXd y(x.size());
  for (int i = 0; i < x.size(); ++i) y[index(i, d)] = x[i];
  return y;
}

template <class Index>
Sparse reorder(const Sparse& A, int d, bool rows, bool cols, Index index) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it) {
      const int r = static_cast<int>(it.row());
      entries.emplace_back(rows ? index(r, d) : r, cols ? index(j, d) : j, it.value());
    }
  return from_triplets(A.rows(), A.cols(), entries);
}

AnyProblem read_local(Words& in) {
  const int d = in.integer("dimension", 2, 3), nc = in.integer("number of contacts", 0, kMany);
  FrictionContact p;
  p.dimension = d;
  p.W = BlockMatrix::from_sparse(reorder(read_matrix(in, nc * d, nc * d), d, true, true, carom_index), d);
  p.q = reorder(in.reals("q", nc * d), d, carom_index);
  p.mu = in.reals("mu", nc);
  in.flag();
  in.end();
  validate(p);
  return p;
}

AnyProblem read_global(Words& in) {
  const int d = in.integer("dimension", 2, 3), nc = in.integer("number of contacts", 0, kMany);
  GlobalFrictionContact p;
  p.dimension = d;
  p.M = read_matrix(in, -1, -1);
  const int m = static_cast<int>(p.M.rows());
  p.H = reorder(read_matrix(in, m, nc * d), d, false, true, carom_index);
  p.f = in.reals("q", m);
  p.w = reorder(in.reals("b", nc * d), d, carom_index);
  p.mu = in.reals("mu", nc);
  in.flag();
  in.end();
  validate(p);
  return p;
}

AnyProblem read_lcp(Words& in) {
  const int n = in.integer("size", 0, kMany);
  Lcp p;
  p.M = MatrixXd(read_matrix(in, n, n));
  p.q = in.reals("q", n);
  in.end();
  return p;
}

AnyProblem read_mlcp(Words& in) {
  const int whole = in.integer("isStorageType1", 0, 1), parts = in.integer("isStorageType2", 0, 1);
  const int n = in.integer("n", 0, kMany), m = in.integer("m", 0, kMany), size = n + m;
  Mlcp p;
  p.complementary.assign(size, false);
  std::vector<int> ends{in.integer("blocksRows", 0, 0)};
  while (ends.back() < size) ends.push_back(in.integer("blocksRows", ends.back() + 1, size));
  for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
    const bool comp = in.integer("blocksIsComp", 0, 1) == 1;
    for (int i = ends[b]; i < ends[b + 1]; ++i) p.complementary[i] = comp;
  }
  if (whole) {
    p.M = MatrixXd(read_matrix(in, size, size));
    p.q = in.reals("q", size);
  }
  if (parts) {
    const auto row_wise = [&](const char* field, int rows, int cols) {
      MatrixXd A(rows, cols);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) A(i, j) = in.real(field);
      return A;
    };
    const MatrixXd A = row_wise("A", n, n), B = row_wise("B", m, m), C = row_wise("C", n, m), D = row_wise("D", m, n);
    const VectorXd a = in.reals("a", n), b = in.reals("b", m);
    if (!whole) {
      p.M.resize(size, size);
      p.M << A, C, D, B;
      p.q.resize(size);
      p.q << a, b;
    }
  }
  if (!whole && !parts) in.fail("storage", "0 0", "one of isStorageType1 and isStorageType2 must be 1");
  // Some files end with a recorded solution, z and most of w. It is no part of the problem.
  for (int k = 0; k < size + m && in.number_follows(); ++k) (void)in.real("recorded solution");
  in.end();
  return p;
}

std::string number(double x) { return fmt::format("{} ", x); }

std::string line(const VectorXd& x) {
  std::string text;
  for (const double v : x) text += number(v);
  return text + "\n";
}

std::string dense_text(const MatrixXd& A) {
  std::string text = fmt::format("0\n{0}\n{1}\n{0} {1}\n", A.rows(), A.cols());
  for (int j = 0; j < A.cols(); ++j) text += line(A.col(j));
  return text;
}

std::string triplet_text(const Sparse& A) {
  std::string text = fmt::format("2\n{0}\n{1}\n1\nCSparse triplet dump, all digits\ntriplet: {0}-by-{1}, nzmax: {2} nnz: {2}\n",
                                 A.rows(), A.cols(), A.nonZeros());
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it) text += fmt::format("    {} {} : {}\n", it.row(), j, it.value());
  return text;
}

std::string block_text(const BlockMatrix& W) {
  const int n = W.rows(), d = W.d;
  std::string ends;
  for (int i = 1; i <= n; ++i) ends += fmt::format("{} ", i * d);
  std::string text = fmt::format("1\n{0}\n{0}\n{1}\n{2}\n{2}\n{3}\n{3}\n{4}\n{1}\n", n * d, W.blocks(), n, ends, n + 1);
  for (const int s : W.start) text += fmt::format("{} ", s);
  text += "\n";
  for (const int c : W.column) text += fmt::format("{} ", c);
  text += "\n";
  for (int k = 0; k < W.blocks(); ++k) {
    text += fmt::format("{}\n", k);
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) text += number(W.block(k)[carom_index(j, d) * d + carom_index(i, d)]);
    text += "\n";
  }
  return text;
}

struct Formatter {
  MatrixStorage storage;

  std::string operator()(const Lcp& p) const { return fmt::format("{}\n", p.size()) + dense_text(p.M) + line(p.q); }

  std::string operator()(const Mlcp& p) const {
    const auto n = p.rows(false).size(), m = p.rows(true).size();
    std::string ends = "0 ", kinds;
    for (int i = 0; i < p.size(); ++i)
      if (i + 1 == p.size() || p.complementary[i] != p.complementary[i + 1]) {
        ends += fmt::format("{} ", i + 1);
        kinds += p.complementary[i] ? "1 " : "0 ";
      }
    return fmt::format("1\n0\n{}\n{}\n{}\n{}\n", n, m, ends, kinds) + dense_text(p.M) + line(p.q);
  }

  std::string operator()(const FrictionContact& p) const {
    const int d = p.dimension;
    const bool blocks = storage == MatrixStorage::sparse_block;
    const auto W = [&] { return MatrixXd(reorder(p.W.sparse(), d, true, true, siconos_index)); };
    return fmt::format("{}\n{}\n", d, p.contacts()) + (blocks ? block_text(p.W) : dense_text(W())) +
           line(reorder(p.q, d, siconos_index)) + line(p.mu);
  }

  std::string operator()(const GlobalFrictionContact& p) const {
    const int d = p.dimension;
    if (p.G.cols() > 0) throw InputError("G", fmt::format("{} constraints", p.G.cols()), "Siconos's .dat has no bilateral constraints");
    return fmt::format("{}\n{}\n", d, p.contacts()) + triplet_text(p.M) +
           triplet_text(reorder(p.H, d, false, true, siconos_index)) + line(p.f) + line(reorder(p.w, d, siconos_index)) +
           line(p.mu);
  }
};

}  // namespace

std::string format_siconos_dat(const AnyProblem& problem, MatrixStorage storage) {
  return std::visit(Formatter{storage}, problem);
}

void write_siconos_dat(const AnyProblem& problem, const std::string& path, MatrixStorage storage) {
  std::ofstream file(path, std::ios::binary);
  file << format_siconos_dat(problem, storage);
  if (!file) throw InputError("file", path, "cannot be written");
}

AnyProblem parse_siconos_dat(const std::string& text, const std::string& file) {
  std::optional<InputError> complaint;
  std::size_t furthest = 0;
  for (const auto read : {read_local, read_global, read_mlcp, read_lcp}) {
    Words in(text, file);
    try {
      return read(in);
    } catch (const InputError& e) {
      if (!complaint || in.position() > furthest) complaint = e, furthest = in.position();
    }
  }
  throw complaint.value();
}

AnyProblem read_siconos_dat(const std::string& path) {
  const std::string text = io::read_text_file(path);
  if (text.empty()) throw InputError("file", path, "is empty");
  const auto no_text = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), no_text)) throw InputError("file", path, "is neither text nor HDF5");
  return parse_siconos_dat(text, path);
}

AnyProblem load_contact_problem(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("file", path, "cannot be opened");
  char signature[8] = {};
  file.read(signature, 8);
  return std::string_view(signature, 8) == "\x89HDF\r\n\x1a\n" ? read_fclib(path) : read_siconos_dat(path);
}

}  // namespace carom
