// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/cost_text.h"

#include "core/analysis/comparison/difference_tree.h"
#include "core/analysis/costs/frame_text.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <QStringList>

namespace vramscope {

using namespace Qt::StringLiterals;
using NodeIndex = CallTree::NodeIndex;

namespace {

struct CostTexts
{
    QStringView title;
    QStringView explanation;
    QStringView nothing;
};

const CostTexts &textsOf(Cost cost)
{
    static constexpr std::array<CostTexts, kCostCount> kTexts = {{
        {u"Live at the cursor", u"Bytes alive at the cursor's event",
         u"Nothing is live at the cursor: move it to a later event."},
        {u"Live at the peak", u"Bytes alive when most were active",
         u"Nothing is live at the peak: no memory was ever active."},
        {u"Bytes × time", u"Bytes × lifetime", u"Nothing lived for any time in this recording."},
        {u"Allocated in total", u"All blocks allocated in the recording, freed since or not",
         u"Nothing was allocated while the history was recorded."},
        {u"Temporary", u"Bytes both allocated and freed in the recording",
         u"Nothing was both allocated and freed in this recording."},
        {u"Never freed", u"Bytes alive at the end, those from before the recording too",
         u"Nothing is left at the end: everything was freed."},
    }};
    return kTexts[static_cast<std::size_t>(cost)];
}

QString countsText(const Costs &costs, const CostStyle &style)
{
    const std::int64_t count = costs.count(style.cost);
    if (style.isDifference)
        return count == 1 ? u"1 site differs"_s : u"%1 differ"_s.arg(countedText(count, "site"));
    return countedText(count, "allocation");
}

} // namespace

QString costTitle(Cost cost)
{
    return textsOf(cost).title.toString();
}

QString costExplanation(Cost cost)
{
    return textsOf(cost).explanation.toString();
}

QString nothingText(Cost cost)
{
    return textsOf(cost).nothing.toString();
}

QString CostStyle::text(const Costs &costs) const
{
    if (isDifference)
        return toQString(formatChange(differenceOf(costs), unit));
    return toQString(formatAmount(costs.amount(cost), cost, isTimed, unit));
}

QString CostStyle::exactText(const Costs &costs) const
{
    if (isDifference)
        return u"%1 (%2): from %3 to %4"_s.arg(
            text(costs), countedText(differenceOf(costs), "byte"),
            exactBytesText(costs.live.bytes, unit), exactBytesText(costs.peak.bytes, unit));
    return cost == Cost::ByteTime ? text(costs)
                                  : exactBytesText(static_cast<Bytes>(costs.amount(cost)), unit);
}

QString CostStyle::sign(const Costs &costs) const
{
    const Bytes difference = isDifference ? differenceOf(costs) : 0;
    return difference > 0 ? u"+ "_s : difference < 0 ? u"- "_s : QString();
}

QString CostStyle::shareText(const Costs &part, const Costs &whole) const
{
    return toQString(formatShare(part.amount(cost), whole.amount(cost)));
}

QString nodeName(const StackTree &tree, NodeIndex node)
{
    if (node == CallTree::kRoot)
        return u"All"_s;
    const Frame &frame = tree.trace->frame(tree.tree.node(node).frame);
    return foreignText(shownName(tree.trace->text(frame.name)));
}

QString nodePlace(const StackTree &tree, NodeIndex node)
{
    return node == CallTree::kRoot ? QString()
                                   : frameLabel(*tree.trace, tree.tree.node(node).frame).place;
}

QString nodeText(const StackTree &tree, NodeIndex node, const CostStyle &style)
{
    const Costs costs = tree.tree.total(node);
    QString text = nodeName(tree, node);
    if (const QString place = nodePlace(tree, node); !place.isEmpty())
        text += u"  "_s + place;
    text += u" · %1 · %2"_s.arg(style.text(costs), countsText(costs, style));
    if (node == CallTree::kRoot)
        return text;
    const NodeIndex parent = tree.tree.node(node).parent;
    text += u" · "_s + u"%1 of all"_s.arg(style.shareText(costs, tree.tree.total(CallTree::kRoot)));
    if (parent != CallTree::kRoot)
        text += u", "_s + u"%1 of %2"_s.arg(style.shareText(costs, tree.tree.total(parent)),
                                            nodeName(tree, parent));
    return text;
}

QString nodeToolTip(const StackTree &tree, NodeIndex node, const CostStyle &style)
{
    constexpr std::size_t kLongest = 300; // template arguments go on for pages
    const Costs costs = tree.tree.total(node);
    QStringList lines;
    if (node == CallTree::kRoot) {
        lines << u"All stacks"_s;
    } else {
        const Frame &frame = tree.trace->frame(tree.tree.node(node).frame);
        lines << foreignText(elided(tree.trace->text(frame.name), kLongest));
        const QString file = foreignText(tree.trace->text(frame.file));
        if (!nodePlace(tree, node).isEmpty())
            lines << (frame.line > 0 ? u"%1:%2"_s.arg(file).arg(frame.line) : file);
    }
    lines << u"%1 · %2"_s.arg(style.exactText(costs), countsText(costs, style));
    const Costs self = tree.tree.self(node);
    if (self.amount(style.cost) > 0 && !tree.tree.isLeaf(node))
        lines << u"its own: %1"_s.arg(style.exactText(self));
    if (node != CallTree::kRoot) {
        const NodeIndex parent = tree.tree.node(node).parent;
        lines << u"%1 of all"_s.arg(style.shareText(costs, tree.tree.total(CallTree::kRoot)));
        if (parent != CallTree::kRoot)
            lines << u"%1 of %2"_s.arg(style.shareText(costs, tree.tree.total(parent)),
                                       nodeName(tree, parent));
    }
    return lines.join(u'\n');
}

} // namespace vramscope
