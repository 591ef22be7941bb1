// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/trace_tables.h"

namespace vramscope {

namespace {

using TraceKind = DataTable::Kind;

} // namespace

std::string eventPlace(EventIndex event)
{
    return event < 0 ? "before the first event" : "after event " + formatCount(event);
}

DataTable summaryTable(const DeviceSummary &summary)
{
    RowTable table("The figures", {{"name", ""},
                                   {"size", "Size", TraceKind::Size},
                                   {"bytes", "Bytes", TraceKind::Count},
                                   {"note", ""}});
    const auto add = [&](const char *name, Bytes bytes, const std::string &note = {}) {
        table.add({name, bytes, bytes, note});
    };
    const auto addReserved = [&](const char *name, Bytes bytes) {
        if (summary.isReservedKnown)
            add(name, bytes);
        else
            table.add({name, {}, {}, ""});
    };
    add("peak active", summary.peakActive, eventPlace(summary.peakActiveEvent));
    add("peak requested", summary.peakRequested, eventPlace(summary.peakRequestedEvent));
    addReserved("peak reserved", summary.peakReserved);
    add("live before", summary.baseline,
        summary.baseline == 0 ? "" : "allocated before the recording");
    addReserved("reserved at end", summary.reservedEnd);
    addReserved("active at end", summary.activeEnd);
    addReserved("allocated at end", summary.allocatedEnd);
    addReserved("requested at end", summary.requestedEnd);
    return std::move(table).table();
}

DataTable peakCategoriesTable(const Peak &peak)
{
    RowTable table(
        "The peak by category",
        {{"bytes", "Size", TraceKind::Size},
         {"share", "Share", TraceKind::Share},
         {"count", "Blocks", TraceKind::Count},
         {.key = "confidence", .title = "Sure", .kind = TraceKind::Percent, .isExact = true},
         {"category", "Category"}});
    for (const Peak::CategoryShare &share : peak.byCategory) {
        DataTable::Cell confidence =
            DataTable::Cell(share.confidence).as(formatPercent(share.confidence));
        confidence.isKnown = share.category != MemoryCategory::Unknown;
        table.add({share.tally.bytes, shareOf(share.tally.bytes, peak.active), share.tally.count,
                   confidence, memoryCategoryName(share.category)});
    }
    return std::move(table).table();
}

} // namespace vramscope
