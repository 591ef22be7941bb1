// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/html.h"

#include <string>

namespace vramscope {

/// The style sheet of a page: for a screen of any width, in its colours, and for paper.
[[nodiscard]] std::string pageStyle(PageColors colors);

} // namespace vramscope
