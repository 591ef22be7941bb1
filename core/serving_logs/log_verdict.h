// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_remedies.h"

#include <optional>
#include <string>

namespace vramscope {

/// Why a start ended, where, and what to change.
struct LogVerdict
{
    LogRefusalKind kind = LogRefusalKind::EngineFailed;
    LogStage stage = LogStage::Unknown;
    int attempt = 1;
    std::int64_t line = 0; ///< that says so
    LogRemedy remedy{};
    bool isFinal = true; ///< no later attempt went on
};

/// The refusal that decides an attempt: of those that say most. nullptr where none ended it.
[[nodiscard]] const LogRefusal *decisiveRefusal(const ServingLog &log, int attempt);
/// The verdict on the last attempt that a refusal ended.
[[nodiscard]] std::optional<LogVerdict> verdictOf(const ServingLog &log,
                                                  ByteUnit unit = ByteUnit::Binary);
/// Whether a refusal ended the last attempt.
[[nodiscard]] bool startFailed(const ServingLog &log);
/// "The server stopped while it loaded the weights: … Change: --tensor-parallel-size 4 (…). Or: …"
[[nodiscard]] std::string verdictText(const LogVerdict &verdict, ByteUnit unit = ByteUnit::Binary);
/// What to do about one refusal, in a sentence; empty where its lines do not tell.
[[nodiscard]] std::string refusalRemedy(const ServingLog &log, const LogRefusal &refusal,
                                        ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
