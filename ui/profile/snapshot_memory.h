// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/profile/profile_document.h"
#include "ui/trace/trace_document.h"

#include <memory>
#include <vector>

namespace vramscope {

/// What an allocator snapshot says of memory while a profile was recorded, one curve a device that
/// changed meanwhile, by the clock of the profile: both clocks count from 1970 once the base of the
/// profile is added. An Error says in a sentence why the two cannot be laid over each other.
[[nodiscard]] Result<std::vector<ProfileMemoryCurves>> memoryDuring(const ProfileDocument &document,
                                                                    const TraceDocument &snapshot);

/// The profile with the memory of a snapshot of the same run over it; its texts as they are shown
/// in `document`. `files` are those of both.
[[nodiscard]] Result<ProfilePointer> laidOver(const ProfileDocument &document,
                                              std::shared_ptr<const TraceDocument> snapshot,
                                              const Progress &progress = {},
                                              QStringList files = {});

} // namespace vramscope
