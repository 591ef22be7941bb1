// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"

#include <string>
#include <vector>

namespace vramscope {

/// The kinds of run, by strategies of training and engines of serving, without measured rows: their
/// predictions have been compared with nothing measured.
struct Coverage
{
    std::vector<std::string> never;        ///< "ZeRO-3": no row at all
    std::vector<std::string> onlyRecorded; ///< "DDP": only rows recorded by this project
};

[[nodiscard]] Coverage coverageOf(const Validation &validation);

} // namespace vramscope
