// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/trace.h"

#include <string>

namespace vramscope {

/// One line of JSON in the shape of plan-format.md, section 2, `vramscope-cli trace`.
[[nodiscard]] std::string traceJson(const Trace &trace, const std::string &file);

/// The same for people: a short table for each device.
[[nodiscard]] std::string traceText(const Trace &trace, const std::string &file,
                                    ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
