// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/serving_logs/serving_log.h"

#include <filesystem>
#include <string_view>

namespace vramscope {

/// Reads what a serving engine logged while it started, alone or among lines of other programs:
/// vLLM (V0 and V1), SGLang, llama.cpp and what is built on it, ollama, TensorRT-LLM,
/// text-generation-inference, verl, slime. Shapes of lines: core/serving_logs/log_patterns.cpp.
/// Memory is bounded whatever the file: lines are cut at 64 KiB, and reading ends with a sentence
/// in `problems` after kMostLogFigures figures. Errors: NotRecognized where no line states memory,
/// told after kUnrecognisedBytes at most; Empty, NotFound, Unreadable, Cancelled. What gzip or
/// Zstandard packed is unfolded as it is read; damaged, it gives an Error where nothing before says
/// anything, and else a sentence in `problems`.
[[nodiscard]] Result<ServingLog> readServingLog(const std::filesystem::path &file,
                                                const Progress &progress = {});
/// The same of a text in memory.
[[nodiscard]] Result<ServingLog> readServingLogText(std::string_view text);

/// A log that states more is of a run that has been serving for long: its start lies before.
inline constexpr std::size_t kMostLogFigures = 50000;
/// How far a file is read that has not stated any figure.
inline constexpr std::int64_t kUnrecognisedBytes = std::int64_t(256) << 20;

} // namespace vramscope
