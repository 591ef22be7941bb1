// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/profile/profile.h"
#include "core/readers/byte_source.h"

#include <memory>

namespace vramscope {

/// Reads what "nsys export --type sqlite" wrote, of any version of its schema: columns are found by
/// name, and tables that a recording lacks are empty. Each table is read once, in stored order. All
/// processes and GPUs of the recording are in the profile, on its one clock, each GPU under a
/// number of its own. Ranges of emit_nvtx() are operators, other NVTX ranges are ranges of the
/// program. If NCCL's ranges give the data moved, its kernels have it too.
[[nodiscard]] Result<std::shared_ptr<const Profile>> readNsightExport(SeekableSource &source,
                                                                      const Progress &progress);

} // namespace vramscope
