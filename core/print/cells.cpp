// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/cells.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <array>

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

void GroupRows::add(GroupRow row)
{
    const auto [place, isNew] = m_places.try_emplace(row.text, m_rows.size());
    if (isNew) {
        m_rows.push_back(std::move(row));
        return;
    }
    GroupRow &known = m_rows[place->second];
    known.amount += row.amount;
    known.count += row.count;
    known.groups += row.groups;
}

std::vector<GroupRow> GroupRows::sorted() const
{
    std::vector<GroupRow> rows = m_rows;
    std::ranges::stable_sort(
        rows, [](const GroupRow &a, const GroupRow &b) { return a.amount > b.amount; });
    return rows;
}

std::string groupTable(const std::vector<GroupRow> &rows, Wide whole, Cost cost, bool isTimed,
                       std::string_view head, std::string_view plural, std::size_t most,
                       ByteUnit unit)
{
    const bool merged =
        std::ranges::any_of(rows, [](const GroupRow &row) { return row.groups > 1; });
    std::vector<Align> columns(merged ? 4 : 3, Align::Right);
    columns.push_back(Align::Left);
    TextTable table(columns);
    const auto add = [&](std::string size, std::string share, std::string count, std::string groups,
                         std::string text) {
        std::vector<std::string> cells{std::move(size), std::move(share), std::move(count)};
        if (merged)
            cells.push_back(std::move(groups));
        cells.push_back(std::move(text));
        table.addRow(std::move(cells));
    };
    add("size", "share", "blocks", std::string(plural), std::string(head));
    GroupRow others{{}, 0, 0, 0};
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const GroupRow &row = rows[at];
        if (most > 0 && at >= most) {
            others.amount += row.amount;
            others.count += row.count;
            others.groups += row.groups;
            continue;
        }
        add(formatAmount(row.amount, cost, isTimed, unit), formatShare(row.amount, whole),
            formatCount(row.count), formatCount(row.groups), row.text);
    }
    if (others.groups > 0)
        add(formatAmount(others.amount, cost, isTimed, unit), formatShare(others.amount, whole),
            formatCount(others.count), formatCount(others.groups),
            othersText(static_cast<std::int64_t>(rows.size() - most)));
    return table.text();
}

} // namespace vramscope
