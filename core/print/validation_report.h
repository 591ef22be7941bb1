// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"
#include "core/validation/throughput.h"

#include <string>

namespace vramscope {

/// One line of JSON: {"file","rows":[{"id","figure","family","quality","covered","predicted",
/// "measured","error_percent","inside","half_width_percent","run","setup","source","note"}],
/// "families":[{"name","count","median_percent","p95_percent","worst_percent","mean_percent"}],
/// "selections":[…],"band":{"count","inside","share_percent","widest_half_width_percent"},
/// "unusable":[{"id","reason"}]}, with "throughput" of throughput_report.h where speeds are given.
/// Where a figure is stated without a band, what is said of it is null.
[[nodiscard]] std::string validationJson(const Validation &validation, const std::string &file,
                                         const SpeedValidation *speeds = nullptr);

/// The errors of the figures that others published, in one sentence. Empty where there are none.
[[nodiscard]] std::string publishedAccuracyText(const Validation &validation);
/// The same as short as it goes, without the worst.
[[nodiscard]] std::string publishedAccuracyLine(const Validation &validation);

/// How far the predictions can be trusted, in a few sentences: the errors of all rows, of those
/// that others published, and the kinds of run that nothing was measured of. Empty without rows.
[[nodiscard]] std::string accuracyText(const Validation &validation);

/// The rows for people: a line a row, then a line a family and a selection, and accuracyText().
[[nodiscard]] std::string validationText(const Validation &validation, const std::string &file);

} // namespace vramscope
