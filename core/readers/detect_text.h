// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/detect_format.h"

#include <string_view>

namespace vramscope {

/// Whether a text that begins with a bracket goes on as JSON does, and not as lines of a log such
/// as
/// "[12:03:04] text" or "[INFO] text".
[[nodiscard]] bool beginsJson(std::string_view start);

/// What JSON is, by the keys of its outermost object, or of the first object of its outermost list,
/// in any order. `start` begins with the bracket; `isWhole`: nothing follows it.
[[nodiscard]] Result<TraceFormat> detectJson(std::string_view start, bool isWhole);

/// True of the beginning of what nvidia-smi -q prints, as text or XML.
[[nodiscard]] bool looksLikeSmiQuery(std::string_view start);

/// True of a text with a line of the screen of nvidia-smi that gives the memory of a device.
[[nodiscard]] bool looksLikeSmiScreen(std::string_view start);

/// True of both and of the beginning of what nvidia-smi prints as CSV or dmon as a table: by
/// the header, or else by lines that begin with a time and name an amount.
[[nodiscard]] bool looksLikeSmiLog(std::string_view start);

/// True of the beginning of what a serving engine logged while it started, by what its lines say.
[[nodiscard]] bool looksLikeServingLog(std::string_view start);

} // namespace vramscope
