// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_patterns.h"

namespace vramscope {

// What each engine writes of its memory, one file for engines that are built on each other. Shapes
// are short, so that a line that is cut still gives what is before the cut. Where two fit the
// same number, the earlier row has it. Versions are those whose source writes the line.
[[nodiscard]] std::span<const LogPattern> vllmAndSglangPatterns(); ///< and those of PyTorch
[[nodiscard]] std::span<const LogPattern> llamaPatterns();
[[nodiscard]] std::span<const LogPattern> otherPatterns();

/// Short forms of rows.
namespace pattern_rows {

constexpr LogEngine kVllm = LogEngine::Vllm;
constexpr LogEngine kSglang = LogEngine::Sglang;
constexpr LogEngine kLlama = LogEngine::LlamaCpp;
constexpr LogEngine kOllama = LogEngine::Ollama;
constexpr LogEngine kTrt = LogEngine::TensorRtLlm;
constexpr LogEngine kTgi = LogEngine::Tgi;
constexpr LogEngine kVerl = LogEngine::Verl;

constexpr LogPattern setting(LogEngine engine, std::string_view shape, bool isShared = false)
{
    return {engine, shape, "", "", LogPatternKind::Setting, isShared};
}

constexpr LogPattern marks(LogEngine engine, LogPatternKind kind, std::string_view shape)
{
    return {engine, shape, "", "", kind, false};
}

} // namespace pattern_rows

} // namespace vramscope
