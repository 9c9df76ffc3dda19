#include "cli/progress.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace condyle::cli {

namespace {

std::string left_words(double seconds) {
  const auto s = static_cast<long long>(std::ceil(std::min(seconds, 1e9)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

Progress::Progress(std::uint64_t steps, double dt, bool wanted)
    : steps_(steps),
      dt_(dt),
      shows_(wanted && isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

void Progress::show(std::uint64_t done, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / seconds, share = static_cast<double>(done) / static_cast<double>(steps_);
  constexpr int width = 16;  // the whole line fits in 80 columns
  const int filled = static_cast<int>(share * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "━" : "─";
  const double end = static_cast<double>(steps_) * dt_;
  fmt::print(stderr, "\r\033[K{} {:3.0f} %   {:.2f} of {:g} s   {:.0f} steps/s   {} left", bar, std::floor(100 * share),
             static_cast<double>(done) * dt_, end, rate, left_words(static_cast<double>(steps_ - done) / rate));
  std::fflush(stderr);
  on_screen_ = true;
  next_ = now + std::chrono::milliseconds(100);
}

void Progress::clear() {
  if (!on_screen_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  on_screen_ = false;
}

}  // namespace condyle::cli
