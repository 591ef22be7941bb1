// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/planned_requests/planned_reserve.h"

#include <span>
#include <string>

namespace vramscope {

/// One line of JSON: {"file","allocated","factor":{"reserved","low","high"},"simulated":
/// [{"configuration","issues":[{"key","text"}],"reserved","low","high","reserved_factor","verdict",
/// "simulator_alone","reserved_at","stranded","segments","retries","out_of_memory_at"}],"reason"};
/// out_of_memory_at is null where memory suffices, reason null where there is something to
/// simulate, else why not.
[[nodiscard]] std::string reserveJson(const Estimate &figures,
                                      std::span<const PlannedReserve> reserves,
                                      const std::string &file);

/// The same for people: a line a configuration, and below what the figures rest on.
[[nodiscard]] std::string reserveText(const Plan &plan, const Estimate &figures,
                                      std::span<const PlannedReserve> reserves,
                                      const std::string &file, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
