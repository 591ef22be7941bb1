// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/compare_report.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/table/text_table.h"

#include <array>

namespace vramscope {

namespace {

constexpr std::size_t kPlaceWidth = 56; // what the columns of sizes leave of it

/// A figure that both sides have.
struct Figure
{
    const char *key;
    const char *title;
    Bytes (*bytes)(const ComparedSide &);
    bool isReserved = true; ///< of the segments, and so only known where the recording has them

    [[nodiscard]] std::optional<Bytes> of(const ComparedSide &side) const
    {
        return isReserved && !side.summary.isReservedKnown ? std::nullopt
                                                           : std::optional(bytes(side));
    }
    [[nodiscard]] std::optional<Bytes> delta(const Comparison &comparison) const
    {
        const std::optional<Bytes> a = of(comparison.a);
        const std::optional<Bytes> b = of(comparison.b);
        return a && b ? std::optional(wrappingDifference(*b, *a)) : std::nullopt;
    }
};
constexpr std::array kFigures{
    Figure{"active", "active then", [](const ComparedSide &side) { return side.active; }, false},
    Figure{"reserved", "reserved then", [](const ComparedSide &side) { return side.reserved; }},
    Figure{"peak_active", "peak active",
           [](const ComparedSide &side) { return side.summary.peakActive; }, false},
    Figure{"peak_reserved", "peak reserved",
           [](const ComparedSide &side) { return side.summary.peakReserved; }},
    Figure{"reserved_end", "reserved at end",
           [](const ComparedSide &side) { return side.summary.reservedEnd; }},
    Figure{"active_end", "active at end",
           [](const ComparedSide &side) { return side.summary.activeEnd; }},
    Figure{"allocated_end", "allocated at end",
           [](const ComparedSide &side) { return side.summary.allocatedEnd; }},
    Figure{"requested_end", "requested at end",
           [](const ComparedSide &side) { return side.summary.requestedEnd; }},
    Figure{"unused_end", "reserved but unused at end",
           [](const ComparedSide &side) {
               return wrappingDifference(side.summary.reservedEnd, side.summary.activeEnd);
           }},
    Figure{"rounding_end", "lost to rounding at end",
           [](const ComparedSide &side) {
               return wrappingDifference(side.summary.activeEnd, side.summary.requestedEnd);
           }},
};

const char *changeOf(const ComparedSite &site)
{
    if (site.countA == 0)
        return "added";
    if (site.countB == 0)
        return "removed";
    return site.delta() > 0 ? "grown" : site.delta() < 0 ? "shrunk" : "equal";
}

const char *matchName(SiteMatch match)
{
    switch (match) {
    case SiteMatch::Exact:
        return "exact";
    case SiteMatch::Function:
        return "function";
    case SiteMatch::UserCode:
        return "user_code";
    case SiteMatch::None:
        break;
    }
    return "none";
}

Json sideJson(const ComparedSide &side, const ShownTrace &shown)
{
    Json json{{"file", shown.file},
              {"device", side.summary.device},
              {"event", side.event},
              {"allocations", side.allocations}};
    for (const Figure &figure : kFigures)
        json[figure.key] = orNull(figure.of(side));
    return json;
}

Json siteJson(const ComparedSite &site, const Trace &a, const Trace &b)
{
    Json json{{"change", changeOf(site)}, {"match", matchName(site.match)},
              {"a", site.bytesA},         {"b", site.bytesB},
              {"delta", site.delta()},    {"count_a", site.countA},
              {"count_b", site.countB}};
    json["frames"] = site.countA > 0 ? framesJson(a, site.stackA) : framesJson(b, site.stackB);
    if (site.match == SiteMatch::Function || site.match == SiteMatch::UserCode)
        json["frames_b"] = framesJson(b, site.stackB);
    return json;
}

Json settingJson(const std::optional<std::string> &value)
{
    return value ? settingJson(Setting{{}, *value}) : Json();
}

/// Sums over sites that are not shown one by one.
struct SiteSum
{
    std::int64_t sites = 0;
    Bytes a = 0;
    Bytes b = 0;

