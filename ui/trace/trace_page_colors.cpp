// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"
#include "ui/support/theme.h"
#include "ui/trace/legend_bar.h"
#include "ui/trace/live_table.h"
#include "ui/trace/trace_page.h"

namespace vramscope {

void TracePage::setColorBy(ColorBy by)
{
    m_isColorChosen = true;
    applyColors(by);
}

void TracePage::applyColors(ColorBy by)
{
    if (m_document->devices.empty())
        return;
    const Study &of = *m_document->devices[m_device];
    const bool known = by != ColorBy::Category || study();
    m_colorBy = by;
    m_group.reset();
    m_coloring = by == ColorBy::Stack || !known
                     ? std::shared_ptr<const Coloring>(m_document, &m_document->byStack[m_device])
                     : std::make_shared<const Coloring>(colorGroups(
                           colorKeys(by, of), of.allocations(), of.curve().peakActiveEvent()));
    m_legend->setColorBy(by);
    m_table->setColoring(m_coloring);
    refreshColors();
    refreshLegend();
    applyFilter();
}

// What the filter leaves out is painted in the colour of hairlines: there, but quiet.
void TracePage::refreshColors()
{
    const QRgb quiet = themeOf(this).border.rgb();
    m_shown =
        m_state->kept() ? dimmed(m_coloring->colors, *m_state->kept(), quiet) : m_coloring->colors;
    refreshTimeline();
}

void TracePage::refreshLegend()
{
    std::vector<LegendEntry> own;
    if (const auto timeline = rowOf(shownView()).timeline; timeline && study())
        own = ownLegend(*timeline, *study());
    if (!own.empty()) {
        m_legend->setFixed(std::move(own), unit());
    } else {
        m_legend->setColoring(*m_coloring, unit());
        m_legend->setChosen(m_group);
    }
}

void TracePage::setFilter(const AllocationFilter &filter)
{
    m_filter = filter;
    applyFilter();
}

// Off this thread; of several in a row the last one counts.
void TracePage::applyFilter()
{
    delete std::exchange(m_filterJob, nullptr);
    if (m_filter == AllocationFilter{} && !m_group) {
        m_state->setKept(nullptr);
        return;
    }
    m_filterJob = new Job(
        filterWork(), [this](TimelineState::Kept kept) { m_state->setKept(std::move(kept)); },
        this);
    showProgress(*m_filterJob, this);
}

std::function<TimelineState::Kept(const Progress &)> TracePage::filterWork() const
{
    const std::size_t device = m_device;
    return [document = m_document, device, filter = m_filter, group = m_group,
            coloring = m_coloring, cursor = m_state->cursor()](const Progress &progress) {
        const Study &of = *document->devices[device];
        auto kept =
            std::make_shared<std::vector<std::uint8_t>>(keptBy(filter, of, cursor, progress));
        for (std::size_t at = 0; group && at < kept->size(); ++at)
            (*kept)[at] = (*kept)[at] && coloring->groups.of[at] == *group;
        return TimelineState::Kept(std::move(kept));
    };
}

void TracePage::filterNow()
{
    if (!m_filterJob) // or all is kept
        return;
    delete std::exchange(m_filterJob, nullptr);
    m_state->setKept(filterWork()({}));
}

} // namespace vramscope
