// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"
#include "core/validation/throughput.h"

#include <string>

namespace vramscope {

/// One line of JSON: {"file","rows":[{"id","figure","family","quality","covered","predicted",
/// "measured","error_percent","inside","half_width_percent","first_sight":{"predicted","low","high",
/// "error_percent","version"},"run","setup","source","note"}],
/// "families":[{"name","count","median_percent","p95_percent","worst_percent","mean_percent"}],
/// "selections":[…],"first_sight":[{"name","refused","then":{…},"band":{…},"today":{…}}],"band":{"count","inside","share_percent","widest_half_width_percent"},
/// "unusable":[{"id","reason"}]}, with "throughput" of throughput_report.h where speeds are given.
/// Where a figure is stated without a band, what is said of it is null.
[[nodiscard]] std::string validationJson(const Validation &validation, const std::string &file,
                                         const SpeedValidation *speeds = nullptr);

/// How far the predictions can be trusted, in a few sentences: the errors at first sight, of
/// the rows that formulas were fitted to, and the kinds of run that nothing was measured of. Empty
/// without rows.
[[nodiscard]] std::string accuracyText(const Validation &validation);

/// The rows for people: a line a row, then a line a family and a selection, and accuracyText().
[[nodiscard]] std::string validationText(const Validation &validation, const std::string &file);

} // namespace vramscope
