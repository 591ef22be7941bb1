// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/serving_logs/serving_log.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A line of a log as an engine wrote it, without what loggers, terminals and containers put
/// before it.
struct LogLine
{
    /// Who wrote it, as its prefix says: "Worker_TP0", "EngineCore:986" (with the process where the
    /// name says nothing of a rank), "DP0 TP3"; empty where no prefix names anyone.
    std::string rank;
    std::string message;
    std::string date; ///< "2025-10-16" where SGLang's prefix has one
};

/// Takes colours out of a line, also those whose escape byte was lost or written as text, and
/// writes "\n" and "\r" that stand in it as letters, and bytes of control, as blanks.
[[nodiscard]] std::string withoutColours(std::string_view line);

/// The container that a line is from, as docker compose and kubectl put it before the line:
/// "vllm-1"; empty without one.
[[nodiscard]] std::string containerOf(std::string_view line);

/// What a line holds; several where a progress bar went back to its beginning. Empty pieces are
/// left out.
[[nodiscard]] std::vector<LogLine> logLines(std::string_view line);

/// Reads what a serving engine logged while it started, alone or among lines of other programs:
/// vLLM (V0 and V1), SGLang, llama.cpp and what is built on it, ollama, TensorRT-LLM,
/// text-generation-inference, verl, slime. Shapes of lines: core/serving_logs/log_patterns.cpp.
/// Where containers stand before the lines of several servers, the log is that of one: of a server
/// whose start failed, or else the one with the most figures; `problems` names the others.
/// Memory is bounded whatever the file: lines are cut at 64 KiB, and reading ends with a sentence
/// in `problems` after kMostLogFigures figures. Errors: NotRecognized where no line states memory,
/// told after kUnrecognisedBytes at most; Empty, NotFound, Unreadable, Cancelled. What gzip or
/// Zstandard packed is unfolded as it is read; damaged, it gives an Error where nothing before says
/// anything, and else a sentence in `problems`.
[[nodiscard]] Result<ServingLog> readServingLog(const std::filesystem::path &file,
                                                const Progress &progress = {});
/// The same of a text in memory.
[[nodiscard]] Result<ServingLog> readServingLogText(std::string_view text);

/// Reads a log that is being written, as its bytes come.
class GrowingServingLog
{
public:
    GrowingServingLog();
    ~GrowingServingLog();
    GrowingServingLog(const GrowingServingLog &) = delete;
    GrowingServingLog &operator=(const GrowingServingLog &) = delete;

    /// Takes the next bytes, which end anywhere in a line: UTF-8 or ASCII, not compressed.
    void append(std::string_view bytes);
    /// How far the start has come: it changes with each stage, attempt and refusal.
    struct Reached
    {
        LogStage stage = LogStage::Unknown;
        int attempt = 1;
        std::size_t refusals = 0;
        bool operator==(const Reached &) const = default;
    };
    [[nodiscard]] Reached reached() const;
    /// The log so far, as readServingLog() gives it; what follows the last line end counts too.
    [[nodiscard]] Result<ServingLog> log() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// A log that states more is of a run that has been serving for long: its start lies before.
inline constexpr std::size_t kMostLogFigures = 50000;
/// How far a file is read that has not stated any figure.
inline constexpr std::int64_t kUnrecognisedBytes = std::int64_t(256) << 20;

} // namespace vramscope
