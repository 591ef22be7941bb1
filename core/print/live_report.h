// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/trace.h"

#include <string>

namespace vramscope {

class Study;

/// What is alive on one device after `event` (-1: before the first), grouped by stack, as one line
/// of JSON: {"file","device","event","active","allocations","groups":[{"bytes","count",
/// "frames":[{"name","file","line"}],"freed_in","category","guess","probability","evidence"}]};
/// frames innermost first; "freed_in" only for memory from before the recording.
[[nodiscard]] std::string liveJson(const Study &study, EventIndex event, const std::string &file);

/// The same for people: the `most` largest stacks (0: all) and one line for the others.
[[nodiscard]] std::string liveText(const Study &study, EventIndex event, const std::string &file,
                                   std::size_t most, ByteUnit unit = ByteUnit::Binary);

/// The peak as one line of JSON: {"file","device","event","time","active","reserved",
/// "allocations","step","position","running":[name],"stack":[frame],"categories":[{"category",
/// "bytes","count","confidence"}],"phase","remedies":[{"kind","bytes","at_most"}],"stacks":[as the
/// groups of liveJson()]}.
[[nodiscard]] std::string peakJson(const Study &study, const std::string &file);
/// The same for people: verdictText(), then the `most` largest stacks (0: all) and one line for the
/// others.
[[nodiscard]] std::string peakText(const Study &study, const std::string &file, std::size_t most,
                                   ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
