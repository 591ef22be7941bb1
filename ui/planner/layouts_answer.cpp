// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/projection_tables.h"
#include "ui/charts/trade_chart.h"
#include "ui/planner/field_text.h"
#include "ui/planner/layouts_view.h"
#include "ui/support/choice_table.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

// What a LayoutsView shows of an answer, and what it offers to apply.

namespace vramscope {

using namespace Qt::StringLiterals;

const Layouts *LayoutsView::layouts() const
{
    return m_answer && m_answer->ok() ? std::get_if<Layouts>(&m_answer->value().found) : nullptr;
}

void LayoutsView::showAnswer()
{
    m_slow->stop();
    m_work->hide();
    const bool ok = m_answer->ok();
    const bool homeless = m_estimate.computed && !m_estimate.capacity;
    m_sentence->setText(ok         ? fitSentence(m_answer->value(), m_unit)
                        : homeless ? unknownCapacityText(*m_estimate.settings).toHtmlEscaped()
                                   : toQString(m_answer->error().detail).toHtmlEscaped());
    offer(ok ? foundPlan(m_plan, m_answer->value()) : std::nullopt);
    m_found->setVisible(!shown().empty());
    if (!shown().empty())
        showLayouts(shown());
}

std::span<const Layout> LayoutsView::shown() const
{
    const Layouts *found = layouts();
    if (!found)
        return {};
    return found->best.empty() ? found->nearest : found->best;
}

void LayoutsView::showLayouts(std::span<const Layout> found)
{
    const auto fieldsOf = [unit = m_unit](const std::vector<FieldSetting> &fields) {
        return settingsText(fields, unit).toStdString();
    };
    m_table->setTable(layoutsTable(found, {fieldsOf}), m_unit);
    const bool loses = std::ranges::any_of(
        found, [](const Layout &layout) { return layout.recomputeShare + layout.bubbleShare > 0; });
    m_lost->setVisible(loses);
    showCosts();
    selectLayout(0);
}

void LayoutsView::showCosts()
{
    const std::span<const Layout> found = shown();
    const bool lost = m_lost->isVisibleTo(this) && m_lost->isChecked();
    TradePoints content;
    content.capacity = m_estimate.capacity;
    content.costTitle = lost ? u"lost to recomputation and bubble, in %"_s
                             : u"sent a step, in %1"_s.arg(QLatin1StringView(gigaUnit(m_unit)));
    content.costUnit = lost ? 0.01 : m_unit == ByteUnit::Binary ? static_cast<double>(kGiB) : 1e9;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Layout &layout = found[i];
        content.points.push_back(
            {lost ? layout.recomputeShare + layout.bubbleShare
                  : static_cast<double>(layout.communicationBytes),
             layout.standing.device, choiceLetter(i),
             u"<b>%1</b><br>on the device %2<br>sent a step %3<br>%4"_s.arg(
                 choiceLetter(i), exactBytesText(layout.standing.device, m_unit),
                 exactBytesText(layout.communicationBytes, m_unit),
                 settingsText(layout.fields, m_unit).toHtmlEscaped()),
             layout.standing.verdict});
    }
    m_chart->setUnit(m_unit);
    m_chart->setContent(content);
}

void LayoutsView::selectLayout(std::size_t layout)
{
    if (layout >= shown().size())
        return;
    m_chart->setSelected(layout);
    m_table->setSelected(layout);
    const std::vector<FieldSetting> &fields = shown()[layout].fields;
    m_sentence->setText(
        fitSentence(m_answer->value(), m_unit) +
        u"<br>%1: %2"_s.arg(choiceLetter(layout), settingsText(fields, m_unit).toHtmlEscaped()));
    offer(FoundPlan{u"Layout %1"_s.arg(choiceLetter(layout)), withFields(m_plan, fields)});
}

void LayoutsView::offer(std::optional<FoundPlan> found)
{
    m_offer = std::move(found);
    m_apply->setVisible(m_offer.has_value());
    if (!m_offer)
        return;
    const bool same = m_offer->plan == m_plan;
    m_apply->setText(same ? u"The plan is so already"_s : u"Apply: %1"_s.arg(m_offer->title));
    m_apply->setEnabled(!same);
}

void LayoutsView::apply()
{
    if (!m_offer || m_offer->plan == m_plan)
        return;
    const FoundPlan found = *m_offer; // the offer goes with the plan
    Q_EMIT planWanted(found.plan, found.title);
}

} // namespace vramscope
