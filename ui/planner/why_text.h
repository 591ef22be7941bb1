// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "ui/support/theme.h"

#include <QString>

#include <vector>

namespace vramscope {

/// How sure a figure is, in words: "Checked against measured runs."
[[nodiscard]] QString evidenceText(const Component &component);

/// Rich text that explains components: each one's size, formula with the numbers put in, source and
/// how sure it is.
[[nodiscard]] QString whyHtml(const std::vector<Component> &components, const Theme &theme,
                              ByteUnit unit);

/// Rich text of the figures beside the breakdown: parameters, host memory, communication, cache.
/// What these figures are, a line each.
[[nodiscard]] QString figuresTip(const Estimate &estimate);
[[nodiscard]] QString figuresHtml(const Estimate &estimate, const Theme &theme, ByteUnit unit);

} // namespace vramscope
