#include "solvers/worker_pool.hpp"

#include <utility>

namespace condyle {

WorkerPool::WorkerPool(int workers) {
  threads_.reserve(static_cast<std::size_t>(workers));
  for (int i = 1; i < workers; ++i) threads_.emplace_back([this, i] { serve(i); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::attempt(Call call, const void* of, int worker) {
  try {
    call(of, worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!trouble_) trouble_ = std::current_exception();
  }
}

void WorkerPool::serve(int worker) {
  unsigned long seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return ending_ || round_ != seen; });
    if (ending_) return;
    seen = round_;
    const Call call = call_;
    const void* const of = of_;
    lock.unlock();
    attempt(call, of, worker);
    lock.lock();
    if (--working_ == 0) done_.notify_one();
  }
}

void WorkerPool::start(Call call, const void* of) {
  {
    const std::lock_guard lock(mutex_);
    call_ = call;
    of_ = of;
    working_ = static_cast<int>(threads_.size());
    ++round_;
  }
  wake_.notify_all();
  attempt(call, of, 0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return working_ == 0; });
  if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
}

}  // namespace condyle
