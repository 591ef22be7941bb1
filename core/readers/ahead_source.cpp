// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sources.h"

#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <any>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace vramscope {

namespace {

constexpr std::size_t kChunkSize = std::size_t(256) << 10;
constexpr std::size_t kChunks = 6;
constexpr std::size_t kNone = SIZE_MAX;

struct Chunk
{
    // Not touched before it is filled: a short file uses few chunks.
    std::unique_ptr<std::byte[]> bytes =
        std::make_unique_for_overwrite<std::byte[]>(ByteSource::kLendRoom + kChunkSize);
    Result<std::size_t> filled = std::size_t(0);
    double fraction = 0;
    std::any made;             ///< of the bytes by the look
    bool isLookedAt = false;   ///< made is of these bytes
    std::exception_ptr thrown; ///< where bytes could not be read
    std::size_t ready = kNone; ///< the number under which the chunk may be used

    [[nodiscard]] std::span<std::byte> room() const
    {
        return {bytes.get() + ByteSource::kLendRoom, kChunkSize};
    }
    [[nodiscard]] std::span<std::byte> content() const
    {
        return room().first(filled.ok() ? *filled : 0);
    }
};

/// Waits for a short time without giving up the processor: a chunk is used in about the time that
/// it takes to wake a thread, and the system may wake it on the waker's processor although the
/// other is idle.
template<class Ready>
void waitShortly(std::unique_lock<std::mutex> &lock, const Ready &isReady)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kShort(500);
    const Clock::time_point begin = Clock::now();
    while (!isReady() && Clock::now() - begin < kShort) {
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
    }
}

/// Chunks go round. Threads claim those up to kChunks after the last released one, fill them one
/// after the other and look at them in parallel; the reader uses them in order, and while its next
/// one is not ready it looks at others that are filled. Everything shared except chunks is under
/// the mutex, and a chunk belongs to its thread while it is filled or looked at.
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
    std::optional<Result<LentBytes>> lend() override;
    void lookWith(const Look &look) override;
    Result<void> verify() override
    {
        stop();
        return m_source->verify();
    }

private:
    void start(std::size_t threads);
    void stop();
    void run();
    [[nodiscard]] bool canFill() const
    {
        return !m_isFilling && !m_isWhole && m_claimed < m_used + kChunks;
    }
    [[nodiscard]] bool canLook() const { return m_looked < filled(); }
    [[nodiscard]] std::size_t filled() const { return m_claimed - (m_isFilling ? 1 : 0); }
    void fillNext(std::unique_lock<std::mutex> &lock);
    void lookAtNext(std::unique_lock<std::mutex> &lock, std::any &kept);
    void fill(Chunk &chunk);
    static void look(const Look &look, Chunk &chunk, std::any &kept);
    bool nextChunk();
    bool awaitChunk(std::unique_lock<std::mutex> &lock, std::size_t number);
    [[nodiscard]] Chunk &chunk(std::size_t number) { return m_chunks[number % kChunks]; }

    std::optional<std::int64_t> m_size;
    std::unique_ptr<ByteSource> m_source; // used by the threads while they run
    CancelGuard &m_watch;
    const bool m_staysAwake = usableProcessors() == 2; // one for the reader, one for a thread
    std::array<Chunk, kChunks> m_chunks;
    std::vector<std::thread> m_threads;
    std::mutex m_mutex;
    std::condition_variable m_roomy;   // threads wait for a chunk to fill or look at
    std::condition_variable m_readied; // the reader waits for one
    std::size_t m_claimed = 0;         // to be filled; always changed under the mutex
    std::size_t m_looked = 0;          // claimed to be looked at
    std::size_t m_used = 0;
    bool m_isAwaited = false; // the reader waits
    bool m_isFilling = false;
    bool m_isWhole = false; // nothing is left to fill
    bool m_stop = false;
    Look m_look;

    bool m_started = false; // the reader's own
    int m_processor = -1;
    std::any m_kept;
    std::optional<std::size_t> m_current;
    std::size_t m_position = 0; // in the current chunk
    double m_fraction = 0;
    bool m_atEnd = false;
    std::optional<Error> m_error;
    std::vector<std::string> m_anomalies;
};

void AheadSource::start(std::size_t threads)
{
    m_started = true;
    m_processor = currentProcessor();
    try {
        while (m_threads.size() < threads)
            m_threads.emplace_back([this] { run(); });
    } catch (const std::exception &) {
        // No thread or no memory for one: without threads read() reads by itself.
    }
}

void AheadSource::stop()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stop = true;
    }
    m_roomy.notify_all();
    for (std::thread &thread : m_threads)
        thread.join();
    m_threads.clear();
}

void AheadSource::lookWith(const Look &look)
{
    constexpr std::size_t kMostThreads = 4; // more wait for the reader, which needs one too
    const std::size_t threads = std::clamp<std::size_t>(usableProcessors() - 1, 1, kMostThreads);
    {
        const std::scoped_lock lock(m_mutex);
        m_look = look;
        if (m_isWhole)
            return;
    }
    start(threads);
}

void AheadSource::fill(Chunk &chunk)
{
    chunk.isLookedAt = false;
    try {
        chunk.filled = m_source->read(chunk.room());
        chunk.fraction = m_source->fraction();
    } catch (...) { // for example without memory: left to the reader
        chunk.thrown = std::current_exception();
        chunk.filled = std::size_t(0);
    }
}

