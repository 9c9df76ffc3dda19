// Friction contact problems as Siconos prints them: local and global, in the plane, in space, with rolling friction.
#include "problem/files/text.hpp"

#include <fmt/format.h>

namespace condyle::files {

namespace {

/// Nothing in the file tells local from global.
constexpr const char* other_name =
    "local and global files differ by name alone (GFC3D_*, gfc2d_*, GRFC3D_* are global): name the format if the name "
    "misleads";

void read_friction(TextReader& in, int d, int contacts, bool rolling, Eigen::VectorXd& mu) {
  mu = in.vector("mu", contacts);
  if (rolling) {
    const Eigen::VectorXd mu_r = in.vector("mu_r", contacts);
    for (int c = 0; c < contacts; ++c)
      if (mu_r[c] < 0) in.fail("mu_r", fmt::format("the rolling friction of contact {} is {}", c, mu_r[c]));
  }
  if (in.only_space_left()) return;
  in.integer("flag after mu");
  if (!in.only_space_left())
    in.fail("end", fmt::format("more numbers follow than a problem of {} contacts of {} rows has", contacts, d), other_name);
}

void write_contacts(std::string& out, int d, Eigen::Index contacts) { out += fmt::format("{}\n{}\n", d, contacts); }

}  // namespace

ContactProblem read_siconos(const std::string& file, const std::string& text, bool global, bool rolling) {
  TextReader in(file, text);
  const long d = in.integer("dimension");
  if (rolling ? d != 5 : d != 2 && d != 3)
    in.fail("dimension", fmt::format("contacts have {} rows instead of {}", d, rolling ? "5" : "2 or 3"), other_name);
  const int contacts = in.count("number of contacts");
  const Eigen::Index m = d * contacts;
  auto shape = [&](const char* what, const Sparse& A, Eigen::Index rows, Eigen::Index columns) {
    if (A.rows() != rows || A.cols() != columns)
      in.fail(what, fmt::format("it is {} by {} instead of {} by {}", A.rows(), A.cols(), rows, columns), other_name);
  };
  if (global) {
    GlobalForm form;
    form.d = static_cast<int>(d);
    form.M = in.matrix("M");
    shape("M", form.M, form.M.rows(), form.M.rows());
    form.H = in.matrix("H");
    shape("H", form.H, form.M.rows(), m);
    form.f = in.vector("f", static_cast<int>(form.M.rows()));
    form.w = in.vector("w", static_cast<int>(m));
    read_friction(in, form.d, contacts, rolling, form.mu);
    if (rolling) drop_rolling(form);
    return to_problem(form, file);
  }
  LocalForm form;
  form.d = static_cast<int>(d);
  form.W = in.matrix("W");
  shape("W", form.W, m, m);
  form.q = in.vector("q", static_cast<int>(m));
  read_friction(in, form.d, contacts, rolling, form.mu);
  if (rolling) drop_rolling(form);
  return to_problem(form, file);
}

std::string siconos_text(const ContactProblem& problem, const std::string& file, bool global, bool rolling,
                         MatrixStorage storage) {
  std::string out;
  auto check_bilateral = [&](Eigen::Index rows) {
    if (rows > 0)
      refuse(file, "bilateral rows", fmt::format("there are {}, and this format has contacts only", rows),
             "gmp, fclib and condyle hold them");
  };
  auto check_rolling = [&](int d) {
    if (rolling && d != 3)
      refuse(file, "contacts", "rolling friction is for contacts of three rows", "write a format without rolling");
  };
  if (global) {
    GlobalForm form = global_form(problem, file);
    check_bilateral(form.b.size());
    check_rolling(form.d);
    if (rolling) add_rolling(form);
    const std::vector<int> velocities(problem.A.begin.begin() + 1, problem.A.begin.end());
    write_contacts(out, form.d, form.mu.size());
    put_matrix(out, form.M, storage, velocities, velocities);
    put_matrix(out, form.H, storage, velocities, equal_blocks(static_cast<int>(form.H.cols()), form.d));
    put_line(out, form.f);
    put_line(out, form.w);
    put_line(out, form.mu);
    if (rolling) put_line(out, Eigen::VectorXd::Zero(form.mu.size()));
    return out;
  }
  LocalForm form = local_form(problem, file);
  check_bilateral(form.s.size());
  check_rolling(form.d);
  if (rolling) add_rolling(form);
  const std::vector<int> ends = equal_blocks(static_cast<int>(form.q.size()), form.d);
  write_contacts(out, form.d, form.mu.size());
  put_matrix(out, form.W, storage, ends, ends);
  put_line(out, form.q);
  put_line(out, form.mu);
  if (rolling) put_line(out, Eigen::VectorXd::Zero(form.mu.size()));
  return out;
}

}  // namespace condyle::files
