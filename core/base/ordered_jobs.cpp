// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace vramscope {

namespace {

/// The exception of the work, if any.
template<class Work>
std::exception_ptr failureOf(Work work)
{
    try {
        work();
        return nullptr;
    } catch (...) {
        return std::current_exception();
    }
}

/// Shared by the threads: which jobs are begun, done and reported.
class OrderedRun
{
public:
    OrderedRun(std::size_t count, std::size_t ahead, const std::function<void(std::size_t)> &job)
        : m_ahead(ahead)
        , m_job(job)
        , m_done(count)
    {
    }

    /// Takes one job after the other until all are begun.
    void work()
    {
        for (;;) {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] {
                return m_stopped || m_next == m_done.size() || m_next < m_finished + m_ahead;
            });
            if (m_stopped || m_next == m_done.size())
                return;
            const std::size_t index = m_next++;
            lock.unlock();
            std::exception_ptr thrown = failureOf([&] { m_job(index); });
            lock.lock();
            m_stopped |= thrown != nullptr;
            m_thrown = thrown ? std::move(thrown) : m_thrown;
            m_done[index] = true;
            m_changed.notify_all();
        }
    }

    /// Throws the exception of a job.
    void waitFor(std::size_t index)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this, index] { return m_done[index] || m_thrown; });
        if (m_thrown)
            std::rethrow_exception(m_thrown);
    }

    void countFinished()
    {
        const std::lock_guard lock(m_mutex);
        ++m_finished;
        m_changed.notify_all();
    }

    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
        m_changed.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    const std::size_t m_ahead;
    const std::function<void(std::size_t)> &m_job;
    std::vector<bool> m_done;
    std::size_t m_next = 0;
    std::size_t m_finished = 0;
    bool m_stopped = false;
    std::exception_ptr m_thrown;
};

void runAlone(std::size_t count, const std::function<void(std::size_t)> &job,
              const std::function<bool(std::size_t)> &finished)
{
    for (std::size_t index = 0; index < count; ++index) {
        job(index);
        if (!finished(index))
            return;
    }
}

/// Shared by the threads of runTogether().
class TogetherRun
{
public:
    TogetherRun(std::size_t count, const std::function<void(std::size_t, const Progress &)> &job)
        : m_job(job)
        , m_shares(count)
    {
    }

    void work()
    {
        for (;;) {
            const std::size_t index = m_next++;
            if (index >= m_shares.size() || m_stopped)
                return;
            std::exception_ptr thrown = failureOf([&] {
                m_job(index, [this, index](double share) {
                    m_shares[index] = share;
                    return !m_stopped;
                });
            });
            m_shares[index] = 1;
            const std::lock_guard lock(m_mutex);
            if (thrown) {
                m_stopped = true;
                m_thrown = std::move(thrown);
            }
            ++m_done;
            m_changed.notify_all();
        }
    }

    /// Waits a little; true when all work is done. Throws the exception of a job.
    [[nodiscard]] bool isThrough()
    {
        std::unique_lock lock(m_mutex);
        const bool through = m_changed.wait_for(lock, std::chrono::milliseconds(20), [this] {
            return m_done == m_shares.size() || m_thrown;
        });
        if (m_thrown)
            std::rethrow_exception(m_thrown);
        return through;
    }

    [[nodiscard]] double share() const
    {
        double sum = 0;
        for (const std::atomic<double> &each : m_shares)
            sum += each;
        return sum / static_cast<double>(m_shares.size());
    }

    void stop() { m_stopped = true; }

private:
    const std::function<void(std::size_t, const Progress &)> &m_job;
    std::vector<std::atomic<double>> m_shares;
    std::atomic<std::size_t> m_next = 0;
    std::atomic<bool> m_stopped = false;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_done = 0;
    std::exception_ptr m_thrown;
};

bool runOneByOne(std::size_t count, const std::function<void(std::size_t, const Progress &)> &job,
                 const Progress &progress)
{
    bool wanted = true;
    for (std::size_t index = 0; index < count && wanted; ++index) {
        job(index, [&](double share) {
            wanted = wanted && (!progress || progress((static_cast<double>(index) + share) /
                                                      static_cast<double>(count)));
            return wanted;
        });
    }
    return wanted;
}

// As many threads as requested and allowed by the system.
template<class Work>
std::vector<std::thread> threadsFor(std::size_t wanted, Work work)
{
    std::vector<std::thread> threads;
    threads.reserve(wanted);
    try {
        while (threads.size() < wanted)
            threads.emplace_back(work);
    } catch (const std::exception &) { // no further thread, or no memory for one
    }
    return threads;
}

/// Stops a run and waits for its threads, however the scope is left.
template<class Run>
class Ending
{
public:
    Ending(Run &run, std::vector<std::thread> &threads)
        : m_run(run)
        , m_threads(threads)
    {
    }
    Ending(const Ending &) = delete;
    Ending &operator=(const Ending &) = delete;
    ~Ending()
    {
        m_run.stop();
        for (std::thread &thread : m_threads)
            thread.join();
    }

private:
    Run &m_run;
    std::vector<std::thread> &m_threads;
};

} // namespace

std::size_t usableProcessors()
{
#ifdef __linux__
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        return static_cast<std::size_t>(std::max(1, CPU_COUNT(&mine)));
#endif
    return std::max(1U, std::thread::hardware_concurrency());
}

int currentProcessor()
{
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

void leaveProcessor([[maybe_unused]] int processor)
{
#ifdef __linux__
    cpu_set_t mine;
    if (processor < 0 || processor >= CPU_SETSIZE || sched_getaffinity(0, sizeof mine, &mine) != 0)
        return;
    cpu_set_t others = mine;
    CPU_CLR(static_cast<std::size_t>(processor), &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0)
        return;
    (void)sched_setaffinity(0, sizeof mine, &mine);
#endif
}

void runBoth(const std::function<void()> &first, const std::function<void()> &second)
{
    std::exception_ptr thrown;
    std::vector<std::thread> other =
        threadsFor(usableProcessors() > 1 ? 1 : 0, [&] { thrown = failureOf(second); });
    const std::exception_ptr thrownHere = failureOf(first);
    if (other.empty())
        return thrownHere ? std::rethrow_exception(thrownHere) : second();
    other.front().join();
    if (thrownHere || thrown)
        std::rethrow_exception(thrownHere ? thrownHere : thrown);
}

bool runTogether(std::size_t count, const std::function<void(std::size_t, const Progress &)> &job,
                 const Progress &progress)
{
    const std::size_t wanted = std::min(count, usableProcessors());
    if (wanted < 2)
        return runOneByOne(count, job, progress);
    TogetherRun run(count, job);
    std::vector<std::thread> threads = threadsFor(wanted, [&run] { run.work(); });
    if (threads.empty())
        return runOneByOne(count, job, progress);
    const Ending ending(run, threads);
    bool go = true;
    while (go && !run.isThrough())
        go = !progress || progress(run.share());
    return go;
}

void runInOrder(std::size_t count, const std::function<void(std::size_t)> &job,
                const std::function<bool(std::size_t)> &finished)
{
    const std::size_t wanted = std::min(count, usableProcessors());
    if (wanted < 2)
        return runAlone(count, job, finished);

    OrderedRun run(count, 2 * wanted, job);
    std::vector<std::thread> threads = threadsFor(wanted, [&run] { run.work(); });
    if (threads.empty())
        return runAlone(count, job, finished);
    const Ending ending(run, threads);
    for (std::size_t index = 0; index < count; ++index) {
        run.waitFor(index);
        if (!finished(index))
            return;
        run.countFinished();
    }
}

} // namespace vramscope
