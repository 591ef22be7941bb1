// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_item.h"

#include "core/base/counted.h"
#include "core/trace/problem_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The position of an item, or the end.
auto placeOf(auto &items, const std::string &key)
{
    return std::ranges::find(items, key, &StageItem::key);
}

} // namespace

std::vector<StageItem> arranged(const std::vector<StageItem> &items, const RunningOrder &order)
{
    std::vector<StageItem> result;
    for (const OrderEntry &entry : order) {
        const auto item = placeOf(items, entry.item);
        if (item == items.end() || placeOf(result, entry.item) != result.end())
            continue;
        result.push_back(*item);
        result.back().shown = entry.shown;
        if (!entry.note.empty())
            result.back().note = toQString(entry.note);
    }
    auto place = result.begin();
    for (const StageItem &item : items) {
        auto there = placeOf(result, item.key);
        if (there == result.end())
            there = result.insert(place, item);
        place = there + 1;
    }
    return result;
}

RunningOrder orderOf(const std::vector<StageItem> &items, const std::vector<StageItem> &arranged)
{
    RunningOrder order;
    for (const StageItem &item : arranged) {
        const auto own = placeOf(items, item.key);
        const bool isOwn = own != items.end() && own->note == item.note;
        order.push_back({item.key, item.shown, isOwn ? std::string() : item.note.toStdString()});
    }
    return order;
}

QStringList problemTexts(std::span<const Problem> problems, const QString &prefix)
{
    QStringList texts;
    for (const Problem &each : problems)
        texts << prefix + foreignText(problemText(each));
    return texts;
}

std::vector<StageItem> behindProblems(std::vector<StageItem> items, const QStringList &problems)
{
    if (problems.isEmpty())
        return items;
    QString first = u"Problem: "_s + problems.front();
    if (problems.size() > 1)
        first += u" (%1)"_s.arg(toQString(counted(problems.size() - 1, "more problem")));
    for (StageItem &item : items) {
        item.scene = [scene = std::move(item.scene), first] {
            StageScene made = scene();
            made.problem = first;
            return made;
        };
    }
    return items;
}

} // namespace vramscope
