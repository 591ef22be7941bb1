// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconcile.h"
#include "core/table/table.h"

#include <string>

namespace vramscope {

/// A plan compared with one device of a recording.
struct ReconcileSubject
{
    const Reconciliation &reconciliation;
    std::string plan;  ///< its file
    std::string trace; ///< the recording's file
    int device = 0;
};

/// "At the loss: 35.3 GiB predicted, 37.6 GiB recorded: 2.31 GiB more, all of it explained"; why
/// there is no answer where there is none.
[[nodiscard]] std::string reconcileVerdict(const Reconciliation &reconciliation,
                                           ByteUnit unit = ByteUnit::Binary);

/// Bytes and text: predicted, each reason, unexplained, recorded.
[[nodiscard]] DataTable reconcileWay(const Reconciliation &it, ByteUnit unit);

/// The verdict, the failed allocation named, the moments and parts of both sides, what leads from
/// one to the other, the levels and the constants that the recording determines.
[[nodiscard]] std::string reconcileText(const ReconcileSubject &findings,
                                        ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON: {"plan","trace","device","step","why_this_step","first_step",
/// "moments":[{"name","predicted_at","event","how","cut_off","predicted":{…},"recorded":{…}}],
/// "compared","failed":{"event","bytes","place","names":[…]},"reasons":[{"kind","text","bytes",
/// "explains","settings":{…}}],"unexplained","candidates":[…],"levels":[{"name","predicted",
/// "recorded","how"}],"calibrations":[{"field","label","planned","recorded","how"}],"remarks":[…]}.
/// What was not found is null; the parts of a side are by category, with "unknown" and "total".
[[nodiscard]] std::string reconcileJson(const ReconcileSubject &findings);

} // namespace vramscope
