// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/rehearsal.h"
#include "core/base/finding.h"
#include "core/base/format.h"

#include <string>
#include <vector>

namespace vramscope {

class Study;

/// The findings of one device, the most important first. A sentence is on one line but for a list
/// of anomalies.
[[nodiscard]] std::vector<Finding> findingsOf(const Study &study, ByteUnit unit = ByteUnit::Binary);

/// Those that follow from the parts that the study has: leaks and what the address space shows come
/// with Study::leaks(), why memory ran out with Study::failures().
[[nodiscard]] std::vector<Finding> findingsSoFar(const Study &study,
                                                 ByteUnit unit = ByteUnit::Binary);

/// What a rehearsed recording is, and what is missing and assumed in it: sentences, on one line.
[[nodiscard]] std::string rehearsalText(const Rehearsal &rehearsal,
                                        ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
