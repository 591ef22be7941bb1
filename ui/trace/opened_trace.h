// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

namespace vramscope {

/// A trace as a tab shows it.
[[nodiscard]] DocumentPointer opened(std::shared_ptr<const TraceDocument> trace);

/// Where the device of an ordinal stands among those of a trace; of -1 the main one.
[[nodiscard]] std::optional<std::size_t> deviceIndex(const TraceDocument &trace, int ordinal);

/// A trace without names; as it was where `progress` cancels.
[[nodiscard]] std::shared_ptr<const TraceDocument>
withoutNames(const std::shared_ptr<const TraceDocument> &trace, const Redaction &redaction,
             const Progress &progress);
/// The texts of a trace that redaction changes.
[[nodiscard]] std::vector<Replaced> changedTexts(const TraceDocument &trace,
                                                 const Redaction &redaction);

} // namespace vramscope
