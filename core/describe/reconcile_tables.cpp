// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/reconcile_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace vramscope {

namespace {

using BytesCell = DataTable::Cell;
using BytesColumn = DataTable::Column;
using BytesKind = DataTable::Kind;

const BytesColumn kPredicted{"predicted", "Predicted", BytesKind::Size,
                             "Computed by the plan, for one GPU"};
const BytesColumn kRecorded{"recorded", "Recorded", BytesKind::Size,
                            "Measured in the recording, per device"};
const BytesColumn kDifference{"difference", "Δ", BytesKind::SizeChange, "Recorded less predicted",
                              "difference"};

BytesCell absent(const std::string &why)
{
    return BytesCell().with(why);
}

/// The cells of a recorded amount next to a predicted one; `why` one of them is absent.
struct Sides
{
    BytesCell predicted, recorded, difference;

    Sides(std::optional<Bytes> planned, std::optional<Bytes> measured, const std::string &why)
        : predicted(planned ? BytesCell(*planned) : absent(why))
        , recorded(measured ? BytesCell(*measured) : absent(why))
        , difference(planned && measured ? BytesCell(*measured - *planned) : absent(why))
    {
    }
};

Sides sidesOf(const MatchedMoment &moment, Bytes predicted, Bytes recorded)
{
    const bool isPlanned = !moment.predictedAt.empty();
    return {isPlanned ? std::optional(predicted) : std::nullopt,
            moment.found ? std::optional(recorded) : std::nullopt,
            isPlanned ? moment.how : "The plan does not have this moment"};
}

std::string reasonTip(const Reason &reason)
{
    switch (reason.kind) {
    case Reason::Kind::Setting:
        return "Another setting of the plan: " + reason.text +
               ". A try includes the settings above it that lead from predicted to recorded.";
    case Reason::Kind::Fact:
        return "Measured in the recording: " + reason.text;
    case Reason::Kind::NotReached:
        return "Predicted by the plan with the settings above: " + reason.text;
    case Reason::Kind::Part:
        break;
    }
    return "No setting of the plan explains this part: " + reason.text;
}

BytesCell explainsCell(const Reason &reason)
{
    switch (reason.kind) {
    case Reason::Kind::Setting:
        return reason.explains;
    case Reason::Kind::Fact:
        return absent("A fact, not a guess");
    case Reason::Kind::NotReached:
        return absent("The recording ends before this");
    case Reason::Kind::Part:
        break;
    }
    return absent("No setting explains it");
}

RowTable reasonRows(const char *title, const char *what, const std::vector<Reason> &reasons)
{
    RowTable table(title, {{"text", what},
                           {"bytes", "Adds", BytesKind::SizeChange,
                            "To the prediction at the moment compared"},
                           {"explains", "Brings closer by", BytesKind::Size,
                            "How much closer the parts of all moments that were found come, taken "
                            "together"}});
    for (std::size_t at = 0; at < reasons.size(); ++at)
        table.add({{reasons[at].text, reasonTip(reasons[at])},
                   reasons[at].bytes,
                   explainsCell(reasons[at])},
                  {.kind = reasons[at].kind == Reason::Kind::Setting ? 0 : -1, .at = at});
    return table;
}

/// Bytes, or a ratio with four decimals: as far as a plan states it.
BytesCell constantCell(const Calibration &constant, double value)
{
    const BytesCell cell(value);
    return constant.isBytes ? cell.with(formatExactBytes(static_cast<Bytes>(std::llround(value))))
                            : cell.as(formatDecimals(value, 4)).with(formatNumber(value, 12));
}

} // namespace

DataTable matchedMomentsTable(const Reconciliation &it)
{
    RowTable table("Moments of the step", {{"mark", ""},
                                           {"name", "Moment"},
                                           kPredicted,
                                           kRecorded,
                                           kDifference,
                                           {"how", "Found in the recording"}});
    for (const MatchedMoment &moment : it.moments) {
        const Sides of = sidesOf(moment, moment.predicted.total(), moment.recorded.total());
        table.add({&moment == &it.comparedMoment() ? ">" : "", moment.name, of.predicted,
                   of.recorded, of.difference, moment.how + (moment.cutOff ? "; cut off" : "")});
    }
    return std::move(table).table();
}

DataTable matchedPartsTable(const MatchedMoment &moment)
{
    RowTable table("Parts at the moment", {{"name", ""}, kPredicted, kRecorded, kDifference});
    const auto add = [&](std::string_view name, Bytes predicted, Bytes recorded, bool isTotal) {
        const Sides of = sidesOf(moment, predicted, recorded);
        if (isTotal || predicted != 0 || recorded != 0)
            table.add({name, of.predicted, of.recorded, of.difference}, {}, isTotal);
    };
    for (std::size_t at = 0; at < kCategoryCount; ++at)
        add(categoryName(static_cast<Category>(at)), moment.predicted.byCategory[at],
            moment.recorded.byCategory[at], false);
    add(categoryName(Category::Unknown), moment.predicted.unknown, moment.recorded.unknown, false);
    add("Total", moment.predicted.total(), moment.recorded.total(), true);
    return std::move(table).table();
}

DataTable reasonsTable(const Reconciliation &it)
{
    RowTable table = reasonRows("Reasons of the difference", "What is different", it.reasons);
    if (!it.moments.empty() && it.comparedMoment().found)
        table.add({{"Unexplained", "The difference that no reason explains"}, it.unexplained, ""},
                  {}, true);
    return std::move(table).table();
}

DataTable candidatesTable(const std::vector<Reason> &candidates)
{
    return reasonRows("The unexplained rest by part, and other settings",
                      "Part, or another setting", candidates)
        .table();
}

DataTable candidatesTable(const Reconciliation &it, Reason::Kind kind)
{
    std::vector<Reason> some;
    std::ranges::copy_if(it.candidates, std::back_inserter(some),
                         [kind](const Reason &reason) { return reason.kind == kind; });
    return pickedColumns(candidatesTable(some),
                         {kind == Reason::Kind::Part ? "bytes" : "explains", "text"});
}

DataTable levelPairsTable(const std::vector<LevelPair> &levels)
{
    RowTable table("Levels of memory",
                   {{"name", ""}, kPredicted, kRecorded, kDifference, {"how", "From"}});
    for (const LevelPair &level : levels) {
        const Sides of(level.predicted, level.recorded, level.how);
        table.add({level.name, of.predicted, of.recorded, of.difference, level.how});
    }
    return std::move(table).table();
}

DataTable calibrationsTable(const std::vector<Calibration> &constants)
{
    BytesColumn planned{"planned", "Plan", BytesKind::Size, "The value that the plan uses now"};
    BytesColumn recorded{"recorded", "Recorded", BytesKind::Size, "Measured instead"};
    planned.isExact = recorded.isExact = true;
    RowTable table("Constants", {{"field", ""}, {"label", ""}, planned, recorded, {"how", "From"}});
    for (std::size_t at = 0; at < constants.size(); ++at) {
        const Calibration &it = constants[at];
        const bool same = std::abs(it.planned - it.recorded) < (it.isBytes ? 1 : 1e-4);
        table.add({it.field.text(), it.label, constantCell(it, it.planned),
                   constantCell(it, it.recorded), it.how},
                  {.kind = same ? -1 : 0, .at = at});
    }
    return std::move(table).table();
}

} // namespace vramscope
