// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vramscope {

/// Every field of the plan document with its values, its default and what it means, as Markdown:
/// the help page resources/help/plan-document.md.
[[nodiscard]] std::string fieldReference();

} // namespace vramscope
