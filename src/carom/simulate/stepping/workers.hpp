#pragma once
// Threads that wait for work: run(n, f) calls f(k, worker) for k = 0 … n − 1, each once, by whichever worker is free, and returns when
// all are done. The calling thread is worker 0; with one thread nothing is started. f must not throw.

#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

namespace carom {

class Workers {
 public:
  explicit Workers(int threads) {
    for (int w = 1; w < threads; ++w) threads_.emplace_back([this, w] { wait(w); });
  }
  ~Workers() {
    stop_ = true;
    round_.fetch_add(1);
    round_.notify_all();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int count() const { return static_cast<int>(threads_.size()) + 1; }

  template <class F>
  void run(int n, F&& f) {
    if (threads_.empty() || n == 1) {
      for (int k = 0; k < n; ++k) f(k, 0);
      return;
    }
    call_ = [](void* g, int k, int worker) { (*static_cast<std::remove_reference_t<F>*>(g))(k, worker); };
    task_ = &f, size_ = n;
    next_.store(0);
    busy_.store(static_cast<int>(threads_.size()));
    round_.fetch_add(1);
    round_.notify_all();
    work(0);
    for (int left = busy_.load(); left > 0; left = busy_.load()) busy_.wait(left);
  }

 private:
  void work(int worker) {
    for (int k = next_.fetch_add(1); k < size_; k = next_.fetch_add(1)) call_(task_, k, worker);
  }
  void wait(int worker) {
    for (unsigned seen = 0;;) {
      round_.wait(seen);
      seen = round_.load();
      if (stop_) return;
      work(worker);
      if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
  }

  void (*call_)(void*, int, int) = nullptr;
  void* task_ = nullptr;
  int size_ = 0;
  std::atomic<int> next_{0}, busy_{0};
  std::atomic<unsigned> round_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace carom