    void add(const ComparedSite &site)
    {
        ++sites;
        a = wrappingSum(a, site.bytesA);
        b = wrappingSum(b, site.bytesB);
    }
    void addTo(TextTable &table, const std::string &title, ByteUnit unit) const
    {
        table.addRow({formatBytes(a, unit), formatBytes(b, unit),
                      formatChange(wrappingDifference(b, a), unit), "", title});
    }
};

/// Where sites allocate: in B, where they are in both.
class Places
{
public:
    Places(const Trace &a, const Trace &b)
        : m_a(a)
        , m_b(b)
        , m_originsA(a)
        , m_originsB(b)
    {
    }
    std::string of(const ComparedSite &site)
    {
        return site.countB > 0 ? stackCell(m_b, site.stackB, m_originsB, kPlaceWidth)
                               : stackCell(m_a, site.stackA, m_originsA, kPlaceWidth);
    }

private:
    const Trace &m_a;
    const Trace &m_b;
    FrameOrigins m_originsA;
    FrameOrigins m_originsB;
};

std::string settingsText(const Comparison &comparison)
{
    const DataTable table = settingDifferences(comparison);
    return table.rows == 0 ? std::string()
                           : "\n" + table.title + "\n" + terminalText(table, TerminalTable());
}

std::string sideTitle(const char *name, const ComparedSide &side, const ShownTrace &shown)
{
    const std::string rest =
        ", device " + std::to_string(side.summary.device) +
        (side.event == side.summary.peakActiveEvent ? ", at its peak, " : ", ") +
        eventPlace(side.event);
    return std::string(name) + "  " + elided(printable(shown.file), kTableWidth - 3 - rest.size()) +
           rest + "\n";
}

} // namespace

std::string differencesText(const Comparison &comparison, const ShownTrace &a, const ShownTrace &b,
                            std::size_t most, ByteUnit unit)
{
    if (comparison.sites.empty())
        return "  Nothing is active on either side.\n" + settingsText(comparison);
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left, Align::Left});
    table.addRow({"A", "B", "B - A", "", "allocated in"});
    Places places(*a.trace, *b.trace);
    SiteSum others;
    SiteSum equal;
    SiteSum total;
    std::size_t shown = 0;
    bool inexact = false;
    for (const ComparedSite &site : comparison.sites) {
        total.add(site);
        const bool same = site.delta() == 0 && site.countA > 0 && site.countB > 0;
        if (same || (most > 0 && shown == most)) {
            (same ? equal : others).add(site);
            continue;
        }
        ++shown;
        const bool loose = site.match == SiteMatch::Function || site.match == SiteMatch::UserCode;
        inexact = inexact || loose;
        table.addRow({site.countA > 0 ? formatBytes(site.bytesA, unit) : "-",
                      site.countB > 0 ? formatBytes(site.bytesB, unit) : "-",
                      formatChange(site.delta(), unit),
                      changeOf(site) + std::string(loose ? " ~" : ""), places.of(site)});
    }
    if (others.sites > 0)
        others.addTo(table, othersText(others.sites, "site"), unit);
    if (equal.sites > 0)
        equal.addTo(table, "(" + counted(equal.sites, "equal site") + ")", unit);
    total.addTo(table, "total", unit);
    std::string text = table.text();
    if (inexact)
        text += "  ~ matched by function: lines, folders or the framework's own frames differ\n";
    return text + settingsText(comparison);
}

std::string compareJson(const Comparison &comparison, const ShownTrace &a, const ShownTrace &b,
                        std::size_t most)
{
    Json json{{"problems", sidesProblemsJson(a.trace->problems(), b.trace->problems())},
              {"a", sideJson(comparison.a, a)},
              {"b", sideJson(comparison.b, b)}};
    for (const Figure &figure : kFigures)
        json["delta"][figure.key] = orNull(figure.delta(comparison));
    const std::span sites(comparison.sites);
    json["sites"] = listJson(sites.first(shownRows(sites.size(), most)),
                             [&](const auto &site) { return siteJson(site, *a.trace, *b.trace); });
    json["sites_total"] = sites.size();
    json["settings"] = listJson(comparison.settings, [](const auto &difference) -> Json {
        return {{"name", difference.name},
                {"a", settingJson(difference.a)},
                {"b", settingJson(difference.b)}};
    });
    if (const auto size =
            largestSize(*a.trace, comparison.a.summary, *b.trace, comparison.b.summary))
        json["largest"] = {{"name", size->name},        {"small", size->small},
                           {"large", size->large},      {"bytes_each", size->each},
                           {"room", size->room},        {"most", size->most},
                           {"expected", size->expected}};
    return jsonText(json);
}

std::string largestSizeText(const std::optional<LargestSize> &size, ByteUnit unit)
{
    if (!size)
        return {};
    const std::string name = printable(size->name);
    const std::string room = "the " + formatBytes(size->room, unit) +
                             " that the allocator has on " + printable(size->gpu);
    std::string text = "From " + name + " " + formatCount(size->small) + " to " +
                       formatCount(size->large) + " each one more takes " +
                       formatBytes(size->each, unit) + ": ";
    if (size->most == 0)
        return text + "no " + name + " fits " + room + ".";
    text += "no more than " + name + " " + formatCount(size->most) + " fits " + room;
    if (size->expected < size->most)
        text += ", and " + (size->expected > 0 ? formatCount(size->expected) : "none") +
                " if what it reserves beyond goes on growing so";
    return text + ". Rehearsing sizes about these makes sure.";
}

std::string compareText(const Comparison &comparison, const ShownTrace &a, const ShownTrace &b,
                        std::size_t most, ByteUnit unit)
{
    const std::string largest = largestSizeText(
        largestSize(*a.trace, comparison.a.summary, *b.trace, comparison.b.summary), unit);
    return problemsText(a.trace->problems(), "A, " + a.file) +
           problemsText(b.trace->problems(), "B, " + b.file) + sideTitle("A", comparison.a, a) +
           sideTitle("B", comparison.b, b) + "\n" +
           terminalText(comparedFigures(comparison), unit) + "\n" +
           (largest.empty() ? "" : wrapped(largest, kTableWidth) + "\n\n") +
           differencesText(comparison, a, b, most, unit);
}

DataTable comparedFigures(const Comparison &comparison)
{
    using Kind = DataTable::Kind;
    RowTable table("The figures of both", {{"figure", ""},
                                           {"a", "A", Kind::Size, {}, "A"},
                                           {"b", "B", Kind::Size, {}, "B"},
                                           {"delta", "B - A", Kind::SizeChange, {}, "B - A"}});
    for (const Figure &figure : kFigures)
        table.add({figure.title, figure.of(comparison.a), figure.of(comparison.b),
                   figure.delta(comparison)});
    return std::move(table).table();
}

DataTable settingDifferences(const Comparison &comparison)
{
    RowTable table("Settings that differ",
                   {{"setting", "Setting"}, {"a", "A", {}, {}, "A"}, {"b", "B", {}, {}, "B"}});
    for (const SettingDifference &difference : comparison.settings)
        table.add({difference.name, difference.a, difference.b});
    return std::move(table).table();
}

} // namespace vramscope
