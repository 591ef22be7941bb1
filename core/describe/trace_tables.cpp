// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/trace_tables.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/format.h"

#include <algorithm>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;

/// The first frames of a stack, innermost first with whole paths, a line each.
std::string stackLines(const Trace &trace, StackId stack)
{
    constexpr std::size_t kMostLines = 30;
    const auto frames = trace.stack(stack);
    std::string text;
    for (std::size_t at = 0; at < std::min(frames.size(), kMostLines); ++at) {
        const Frame &frame = trace.frame(frames[at]);
        text += std::string(text.empty() ? "" : "\n") + std::string(trace.text(frame.name)) + "  " +
                std::string(trace.text(frame.file)) + ':' + std::to_string(frame.line);
    }
    if (frames.size() > kMostLines)
        text += "\n… and " + std::to_string(frames.size() - kMostLines) + " more";
    return text;
}

std::string hexText(std::uint64_t address)
{
    std::string text;
    for (; address > 0; address /= 16)
        text.insert(text.begin(), "0123456789abcdef"[address % 16]);
    return "0x" + text;
}

/// The action as words: "free requested".
std::string actionText(Action action)
{
    std::string text(actionName(action));
    std::ranges::replace(text, '_', ' ');
    return text;
}

std::string matchTitle(const ComparedSite &site, const std::array<std::string, 2> &letters)
{
    switch (site.match) {
    case SiteMatch::Exact:
        return "exact";
    case SiteMatch::Function:
        return "function";
    case SiteMatch::UserCode:
        return "own code";
    case SiteMatch::None:
        break;
    }
    return "only " + letters[site.countA > 0 ? 0 : 1];
}

/// Where sites allocate; each frame is classified once.
struct SitePlaces
{
    std::vector<ComparedSite> sites;
    std::array<FrameOrigins, 2> origins;
};

} // namespace

DataTable eventsTable(const Trace &trace, const DeviceTrace &device,
                      std::span<const std::int64_t> times, EventRows rows)
{
    const EventColumns &events = device.events;
    const auto of = [&events](auto make) {
        return [&events, make](EventIndex event) {
            return make(events, static_cast<std::size_t>(event));
        };
    };
    const std::span<const EventIndex> shown(*rows);
    TableOf<EventIndex> table("Events", shown, std::move(rows));
    table
        .add({"event", "Event", Count, "Number of the event, from 0"},
             [](EventIndex event) { return event; })
        .add({"time", "Time", Number, "Since the first event"},
             [times](EventIndex event) {
                 Cell cell("");
                 if (times.empty())
                     return cell;
                 const std::int64_t time = times[static_cast<std::size_t>(event)] - times[0];
                 cell.value = static_cast<double>(time);
                 cell.text = formatMicroseconds(time);
                 return cell;
             })
        .add({"action", "Action", Text, "What the allocator did"},
             of([](const EventColumns &all, std::size_t at) { return actionText(all.action[at]); }))
        .add({"bytes", "Bytes", Size,
              "From the event: the request of an allocation, the size of a segment"},
             of([](const EventColumns &all, std::size_t at) { return all.size[at]; }))
        .add({"address", "Address", Text, "Where the block or segment begins"},
             of([](const EventColumns &all, std::size_t at) {
                 return all.address[at] == 0 ? std::string() : hexText(all.address[at]);
             }))
        .add({"stream", "Stream", Text, "The CUDA stream that it serves; 0 is the default one"},
             of([&trace](const EventColumns &all, std::size_t at) {
                 return std::to_string(trace.streams()[static_cast<std::size_t>(all.stream[at])]);
             }))
        .add({"site", "Where", Text, "The innermost frames of the stack"},
             of([&trace](const EventColumns &all, std::size_t at) {
                 return bestFrameText(trace, all.stack[at]);
             }))
        .tips(of([&trace](const EventColumns &all, std::size_t at) {
            return stackLines(trace, all.stack[at]);
        }));
    return std::move(table).table();
}

