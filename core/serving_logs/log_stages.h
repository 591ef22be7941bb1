// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// "load_weights", "profile", …
[[nodiscard]] std::string_view logStageId(LogStage stage);
/// "Load weights", "Profile run", …
[[nodiscard]] std::string_view logStageName(LogStage stage);
/// "while it loaded the weights"; empty of Unknown.
[[nodiscard]] std::string_view logStagePhrase(LogStage stage);

/// A line by which a stage is known; its number is the seconds that the stage took.
struct LogStageMark
{
    LogEngine engine = LogEngine::Vllm;
    std::string_view shape;
    LogStage stage = LogStage::Unknown;
    bool isFrame =
        false; ///< a frame of a traceback: the innermost one of these says where it failed
    bool isShared = false;
};
[[nodiscard]] std::span<const LogStageMark> logStageMarks();

/// The stage that states a figure of a key; Unknown of those that several state.
[[nodiscard]] LogStage stageOfKey(std::string_view key);

/// Follows a start through its stages, line by line. A rank that is behind the one that was refused
/// begins no new attempt.
class LogStages
{
public:
    /// Who writes a line, and of what.
    struct Place
    {
        std::int64_t line = 0;
        int model = 0;
        std::string_view rank; ///< as its prefix names it
    };
    /// A line that begins a stage, or belongs to it; `seconds` where it states them.
    void enter(LogStage stage, const Place &at, std::optional<double> seconds = {});
    /// A figure of a stage: it never leads back to an earlier one.
    void pass(LogStage stage, const Place &at);
    /// A frame of a traceback, whose head is Unknown: the last one of a start's functions counts.
    void enterFrame(LogStage stage);
    /// An attempt ended, in this stage where the refusal says in which.
    LogStage refuse(LogStage stage, const Place &at, bool isReason);
    /// A server starts again.
    void startAgain();

    [[nodiscard]] int attempt() const { return m_attempt; }
    [[nodiscard]] LogStage now() const { return m_now; }
    [[nodiscard]] std::vector<LogStageSpan> spans() && { return std::move(m_spans); }

private:
    LogStageSpan &span(LogStage stage, const Place &at);
    /// Whether a line in a stage can only be of the next attempt.
    [[nodiscard]] bool isNext(LogStage stage, std::string_view rank) const;
    void remember(LogStage stage, std::string_view rank);

    std::vector<LogStageSpan> m_spans;
    std::map<std::string, LogStage, std::less<>> m_ranks; ///< how far each is in this attempt
    LogStage m_now = LogStage::Unknown;
    LogStage m_frame = LogStage::Unknown;
    LogStage m_refused = LogStage::Unknown; ///< of the last reason in this attempt
    bool m_isRefused = false;
    int m_attempt = 1;
};

} // namespace vramscope
