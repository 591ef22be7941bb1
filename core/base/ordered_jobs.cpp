// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace vramscope {

namespace {

/// What the threads share: which jobs are begun, done and taken note of.
class OrderedRun
{
public:
    OrderedRun(std::size_t count, std::size_t ahead, const std::function<void(std::size_t)> &job)
        : m_ahead(ahead)
        , m_job(job)
        , m_done(count)
    {
    }

    /// Takes one job after the other until none is left.
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
            m_job(index);
            lock.lock();
            m_done[index] = true;
            m_changed.notify_all();
        }
    }

    void waitFor(std::size_t index)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this, index] { return m_done[index]; });
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

} // namespace

void runInOrder(std::size_t count, const std::function<void(std::size_t)> &job,
                const std::function<bool(std::size_t)> &finished)
{
    const std::size_t wanted = std::min<std::size_t>(count, std::thread::hardware_concurrency());
    if (wanted < 2)
        return runAlone(count, job, finished);

    OrderedRun run(count, 2 * wanted, job);
    std::vector<std::thread> threads;
    try {
        while (threads.size() < wanted)
            threads.emplace_back([&run] { run.work(); });
    } catch (const std::system_error &) { // the system allows no more of them
        if (threads.empty())
            return runAlone(count, job, finished);
    }
    for (std::size_t index = 0; index < count; ++index) {
        run.waitFor(index);
        if (!finished(index))
            break;
        run.countFinished();
    }
    run.stop();
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace vramscope
