// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_chart.h"

#include "ui/charts/stacked_bar_view.h"

#include <QEvent>

namespace vramscope {

StackedBarChart::StackedBarChart(Qt::Orientation orientation, QWidget *parent)
    : QWidget(parent)
    , m_view(new StackedBarView(orientation, this))
{
    QSizePolicy policy(QSizePolicy::Expanding, orientation == Qt::Horizontal
                                                   ? QSizePolicy::Preferred
                                                   : QSizePolicy::Expanding);
    policy.setHeightForWidth(orientation == Qt::Horizontal);
    setSizePolicy(policy);
    m_view->onPart = [this](std::size_t part) { Q_EMIT partClicked(part); };
    m_view->onHide = [this](std::size_t part) { setPartHidden(part, !isPartHidden(part)); };
    m_view->onBar = [this](int bar) { Q_EMIT barClicked(bar); };
}

void StackedBarChart::setContent(const StackedBars &content)
{
    if (content == m_content)
        return;
    m_content = content;
    showContent();
}

void StackedBarChart::showContent()
{
    m_view->content = m_content;
    m_view->present.reset();
    for (StackedBar &bar : m_view->content.bars) {
        for (std::size_t part = 0; part < kPartCount; ++part) {
            if (bar.parts[part] > 0)
                m_view->present.set(part);
            if (m_view->hidden.test(part))
                bar.parts[part] = 0;
        }
    }
    m_view->relayout();
    updateGeometry();
}

void StackedBarChart::setPartHidden(std::size_t part, bool hidden)
{
    m_view->hidden.set(part, hidden);
    showContent();
}

bool StackedBarChart::isPartHidden(std::size_t part) const
{
    return m_view->hidden.test(part);
}

void StackedBarChart::setUnit(ByteUnit unit)
{
    if (m_view->unit == unit)
        return;
    m_view->unit = unit;
    m_view->relayout();
}

void StackedBarChart::setLegendVisible(bool visible)
{
    m_view->legend = visible;
    m_view->relayout();
    updateGeometry();
}

void StackedBarChart::setSelectedPart(std::optional<std::size_t> part)
{
    m_view->selectedPart = part;
    m_view->viewport()->update();
}

std::optional<std::size_t> StackedBarChart::selectedPart() const
{
    return m_view->selectedPart;
}

void StackedBarChart::setSelectedBar(std::optional<int> bar)
{
    m_view->selectedBar = bar;
    m_view->viewport()->update();
}

const BarGeometry &StackedBarChart::geometryOfBars() const
{
    return m_view->bars();
}

std::vector<std::array<double, kPartCount>> StackedBarChart::drawnValues() const
{
    return m_view->drawnValues();
}

QString StackedBarChart::hoverText(QPoint point) const
{
    return m_view->hoverText(point);
}

QSize StackedBarChart::sizeHint() const
{
    constexpr int kWidth = 560;
    return {kWidth, m_view->heightAt(kWidth)};
}

QSize StackedBarChart::minimumSizeHint() const
{
    return {240, 120};
}

bool StackedBarChart::hasHeightForWidth() const
{
    return sizePolicy().hasHeightForWidth();
}

int StackedBarChart::heightForWidth(int width) const
{
    return m_view->heightAt(width);
}

void StackedBarChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_view->setGeometry(rect()); // no layout: it would take the place of heightForWidth()
}

void StackedBarChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_view->relayout();
}

} // namespace vramscope
