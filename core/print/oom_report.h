// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/base/format.h"

#include <string>

namespace vramscope {

/// One failure as a paragraph that a person can follow: what was asked, what was free and where,
/// why it could not serve the request.
[[nodiscard]] std::string outOfMemoryParagraph(const Study &study, const OutOfMemoryReport &failure,
                                               ByteUnit unit = ByteUnit::Binary);

/// All failures with what the step still needed, what would help, what filled the memory and who
/// held free memory fast, each in at most `most` rows (0: all); says so where there was no failure.
[[nodiscard]] std::string outOfMemoryText(const Study &study, const std::string &file,
                                          std::size_t most, ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON:
/// {"file","device","failed","failures":[{"event","time_us","requested",
/// "needed","device_free","shortage","cause","bands":{…},"free_for_it","largest_hole_for_it",
/// "last_release":{…},"in_use":[{"category","bytes"}],"rest_of_step":{…},"remedies":[…],"live":[…],
/// "domains":[…],"pins":[…]}]}. A remedy is {"change","bytes","at_most","enough",
/// "enough_for_step","title","text"}; what is not known is null.
[[nodiscard]] std::string outOfMemoryJson(const Study &study, const std::string &file);

} // namespace vramscope
