/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The Ringbell authors
 *
 * Coroutines of C++20: each PE has many, and two threads that go round them. What one awaits is
 * asked by a call that returns at once, so none keeps the others from going on, and a coroutine may
 * go on in the other thread. The calls come from a header unit, where the compiler has those.
 */
#include <atomic>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#ifdef IMPORT_SHMEM
import <shmemx.h>;
#else
#include <shmemx.h>
#endif

namespace
{
enum { TOKENS = 4, WORDS = 32 };

std::atomic<int> left, failures;
std::mutex mutex;
std::deque<std::pair<std::function<bool()>, std::coroutine_handle<>>> waiting;

struct Task {
	struct promise_type {
		Task get_return_object() { return {}; }
		std::suspend_never initial_suspend() { left++; return {}; }
		std::suspend_never final_suspend() noexcept { return {}; }
		void return_void() { left--; }
		void unhandled_exception() { std::abort(); }
	};
};

/* Asked at each turn until it holds. The other thread may go on with the coroutine at once. */
class Until
{
	std::function<bool()> holds;

public:
	explicit Until(std::function<bool()> what) : holds(std::move(what)) {}
	bool await_ready() { return false; }
	void await_suspend(std::coroutine_handle<> who)
	{
		std::lock_guard<std::mutex> guard(mutex);
		waiting.emplace_back(std::move(holds), who);
	}
	void await_resume() {}
};

void
go_round()
{
	while (left > 0) {
		std::unique_lock<std::mutex> guard(mutex);
		if (waiting.empty()) {
			guard.unlock();
			std::this_thread::yield();
			continue;
		}
		auto [holds, who] = std::move(waiting.front());
		waiting.pop_front();
		guard.unlock();
		if (holds()) {
			who.resume();
			continue;
		}
		guard.lock();
		waiting.emplace_back(std::move(holds), who);
	}
}

void
expect(bool ok, const char *what)
{
	if (!ok) {
		std::fprintf(stderr, "%d: %s\n", shmem_my_pe(), what);
		failures++;
	}
}

/* A row of words goes round the PEs ten times; each adds one to the first word. */
Task
pass_on(long *row, std::uint64_t *sig)
{
	const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();

	for (std::uint64_t lap = 1; lap <= 10; lap++) {
		if (lap > 1 || me > 0)
			co_await Until([=] { return shmem_test(sig, SHMEM_CMP_GE, me > 0 ? lap : lap - 1); });
		expect(row[WORDS - 1] == row[0], "the row came whole");
		for (int i = 0; i < WORDS; i++)
			row[i]++;
		shmem_put_signal(row, row, WORDS, sig, lap, SHMEM_SIGNAL_SET, right);
	}
}

/* Begun in one thread, completed in whichever goes on. */
Task
write_and_read(long *at)
{
	const int right = (shmem_my_pe() + 1) % shmem_n_pes();
	long there[WORDS], back[WORDS] = {};
	shmem_ctx_t ctx;

	expect(shmem_ctx_create(0, &ctx) == 0, "a context");
	for (long lap = 0; lap < 10; lap++) {
		for (int i = 0; i < WORDS; i++)
			there[i] = 100 * lap + i;
		shmem_put_nbi(ctx, at, there, WORDS, right);
		co_await Until([ctx] { shmem_ctx_quiet(ctx); return true; });
		shmem_get_nbi(ctx, back, at, WORDS, right);
		co_await Until([ctx] { shmem_ctx_quiet(ctx); return true; });
		expect(back[WORDS - 1] == there[WORDS - 1], "what was written is read");
	}
	shmem_ctx_destroy(ctx);
}

Task
add_up(long *part, long *sum)
{
	const int n = shmem_n_pes();
	shmemx_req_h request;

	for (long lap = 0; lap < 10; lap++) {
		*part = lap * shmem_my_pe();
		expect(shmemx_sum_reduce_nb(SHMEM_TEAM_WORLD, sum, part, 1, &request) == 0, "posted");
		co_await Until([&request] { return shmemx_req_test(&request) == 0; });
		expect(*sum == lap * n * (n - 1) / 2, "the sum");
	}
}
} // namespace

int
main()
{
	int provided;

	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
	expect(provided == SHMEM_THREAD_MULTIPLE, "threads");
	long *words = static_cast<long *>(shmem_calloc((2 * TOKENS + 1) * WORDS, sizeof(long)));
	auto *signals = static_cast<std::uint64_t *>(shmem_calloc(TOKENS, sizeof(std::uint64_t)));
	for (int i = 0; i < TOKENS; i++) {
		pass_on(words + i * WORDS, signals + i);
		write_and_read(words + (TOKENS + i) * WORDS);
	}
	add_up(words + 2 * TOKENS * WORDS, words + 2 * TOKENS * WORDS + 1);
	std::thread other(go_round);
	go_round();
	other.join();
	shmem_barrier_all();
	if (shmem_my_pe() == 0)
		expect(words[0] == 10L * shmem_n_pes(), "everyone has added");
	shmem_barrier_all();
	if (failures == 0)
		std::printf("passed\n");
	shmem_finalize();
	return failures != 0;
}
