// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_tables.h"

#include <array>

namespace vramscope {

TextTable placesTable(const Trace &trace, FrameOrigins &origins, std::span<const LiveGroup> groups,
                      ByteUnit unit)
{
    constexpr std::size_t kMostRows = 20;
    constexpr Wide kLeast = 1000; // a row is one of so many parts of the whole, or more
    GroupRows rows;
    Wide whole = 0;
    for (const LiveGroup &group : groups) {
        rows.add({stackCell(trace, group.stack, origins, kLongestPlace), group.bytes, group.count});
        whole += group.bytes;
    }
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
    const auto add = [&](const GroupRow &row) {
        table.addRow({formatBytes(static_cast<Bytes>(row.amount), unit),
                      formatShare(row.amount, whole), formatCount(row.count), row.text});
    };
    GroupRow others;
    std::int64_t places = 0;
    for (const GroupRow &row : rows.sorted()) {
        if (table.rows().size() < kMostRows && row.amount * kLeast >= whole) {
            add(row);
            continue;
        }
        others.amount += row.amount;
        others.count += row.count;
        ++places;
    }
    others.text = counted(places, "other place");
    if (places > 0)
        add(others);
    return table;
}

TextTable bandsTable(const Bands &bands, ByteUnit unit)
{
    struct Row
    {
        const char *name;
        Bytes bytes;
        const char *meaning;
    };
    const std::array<Row, 5> rows{
        {{"requested", bands.requested, "what the program asked for and holds"},
         {"rounding", bands.rounding, "what its blocks have beyond that"},
         {"pending free", bands.pendingFree, "freed, but waiting for another stream"},
         {"stranded", bands.stranded,
          "free, but other blocks of the same segment or page are in use"},
         {"releasable", bands.releasable, "free segments, and free pages of expandable ones"}}};
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left});
    for (const Row &row : rows)
        table.addRow({row.name, formatBytes(row.bytes, unit),
                      formatShare(row.bytes, bands.reserved()), row.meaning});
    table.addRow({"reserved", formatBytes(bands.reserved(), unit), "", ""});
    return table;
}

} // namespace vramscope