DataTable liveGroupsTable(const Trace &trace, std::vector<LiveGroup> groups)
{
    const Bytes total = totalBytes(groups);
    const auto origins = std::make_shared<FrameOrigins>(trace);
    TableOf<LiveGroup> table("Live by stack", std::move(groups));
    table
        .add({"site", "Allocated at", Text, "The stack that allocated them"},
             [&trace, origins](const LiveGroup &group) { return siteText(trace, group, *origins); })
        .tips([&trace](const LiveGroup &group) {
            return stackLines(trace, group.freedIn == StackId::None ? group.stack : group.freedIn);
        })
        .add({"bytes", "Bytes", Size, "What they asked for, together"}, &LiveGroup::bytes)
        .add({"count", "Count", Count, "How many allocations they are"}, &LiveGroup::count)
        .add({"share", "Share", Share, "Share of all bytes in this table"},
             [total](const LiveGroup &group) { return shareOf(group.bytes, total); });
    return std::move(table).table();
}

DataTable sitesTable(const Trace &a, const Trace &b, std::vector<ComparedSite> sites,
                     const std::array<std::string, 2> &letters)
{
    const auto places = std::make_shared<SitePlaces>(
        SitePlaces{std::move(sites), {FrameOrigins(a), FrameOrigins(b)}});
    const auto &[nameA, nameB] = letters;
    const auto inside = [](std::int64_t count, std::int64_t value) {
        Cell cell(value); // 0 where the site is not in the recording
        cell.text = count > 0 ? "" : "–";
        return cell;
    };
    TableOf<ComparedSite> table("Sites by difference", std::span<const ComparedSite>(places->sites),
                                places);
    table
        .add({"site", "Allocated at", Text, "The stack that allocated"},
             [&a, &b, of = places.get()](const ComparedSite &site) {
                 return site.countB > 0 ? shortStackText(b, site.stackB, of->origins[1])
                                        : shortStackText(a, site.stackA, of->origins[0]);
             })
        .add({"a", nameA, Size, "Bytes live in " + nameA + " at the moment compared"},
             [inside](const ComparedSite &site) { return inside(site.countA, site.bytesA); })
        .add({"b", nameB, Size, "Bytes live in " + nameB + " at the moment compared"},
             [inside](const ComparedSite &site) { return inside(site.countB, site.bytesB); })
        .add({"delta", "Δ = " + nameB + " − " + nameA, SizeChange,
              "How many more bytes are live in " + nameB +
                  "; all of them add up to the difference of the totals"},
             &ComparedSite::delta)
        .add({"count_a", "Count " + nameA, Count,
              "Allocations live in " + nameA + " at the moment compared"},
             [inside](const ComparedSite &site) { return inside(site.countA, site.countA); })
        .add({"count_b", "Count " + nameB, Count,
              "Allocations live in " + nameB + " at the moment compared"},
             [inside](const ComparedSite &site) { return inside(site.countB, site.countB); })
        .add({"match", "Stacks agree", Text, "How much of the two stacks is the same"},
             [letters](const ComparedSite &site) {
                 Cell cell(static_cast<std::int64_t>(site.match));
                 cell.text = matchTitle(site, letters);
                 return cell;
             })
        .tips([letters](const ComparedSite &site) { return matchExplanation(site, letters); });
    return std::move(table).table();
}

std::string matchExplanation(const ComparedSite &site, const std::array<std::string, 2> &letters)
{
    switch (site.match) {
    case SiteMatch::Exact:
        return "The stacks agree in every frame: function, file and line.";
    case SiteMatch::Function:
        return "The stacks agree in functions and names of files; lines or folders differ.";
    case SiteMatch::UserCode:
        return "The stacks agree in the frames of the program's own code; the framework's differ.";
    case SiteMatch::None:
        break;
    }
    return "No stack of " + letters[site.countA > 0 ? 1 : 0] + " is like this one.";
}

std::string eventPlace(EventIndex event)
{
    return event < 0 ? "before the first event" : "after event " + formatCount(event);
}

DataTable summaryTable(const DeviceSummary &summary)
{
    RowTable table("The figures",
                   {{"name", ""}, {"size", "Size", Size}, {"bytes", "Bytes", Count}, {"note", ""}});
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
    RowTable table("The peak by category",
                   {{"bytes", "Size", Size},
                    {"share", "Share", Share},
                    {"count", "Blocks", Count},
                    {.key = "confidence", .title = "Sure", .kind = Percent, .isExact = true},
                    {"category", "Category"}});
    for (const Peak::CategoryShare &share : peak.byCategory) {
        Cell confidence = Cell(share.confidence).as(formatPercent(share.confidence));
        confidence.isKnown = share.category != Category::Unknown;
        table.add({share.tally.bytes, shareOf(share.tally.bytes, peak.active), share.tally.count,
                   confidence, categoryWord(share.category)});
    }
    return std::move(table).table();
}

} // namespace vramscope
