// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/cells.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

namespace vramscope {

namespace {

// The package that a path begins with, its last `folders` folders and its name; all of it where it
// has no more.
std::string shortPath(std::string_view path, int folders)
{
    std::size_t at = path.size();
    for (int cut = 0; cut <= folders; ++cut) {
        at = at == 0 ? path.npos : path.find_last_of("/\\", at - 1);
        if (at == path.npos)
            return std::string(path);
    }
    const std::size_t first = path.find_first_of("/\\");
    if (first >= at)
        return std::string(path); // nothing lies between
    const bool isPackage = first > 0 && path[first - 1] != ':';
    return std::string(isPackage ? path.substr(0, first + 1) : "") + "…" +
           std::string(path.substr(at));
}

constexpr std::size_t kLongestName = 1000; // looked at, of a name or path

std::string nameText(const Trace &trace, FrameId id)
{
    return printable(shownName(firstBytes(trace.text(trace.frame(id).name), kLongestName)));
}

constexpr int kWholePath = -1;
constexpr int kNoFolder = -2;
constexpr std::array kFolders{kWholePath, 2, 1, 0, kNoFolder}; // shown of a path

/// The file and line of a frame; empty where it is of none.
std::string placeText(const Trace &trace, FrameId id, int folders)
{
    const Frame &frame = trace.frame(id);
    const std::string_view path = lastBytes(shownFile(trace.text(frame.file)), kLongestName);
    if (path.empty() || path == "??")
        return {};
    const std::string shown = folders == kWholePath  ? std::string(path)
                              : folders == kNoFolder ? std::string(fileName(path))
                                                     : shortPath(path, folders);
    return printable(shown) + (frame.line > 0 ? ":" + std::to_string(frame.line) : "");
}

std::string text(const Trace &trace, FrameId id, int folders)
{
    const std::string place = placeText(trace, id, folders);
    return nameText(trace, id) + (place.empty() ? "" : "  " + place);
}

} // namespace

std::string paragraph(std::string_view text, std::size_t width)
{
    return text.empty() ? std::string() : wrapped(text, width) + '\n';
}

std::string formatShare(Wide part, Wide whole)
{
    if (whole <= 0 || part <= 0)
        return {};
    return formatFraction(static_cast<double>(part) / static_cast<double>(whole));
}

std::string formatKnown(Bytes bytes, bool isKnown, ByteUnit unit)
{
    return isKnown ? formatBytes(bytes, unit) : "-";
}

std::string formatAmount(Wide amount, Cost cost, bool isTimed, ByteUnit unit)
{
    if (cost != Cost::ByteTime)
        return formatBytes(static_cast<Bytes>(amount), unit);
    const Wide shown = isTimed ? amount / 1'000'000 : amount;
    constexpr Wide kMost = std::numeric_limits<Bytes>::max();
    return formatBytes(static_cast<Bytes>(std::clamp(shown, -kMost, kMost)), unit) +
           (isTimed ? "·s" : "·events");
}

std::string frameCell(const Trace &trace, FrameId frame, std::size_t width)
{
    for (const int folders : kFolders) {
        std::string made = text(trace, frame, folders);
        if (characters(made) <= width)
            return made;
    }
    constexpr std::size_t kLeastPlace = 14; // "…building.py:123"
    constexpr std::size_t kGap = 2;
    const std::string name = nameText(trace, frame);
    const std::string place = placeText(trace, frame, kNoFolder);
    if (place.empty() || characters(name) + kGap + kLeastPlace > width)
        return elided(name, width);
    return name + "  " + elided(place, width - kGap - characters(name));
}

std::string stackCell(const Trace &trace, StackId stack, FrameOrigins &origins, std::size_t width)
{
    const std::optional<StackSite> site = siteOf(trace, stack, origins);
    if (!site)
        return "(no stack recorded)";
    const FrameId best = site->best;
    if (!site->callee)
        return frameCell(trace, best, width);
    const FrameId callee = *site->callee;
    for (const int folders : kFolders) {
        std::string made = text(trace, callee, folders) + "  from  " + text(trace, best, folders);
        if (characters(made) <= width)
            return made;
    }
    // The user's own frame tells more than what it calls.
    constexpr std::size_t kFrom = 8;
    const std::size_t own = std::min(characters(text(trace, best, kNoFolder)), width * 2 / 3);
    if (width < own + kFrom + 12)
        return frameCell(trace, best, width);
    return frameCell(trace, callee, width - own - kFrom) + "  from  " + frameCell(trace, best, own);
}

std::vector<GroupRow> mergedRows(std::vector<GroupRow> rows)
{
    std::vector<GroupRow> merged;
    std::unordered_map<std::string, std::size_t> places;
    for (GroupRow &row : rows) {
        const auto [place, isNew] = places.try_emplace(row.text, merged.size());
        if (isNew) {
            merged.push_back(std::move(row));
            continue;
        }
        GroupRow &known = merged[place->second];
        known.amount += row.amount;
        known.count += row.count;
        known.groups += row.groups;
    }
    std::ranges::stable_sort(merged, std::greater(), &GroupRow::amount);
    return merged;
}

std::vector<GroupRow> placeRows(const Trace &trace, FrameOrigins &origins,
                                std::span<const LiveGroup> groups, std::size_t width)
{
    std::vector<GroupRow> rows;
    const std::size_t around = freedText({}).size();
    for (const LiveGroup &group : groups) {
        const bool wasFreed = group.freedIn != StackId::None;
        rows.push_back({wasFreed ? freedText(stackCell(trace, group.freedIn, origins,
                                                       width - std::min(width / 2, around)))
                                 : stackCell(trace, group.stack, origins, width),
                        group.bytes, group.count});
    }
    return mergedRows(std::move(rows));
}

DataTable groupTable(std::span<const GroupRow> rows, const GroupLook &look)
{
    using enum DataTable::Kind;
    using Cell = DataTable::Cell;
    RowTable table({}, {{"size", "Size", Size},
                        {"share", "Share", Share},
                        {"count", "Blocks", Count},
                        {"groups", look.plural, Count},
                        {"text", look.head}});
    const auto add = [&](const GroupRow &row) {
        table.add({Cell(formatAmount(row.amount, look.cost, look.isTimed, look.unit)),
                   formatShare(row.amount, look.whole), row.count, row.groups, row.text});
    };
    GroupRow others{{}, 0, 0, 0};
    std::int64_t left = 0;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const GroupRow &row = rows[at];
        if ((look.most == 0 || at < look.most) &&
            (look.leastPart == 0 || row.amount * look.leastPart >= look.whole)) {
            add(row);
            continue;
        }
        others.amount += row.amount;
        others.count += row.count;
        others.groups += row.groups;
        ++left;
    }
    others.text = look.leastPart > 0 ? counted(left, "other place") : othersText(left);
    if (left > 0)
        add(others);
    DataTable made = std::move(table).table();
    if (look.leastPart > 0 || std::ranges::all_of(rows, [](auto &row) { return row.groups == 1; }))
        std::erase_if(made.columns, [](const auto &column) { return column.key == "groups"; });
    return made;
}

} // namespace vramscope
