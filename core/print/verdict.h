// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <string>

namespace vramscope {

class Study;

/// What happened on a device, in sentences that do not end with a full stop, those that are not
/// needed empty.
struct TraceVerdict
{
    std::string peak; ///< "Peak 71.3 GiB active of 79.2 GiB reserved on device 0, after event 4"
    std::string failures; ///< "out of memory at event 5,000: fragmentation"
    std::string warning;  ///< ended by a full stop: that the history begins in the middle
};
[[nodiscard]] TraceVerdict traceVerdict(const Study &study, ByteUnit unit = ByteUnit::Binary);

/// The same as lines for a terminal: peak and failures in one where they fit, the warning below.
[[nodiscard]] std::string verdictText(const Study &study, ByteUnit unit = ByteUnit::Binary);

/// "snapshot.pickle, device 0", with which a report of one device begins.
[[nodiscard]] std::string traceHead(const std::string &file, const Study &study);

} // namespace vramscope
