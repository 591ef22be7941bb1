// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/profile/profiler_tables.h"
#include "ui/profile/profile_table_model.h"

#include <optional>

/// The cells and columns of which tables of profiles are made.
namespace vramscope::cells {

[[nodiscard]] ProfileCell word(const QString &text, const QString &tip = {});
/// "–": not known.
[[nodiscard]] ProfileCell nothing();
[[nodiscard]] ProfileCell time(std::int64_t nanoseconds);
/// "+1.2 ms", "−300 ns"
[[nodiscard]] ProfileCell timeChange(std::int64_t nanoseconds);
[[nodiscard]] ProfileCell count(std::int64_t number);
[[nodiscard]] ProfileCell share(std::int64_t part, std::int64_t whole);
[[nodiscard]] ProfileCell bytes(std::int64_t size, ByteUnit unit);
/// "62.4 %"
[[nodiscard]] ProfileCell percent(const std::optional<double> &value);
/// "≥ 97.3 GB/s"
[[nodiscard]] ProfileCell rate(const std::optional<double> &gigabytes);

[[nodiscard]] ProfileColumn words(const QString &title);
[[nodiscard]] ProfileColumn times(const QString &title, const QString &tip = {});
[[nodiscard]] ProfileColumn numbers(const QString &title, const QString &tip = {});

/// "Occupancy achieved", with what it is of.
[[nodiscard]] ProfileColumn counterColumn(KernelCounter counter);

} // namespace vramscope::cells
