// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_remedies.h"

#include <span>
#include <string_view>

namespace vramscope {

/// A line by which an engine refuses to start, or stops.
struct LogRefusalRule
{
    LogEngine engine = LogEngine::Vllm;
    std::string_view shape; ///< of LogShape
    LogRefusalKind kind = LogRefusalKind::EngineFailed;
    LogStage stage = LogStage::Unknown; ///< Unknown: the one that the lines before it tell
    LogRemedyMaker remedy = remedyOfFailure;
    bool isShared = false;      ///< other engines write it too
    std::string_view from = {}; ///< first version that writes it; empty: not known
    std::string_view to = {};
};

[[nodiscard]] std::span<const LogRefusalRule> logRefusalRules();

} // namespace vramscope
