// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/follow_serving_log.h"

#include "core/base/path_text.h"
#include "core/describe/serving_log_tables.h"
#include "core/readers/byte_source.h"
#include "core/serving_logs/log_stages.h"
#include "core/serving_logs/log_verdict.h"
#include "core/serving_logs/read_serving_log.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <memory>
#include <span>
#include <thread>

namespace vramscope::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kPoll = 200ms;
/// A server that tries again, or is started again by its container, does so before.
constexpr auto kQuiet = 10s;

volatile std::sig_atomic_t isInterrupted = 0;

/// Ends the following, and the program the second time.
void interrupt(int signal)
{
    isInterrupted = 1;
    std::signal(signal, SIG_DFL);
}

/// The log, and the stages of it that were stated.
struct Followed
{
    std::unique_ptr<GrowingServingLog> growing = std::make_unique<GrowingServingLog>();
    GrowingServingLog::Reached reached{};
    std::size_t stated = 0;

    /// Takes bytes and states the stages that ended. True once the server is ready.
    bool take(std::string_view bytes)
    {
        growing->append(bytes);
        const GrowingServingLog::Reached now = growing->reached();
        if (now == reached)
            return false;
        reached = now;
        const Result<ServingLog> log = growing->log();
        if (!log.ok() || log->stages.empty())
            return false;
        const bool isReady = log->stages.back().stage == LogStage::Serving;
        for (const std::size_t end = log->stages.size() - 1; stated < end; ++stated)
            state(log->stages[stated]);
        return isReady;
    }

    static void state(const LogStageSpan &span)
    {
        const std::string facts = stageFacts(span);
        std::cerr << (span.attempt > 1 ? "Attempt " + std::to_string(span.attempt) + ", " : "")
                  << logStageName(span.stage) << (span.failed ? ": failed" : ": done")
                  << (facts.empty() ? "" : ", " + facts) << '\n';
    }
};

/// The next piece of a line of standard input; false at its end.
bool nextPiece(std::string &piece)
{
    static std::array<char, std::size_t(64) << 10> room;
    std::cin.getline(room.data(), room.size());
    const auto count = static_cast<std::size_t>(std::cin.gcount());
    if (count == 0)
        return false;
    const bool isCut = std::cin.fail() && !std::cin.eof();
    if (isCut)
        std::cin.clear();
    // The count includes a line end that was taken out.
    const bool hasEnd = !isCut && !std::cin.eof();
    piece.assign(room.data(), hasEnd ? count - 1 : count);
    piece += hasEnd ? "\n" : "";
    return true;
}

Result<ServingLog> followInput()
{
    Followed followed;
    std::string piece;
    while (isInterrupted == 0 && nextPiece(piece))
        if (followed.take(piece))
            break;
    return followed.growing->log();
}

/// Whether a file still begins with `head`: else another one has its name.
bool beginsWith(SeekableSource &source, std::string_view head)
{
    std::string now(head.size(), '\0');
    const Result<std::size_t> count = source.readAt(0, std::as_writable_bytes(std::span(now)));
    return count.ok() && now == head;
}

Result<ServingLog> followFile(const std::string &file)
{
    Followed followed;
    std::int64_t place = 0;
    std::string head;
    auto lastGrowth = std::chrono::steady_clock::now();
    std::array<std::byte, std::size_t(64) << 10> room; // NOLINT(*-member-init): read() fills it
    while (isInterrupted == 0) {
        const Result<std::unique_ptr<SeekableSource>> source = openFile(pathOf(file));
        if (!source.ok() && source.error().code != ErrorCode::Empty &&
            (place == 0 || source.error().code != ErrorCode::NotFound))
            return source.error();
        const std::int64_t size = source.ok() ? (*source)->size().value_or(place) : place;
        if (source.ok() && (size < place || !beginsWith(**source, head))) {
            std::cerr << file << " was replaced: it is read again.\n";
            followed = Followed();
            place = 0;
            head.clear();
        }
        while (place < size) {
            const Result<std::size_t> count = (*source)->readAt(place, room);
            if (!count.ok())
                return count.error();
            if (*count == 0)
                break;
            const std::string_view bytes(reinterpret_cast<const char *>(room.data()), *count);
            constexpr std::size_t kHead = 4096;
            head += bytes.substr(0, kHead - head.size());
            place += static_cast<std::int64_t>(*count);
            lastGrowth = std::chrono::steady_clock::now();
            if (followed.take(bytes))
                return followed.growing->log();
        }
        const bool isQuiet = std::chrono::steady_clock::now() - lastGrowth > kQuiet;
        if (isQuiet && followed.reached.refusals > 0) {
            Result<ServingLog> log = followed.growing->log();
            if (log.ok() && startFailed(*log))
                return log;
        }
        std::this_thread::sleep_for(kPoll);
    }
    return followed.growing->log();
}

} // namespace

Result<ServingLog> readInput()
{
    GrowingServingLog growing;
    std::string piece;
    while (nextPiece(piece))
        growing.append(piece);
    return growing.log();
}

Result<ServingLog> followServingLog(const std::string &file)
{
    std::signal(SIGINT, interrupt);
    return file == kStandardInputName ? followInput() : followFile(file);
}

} // namespace vramscope::cli
