// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/detect_format.h"

#include <string_view>

namespace vramscope {

/// Whether a text that begins with a bracket continues like JSON, and not like lines of a log such
/// as "[12:03:04] text" or "[INFO] text".
[[nodiscard]] bool beginsJson(std::string_view start);

/// The format of JSON by the keys of its outermost object, or of the first object of its outermost
/// list, in any order. `start` begins with the bracket; `isWhole`: nothing follows it.
[[nodiscard]] Result<TraceFormat> detectJson(std::string_view start, bool isWhole);

/// True for the beginning of the output of nvidia-smi -q, as text or XML.
[[nodiscard]] bool looksLikeSmiQuery(std::string_view start);

/// True for a text with a line of nvidia-smi's screen that gives the memory of a device.
[[nodiscard]] bool looksLikeSmiScreen(std::string_view start);

/// True for both and for the beginning of nvidia-smi's CSV or dmon table: by the header, or else by
/// lines that begin with a time and name an amount.
[[nodiscard]] bool looksLikeSmiLog(std::string_view start);

/// True for the beginning of the startup log of a serving engine, by the content of its lines.
[[nodiscard]] bool looksLikeServingLog(std::string_view start);

} // namespace vramscope
