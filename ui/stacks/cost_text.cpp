// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/cost_text.h"

#include "core/analysis/difference_tree.h"
#include "core/analysis/frame_text.h"
#include "core/base/text.h"
#include "core/report/cells.h"
#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <QCoreApplication>

namespace vramscope {

using namespace Qt::StringLiterals;
using NodeIndex = CallTree::NodeIndex;

namespace {

struct CostTexts
{
    const char *title;
    const char *explanation;
    const char *nothing;
};

const CostTexts &textsOf(Cost cost)
{
    static constexpr std::array<CostTexts, kCostCount> kTexts = {{
        {QT_TRANSLATE_NOOP("Cost", "Live at the cursor"),
         QT_TRANSLATE_NOOP("Cost", "Bytes alive at the cursor's event"),
         QT_TRANSLATE_NOOP("Cost", "Nothing is live at the cursor: move it to a later event.")},
        {QT_TRANSLATE_NOOP("Cost", "Live at the peak"),
         QT_TRANSLATE_NOOP("Cost", "Bytes alive when most were active"),
         QT_TRANSLATE_NOOP("Cost", "Nothing is live at the peak: no memory was ever active.")},
        {QT_TRANSLATE_NOOP("Cost", "Bytes × time"),
         QT_TRANSLATE_NOOP("Cost", "Bytes times how long they lived: what occupied the device"),
         QT_TRANSLATE_NOOP("Cost", "Nothing lived for any time in this recording.")},
        {QT_TRANSLATE_NOOP("Cost", "Allocated in total"),
         QT_TRANSLATE_NOOP("Cost", "All bytes asked for in the recording, freed since or not"),
         QT_TRANSLATE_NOOP("Cost", "Nothing was allocated while the history was recorded.")},
        {QT_TRANSLATE_NOOP("Cost", "Temporary"),
         QT_TRANSLATE_NOOP("Cost", "Bytes both allocated and freed in the recording"),
         QT_TRANSLATE_NOOP("Cost", "Nothing was both allocated and freed in this recording.")},
        {QT_TRANSLATE_NOOP("Cost", "Never freed"),
         QT_TRANSLATE_NOOP("Cost", "Bytes alive at the end, those from before the recording too"),
         QT_TRANSLATE_NOOP("Cost", "Nothing is left at the end: everything was freed.")},
    }};
    return kTexts[static_cast<std::size_t>(cost)];
}

QString tr(const char *text)
{
    return QCoreApplication::translate("Cost", text);
}

QString countsText(const Costs &costs, const CostStyle &style)
{
    const std::int64_t count = costs.count(style.cost);
    if (style.isDifference)
        return count == 1 ? tr("1 site differs") : tr("%1 sites differ").arg(countText(count));
    return count == 1 ? tr("1 allocation") : tr("%1 allocations").arg(countText(count));
}

} // namespace

QString costTitle(Cost cost)
{
    return tr(textsOf(cost).title);
}

QString costExplanation(Cost cost)
{
    return tr(textsOf(cost).explanation);
}

QString nothingText(Cost cost)
{
    return tr(textsOf(cost).nothing);
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
        return tr("%1 (%2 bytes): from %3 to %4")
            .arg(text(costs), countText(differenceOf(costs)),
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
        return tr("All");
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
    text +=
        u" · "_s + tr("%1 of all").arg(style.shareText(costs, tree.tree.total(CallTree::kRoot)));
    if (parent != CallTree::kRoot)
        text += u", "_s +
                tr("%1 of %2")
                    .arg(style.shareText(costs, tree.tree.total(parent)), nodeName(tree, parent));
    return text;
}

QString nodeToolTip(const StackTree &tree, NodeIndex node, const CostStyle &style)
{
    constexpr std::size_t kLongest = 300; // template arguments go on for pages
    const Costs costs = tree.tree.total(node);
    QStringList lines;
    if (node == CallTree::kRoot) {
        lines << tr("All stacks");
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
        lines << tr("its own: %1").arg(style.exactText(self));
    if (node != CallTree::kRoot) {
        const NodeIndex parent = tree.tree.node(node).parent;
        lines << tr("%1 of all").arg(style.shareText(costs, tree.tree.total(CallTree::kRoot)));
        if (parent != CallTree::kRoot)
            lines << tr("%1 of %2")
                         .arg(style.shareText(costs, tree.tree.total(parent)),
                              nodeName(tree, parent));
    }
    return lines.join(u'\n');
}

} // namespace vramscope
