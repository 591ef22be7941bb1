// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/snapshot_words.h"

#include <string>

namespace vramscope::pickle {

/// The keys that occur in a snapshot, by record: they show which version wrote it.
struct SnapshotLayout
{
    KeySet top = 0; ///< none: a bare list of segments
    KeySet segments = 0;
    KeySet blocks = 0;
    KeySet events = 0;
    KeySet settings = 0;
    bool userDefined = false; ///< an event user_defined occurs
};

/// "PyTorch 2.5 or 2.6": the versions that write such a layout.
[[nodiscard]] std::string producerOf(const SnapshotLayout &layout);

} // namespace vramscope::pickle
