// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/validation/measured.h"

namespace vramscope {

/// The measured figures that are compiled in: the published ones, then those that tests/measure
/// recorded. Their setups are paths from resources/measured: "published/setups/NAME.json".
[[nodiscard]] std::vector<MeasuredRow> shippedRows();

/// The plan of such a setup; the error says that no such name ships.
[[nodiscard]] Result<Plan> shippedSetup(const std::string &setup);

/// Whether a shipped row was recorded by the project itself, not published by others.
[[nodiscard]] bool isRecorded(const MeasuredRow &row);
/// … on a GPU, with its workspaces and the allocator itself.
[[nodiscard]] bool isRecordedOnGpu(const MeasuredRow &row);

} // namespace vramscope
