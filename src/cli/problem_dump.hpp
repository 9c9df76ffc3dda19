#pragma once
// `run --dump-problems DIR`: writes the contact problems of chosen steps, to be solved again or sent to someone.
#include "cli/common.hpp"

#include <condyle/simulator.hpp>

#include <cstdint>
#include <string>

namespace condyle::cli {

class ProblemDump {
 public:
  /// `when`: "uncertified", "always" or "step=N". Throws Error for anything else, or if the folder cannot be made.
  ProblemDump(const std::string& folder, const std::string& when);

  /// After a step: writes its problem if it is one that was asked for and there is one.
  void offer(const Simulator& simulator);
  std::uint64_t written() const { return written_; }
  std::uint64_t not_written() const { return not_written_; }  ///< beyond the most that are kept
  const std::string& folder() const { return folder_; }

 private:
  enum class When { uncertified, always, step };
  std::string folder_;
  When when_ = When::uncertified;
  std::uint64_t step_ = 0, written_ = 0, not_written_ = 0;
};

}  // namespace condyle::cli