void AheadSource::look(const Look &look, Chunk &chunk, std::any &kept)
{
    const std::span<std::byte> content = chunk.content();
    try {
        look({reinterpret_cast<const std::uint8_t *>(content.data()), content.size()}, chunk.made,
             kept);
        chunk.isLookedAt = true;
    } catch (...) {
        chunk.thrown = std::current_exception();
    }
}

void AheadSource::run()
{
    constexpr std::size_t kFilledAhead = 2; // for the reader, which does not fill chunks
    if (m_staysAwake)
        leaveProcessor(m_processor);
    std::any kept;
    std::unique_lock lock(m_mutex);
    for (;;) {
        const auto isWanted = [this] { return m_stop || m_isWhole || canFill() || canLook(); };
        if (m_staysAwake && m_look)
            waitShortly(lock, isWanted);
        m_roomy.wait(lock, isWanted);
        if (m_stop || (m_isWhole && !canLook()))
            return;
        const bool isAhead = filled() >= m_looked + kFilledAhead;
        if (canLook() && (isAhead || !canFill()))
            lookAtNext(lock, kept);
        else
            fillNext(lock);
    }
}

/// Fills the next chunk, without the lock.
void AheadSource::fillNext(std::unique_lock<std::mutex> &lock)
{
    const std::size_t number = m_claimed++;
    Chunk &next = chunk(number);
    m_isFilling = true;
    lock.unlock();
    fill(next);
    lock.lock();
    m_isFilling = false;
    m_isWhole = !next.filled.ok() || *next.filled < kChunkSize;
    if (!m_look) {
        m_looked = m_claimed;
        next.ready = number;
    }
    m_roomy.notify_all();
    if (m_isAwaited)
        m_readied.notify_all();
}

/// Looks at the next chunk that is filled, without the lock.
void AheadSource::lookAtNext(std::unique_lock<std::mutex> &lock, std::any &kept)
{
    const std::size_t number = m_looked++;
    Chunk &next = chunk(number);
    const Look wanted = m_look;
    lock.unlock();
    if (!next.thrown)
        look(wanted, next, kept);
    lock.lock();
    next.ready = number;
    if (m_isAwaited)
        m_readied.notify_all();
}

/// Waits under the lock until a chunk is ready, or for a while, and meanwhile looks at filled ones.
bool AheadSource::awaitChunk(std::unique_lock<std::mutex> &lock, std::size_t number)
{
    constexpr std::chrono::milliseconds kPatience(20);
    const Chunk &next = chunk(number);
    const auto isReady = [&] { return next.ready == number || canLook(); };
    m_isAwaited = true;
    bool came = true;
    while (next.ready != number && came) {
        if (canLook()) {
            lookAtNext(lock, m_kept);
            continue;
        }
        if (m_staysAwake && m_look)
            waitShortly(lock, isReady);
        came = m_readied.wait_for(lock, kPatience, isReady);
    }
    m_isAwaited = false;
    return came;
}

/// Waits for the chunk after the current one, which stays as it is until the one after that. False
/// at the end and after a failure.
bool AheadSource::nextChunk()
{
    if (m_current && *chunk(*m_current).filled < kChunkSize) {
        m_atEnd = true;
        stop(); // they have ended by themselves; their output is ours now
        m_anomalies = m_source->anomalies();
        return false;
    }
    const std::size_t number = m_current ? *m_current + 1 : 0;
    Chunk &next = chunk(number);
    {
        std::unique_lock lock(m_mutex);
        m_used = m_current.value_or(0);
        m_roomy.notify_all();
        bool goesOn = !m_watch.isGivenUp();
        while (goesOn && !awaitChunk(lock, number)) {
            lock.unlock(); // the watch may take its time
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
    m_fraction = next.fraction;
    if (next.thrown)
        std::rethrow_exception(next.thrown);
    if (!next.filled.ok()) {
        m_error = next.filled.error();
        return false;
    }
    return true;
}

Result<std::size_t> AheadSource::read(std::span<std::byte> into)
{
    if (!m_started)
        start(1);
    if (m_threads.empty() && !m_atEnd && !m_error) {
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
        const std::span<std::byte> content = chunk(*m_current).content();
        const std::size_t count = std::min(content.size() - m_position, into.size() - done);
        std::memcpy(into.data() + done, content.data() + m_position, count);
        m_position += count;
        done += count;
    }
    if (m_error)
        return *m_error;
    return done;
}

std::optional<Result<LentBytes>> AheadSource::lend()
{
    if (!m_started)
        start(1);
    if (m_threads.empty() && !m_atEnd && !m_error)
        return {};
    const bool isUsed = !m_current || m_position == *chunk(*m_current).filled;
    const bool hasNext = !m_atEnd && !m_error && (!isUsed || nextChunk());
    if (m_error)
        return Result<LentBytes>(*m_error);
    if (!hasNext)
        return Result<LentBytes>(LentBytes());
    Chunk &current = chunk(*m_current);
    // In a partly read chunk, the bytes before the rest overwrite what was made.
    std::any *const made = current.isLookedAt && m_position == 0 ? &current.made : nullptr;
    const LentBytes lent{current.content().subspan(m_position), made};
    m_position = *current.filled;
    return Result<LentBytes>(lent);
}

} // namespace

std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source, CancelGuard &watch)
{
    return std::make_unique<AheadSource>(std::move(source), watch);
}

} // namespace vramscope
