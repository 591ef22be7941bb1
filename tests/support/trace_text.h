// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <span>
#include <string>

class QByteArray;

namespace vramscope::test {

/// All: whatever a trace holds. Records: events, segments, blocks and annotations, without their
/// contexts and what else is kept as JSON.
enum class TraceDetail { All, Records };

/// A trace as text, one record a line, with every id replaced by what it stands for: equal texts
/// mean equal traces.
[[nodiscard]] std::string traceText(const Trace &trace, TraceDetail detail = TraceDetail::All);

/// The bytes of a file's content.
[[nodiscard]] std::span<const std::byte> bytesOf(const std::string &text);
[[nodiscard]] std::span<const std::byte> bytesOf(const QByteArray &text);

/// What readTrace() makes of a file's content, as text; or "error: " and its error.
[[nodiscard]] std::string readText(const std::string &bytes);

} // namespace vramscope::test
