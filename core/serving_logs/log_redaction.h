// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"
#include "core/trace/redaction.h"

namespace vramscope {

/// The names of people and machines in what a log quotes.
void gatherNames(Redaction &names, const ServingLog &log);
/// The log without them: settings, names of ranks, refusals and problems.
[[nodiscard]] ServingLog redacted(const ServingLog &log, const Redaction &names);

} // namespace vramscope
