#pragma once
// A few threads that live as long as their owner and sleep between jobs. A job is the same function on every worker; who
// does what is the caller's business, so that it can be the same in every run.
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace condyle {

class WorkerPool {
 public:
  /// The caller is worker 0; workers - 1 threads are started.
  explicit WorkerPool(int workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  /// work(0) here, work(1) ... work(workers - 1) on the threads; returns when all are done. What one of them throws is
  /// thrown here.
  template <class Work>
  void run(const Work& work) {
    start([](const void* of, int worker) { (*static_cast<const Work*>(of))(worker); }, &work);
  }

 private:
  using Call = void (*)(const void* of, int worker);
  void start(Call call, const void* of);
  void serve(int worker);
  void attempt(Call call, const void* of, int worker);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  Call call_ = nullptr;
  const void* of_ = nullptr;
  unsigned long round_ = 0;
  int working_ = 0;
  bool ending_ = false;
  std::exception_ptr trouble_;
  std::vector<std::thread> threads_;
};

}  // namespace condyle
