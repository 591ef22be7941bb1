// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/ahead_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

namespace vramscope {

namespace {

constexpr std::size_t kChunkSize = std::size_t(256) << 10;
constexpr std::size_t kChunks = 16;

struct Chunk
{
    std::vector<std::byte> bytes = std::vector<std::byte>(kChunkSize);
    Result<std::size_t> filled = std::size_t(0);
    double fraction = 0;
    std::exception_ptr thrown; ///< in the place of what could not be read
};

/// Chunks go round: the thread fills those between m_filled and m_used + kChunks, the reader uses
/// those between m_used and m_filled. Only the two counts and the wish to stop are shared.
class AheadSource final : public ByteSource
{
public:
    AheadSource(std::unique_ptr<ByteSource> source, CancelGuard &watch)
        : m_size(source->size())
        , m_source(std::move(source))
        , m_watch(watch)
    {
    }
    AheadSource(const AheadSource &) = delete;
    AheadSource &operator=(const AheadSource &) = delete;
    ~AheadSource() override { stop(); }

    std::optional<std::int64_t> size() const override { return m_size; }
    double fraction() const override { return m_fraction; }
    std::vector<std::string> anomalies() const override { return m_anomalies; }
    Result<std::size_t> read(std::span<std::byte> into) override;
    Result<void> verify() override
    {
        stop();
        return m_source->verify();
    }

private:
    void start();
    void stop();
    void run();
    bool nextChunk();
    [[nodiscard]] Chunk &chunk(std::size_t number) { return m_chunks[number % kChunks]; }

    std::optional<std::int64_t> m_size;
    std::unique_ptr<ByteSource> m_source; // the thread's while it runs
    CancelGuard &m_watch;
    std::array<Chunk, kChunks> m_chunks;
    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_filled = 0; // of these three each change is under the mutex
    std::size_t m_used = 0;
    bool m_stop = false;

    bool m_started = false; // the reader's own
    std::optional<std::size_t> m_current;
    std::size_t m_position = 0; // in the current chunk
    double m_fraction = 0;
    bool m_atEnd = false;
    std::optional<Error> m_error;
    std::vector<std::string> m_anomalies;
};

void AheadSource::start()
{
    m_started = true;
    try {
        m_thread = std::thread([this] { run(); });
    } catch (const std::exception &) {
        // No thread to be had, or no memory for one: read() reads itself.
    }
}

void AheadSource::stop()
{
    if (!m_thread.joinable())
        return;
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void AheadSource::run()
{
    for (std::size_t number = 0;; ++number) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [&] { return m_stop || number < m_used + kChunks; });
            if (m_stop)
                return;
        }
        Chunk &next = chunk(number);
        try {
            next.filled = m_source->read(next.bytes);
            next.fraction = m_source->fraction();
        } catch (...) { // as for want of memory: it is the reader's
            next.thrown = std::current_exception();
            next.filled = std::size_t(0);
        }
        {
            const std::scoped_lock lock(m_mutex);
            m_filled = number + 1;
        }
        m_changed.notify_all();
        if (!next.filled.ok() || *next.filled < kChunkSize)
            return;
    }
}

/// Waits for the chunk after the current one. False at the end and after a failure.
bool AheadSource::nextChunk()
{
    if (m_current && *chunk(*m_current).filled < kChunkSize) {
        m_atEnd = true;
        stop(); // it has ended by itself; what it wrote is ours now
        m_anomalies = m_source->anomalies();
        return false;
    }
    constexpr std::chrono::milliseconds kPatience(20);
    const std::size_t number = m_current ? *m_current + 1 : 0;
    {
        std::unique_lock lock(m_mutex);
        m_used = number;
        m_changed.notify_all();
        bool goesOn = !m_watch.isGivenUp();
        while (goesOn && !m_changed.wait_for(lock, kPatience, [&] { return m_filled > number; })) {
            lock.unlock(); // what is asked may take its time
            goesOn = m_watch.goesOn();
            lock.lock();
        }
        if (!goesOn) {
            m_error = readingCancelled();
            return false;
        }
    }
    m_current = number;
    m_position = 0;
    m_fraction = chunk(number).fraction;
    if (chunk(number).thrown)
        std::rethrow_exception(chunk(number).thrown);
    if (!chunk(number).filled.ok()) {
        m_error = chunk(number).filled.error();
        return false;
    }
    return true;
}

Result<std::size_t> AheadSource::read(std::span<std::byte> into)
{
    if (!m_started)
        start();
    if (!m_thread.joinable() && !m_atEnd && !m_error) {
        m_fraction = m_source->fraction();
        auto done = m_source->read(into);
        m_anomalies = m_source->anomalies();
        return done;
    }
    std::size_t done = 0;
    while (done < into.size() && !m_atEnd && !m_error) {
        if (!m_current || m_position == *chunk(*m_current).filled) {
            if (!nextChunk())
                break;
        }
        const Chunk &current = chunk(*m_current);
        const std::size_t count = std::min(*current.filled - m_position, into.size() - done);
        std::memcpy(into.data() + done, current.bytes.data() + m_position, count);
        m_position += count;
        done += count;
    }
    if (m_error)
        return *m_error;
    return done;
}

} // namespace

std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source, CancelGuard &watch)
{
    return std::make_unique<AheadSource>(std::move(source), watch);
}

} // namespace vramscope
