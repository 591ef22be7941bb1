// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_page.h"

#include "core/print/compare_report.h"
#include "core/settings/settings.h"
#include "ui/compare/alignment_bar.h"
#include "ui/compare/compare_items.h"
#include "ui/compare/compare_legend.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_view.h"
#include "ui/compare/sites_table.h"
#include "ui/jobs/job.h"
#include "ui/support/elided_label.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/overview.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Finds the steps of each recording; false where `progress` asked to stop.
bool makeSteps(const ComparisonDocument &document, const Progress &progress)
{
    const double all = static_cast<double>(document.traces.size());
    double from = 0;
    for (const ComparedTrace &trace : document.traces) {
        if (!trace.shown().make({Study::Part::Steps}, partOf(progress, from, from + 1 / all)))
            return false;
        from += 1 / all;
    }
    return true;
}

} // namespace

ComparePage::ComparePage(const std::shared_ptr<const ComparisonDocument> &document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_document(*document)
    , m_state(new TimelineState(this))
{
    buildParts();
    connectParts();
    m_legend->setTraces(m_document);
    m_alignment->setTraces(m_document);
    fillPairChoices();
    rebuildScene();
    refreshPair();
    findSteps();
}

ComparePage::~ComparePage() = default;

void ComparePage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    m_legend->setUnit(unit);
    m_view->setUnit(unit);
    m_sites->setUnit(unit);
    m_differences->setUnit(unit);
    showTexts();
}

void ComparePage::setPair(std::size_t a, std::size_t b)
{
    m_a = a;
    m_b = b;
    fillPairChoices();
    m_view->setMain(m_a);
    refreshPair();
}

void ComparePage::setMoment(Moment moment)
{
    m_moment = moment;
    m_momentBox->setCurrentIndex(static_cast<int>(moment));
    refreshPair();
}

void ComparePage::setPart(Part part)
{
    m_partButtons->button(static_cast<int>(part))->setChecked(true);
    m_parts->setCurrentIndex(static_cast<int>(part));
}

void ComparePage::setDevice(std::size_t trace, std::size_t device)
{
    m_document.traces[trace].device = device;
    m_legend->setTraces(m_document);
    m_alignment->setTraces(m_document);
    fillPairChoices();
    rebuildScene();
    refreshPair();
    findSteps();
}

void ComparePage::goToPeak()
{
    m_view->goToPeak();
}

void ComparePage::findSteps()
{
    m_steps = std::make_unique<Job>(
        [document = m_document](const Progress &progress) { return makeSteps(document, progress); },
        [this](bool made) {
            if (made)
                m_alignment->takeSteps();
        });
}

void ComparePage::workNow()
{
    m_steps.reset();
    m_pairJob.reset();
    makeSteps(m_document, {});
    m_alignment->takeSteps();
    showPair(compare(sideOf(m_a), sideOf(m_b)));
}

void ComparePage::rebuildScene()
{
    // The state and the view look into the scene: what they keep of the old one is replaced at
    // once.
    m_view->setScene(nullptr, nullptr, {});
    const std::optional<EventIndex> event = eventAtCursor();
    CompareScene before = std::exchange(m_scene, CompareScene(m_document, m_alignment->options()));
    for (const SceneTrack &track : before.tracks())
        m_scene.setShown(track.trace, track.shown);
    m_charts->setVisible(m_scene.valid());
    // Without curves the table gets their place.
    m_chartPart->setMaximumHeight(m_scene.valid() ? QWIDGETSIZE_MAX : 60);
    m_momentBox->setEnabled(m_scene.valid());
    showNote();
    m_state->reset(m_scene.axis(), m_scene.wholeBytes());
    if (!m_scene.valid())
        return;
    m_view->setScene(&m_document, &m_scene, m_alignment->anchorText());
    // The cursor stays where it was in the base.
    if (const SceneTrack *track = m_scene.trackOf(m_a); track && event)
        m_state->setCursor(m_scene.sharedEvent(*track, *event));
    paintOverview();
    Q_EMIT statusChanged();
}

std::optional<EventIndex> ComparePage::eventAtCursor() const
{
    const SceneTrack *track = m_scene.trackOf(m_a);
    return track ? m_scene.eventOf(*track, m_state->cursor()) : std::nullopt;
}

void ComparePage::paintOverview()
{
    m_overview->setCurve([this](QPainter &painter, const QRectF &place) {
        const ChartArea area{place,
                             m_state->axis(),
                             m_state->whole(),
                             {themeOf(this), unit(), font(), pixelRatio(*this)}};
        paintTracks(painter, m_scene, area);
    });
}

QString ComparePage::noteText() const
{
    if (!m_scene.valid())
        return u"None of these was recorded with a history, so there are no curves. The table "
               "compares what each holds in its final state."_s;
    QStringList without;
    for (std::size_t at = 0; at < m_document.traces.size(); ++at) {
        if (!m_scene.trackOf(at))
            without << letterOf(at);
    }
    if (without.isEmpty()) {
        const Study &a = m_document.traces[m_a].shown();
        const Study &b = m_document.traces[m_b].shown();
        return toQString(
            largestSizeText(largestSize(a.trace(), a.summary(), b.trace(), b.summary()), unit()));
    }
    return u"%1 has no curve: what is asked for was not recorded. Without a history the table "
           "takes the final state."_s.arg(without.join(u", "_s));
}

PairSide ComparePage::sideOf(std::size_t trace) const
{
    const ComparedTrace &compared = m_document.traces[trace];
    const Study &device = compared.shown();
    PairSide side{compared, trace, device.curve().peakActiveEvent()};
    if (!device.hasHistory()) {
        side.event = device.device().events.count() - 1;
        return side;
    }
    const SceneTrack *track = m_scene.trackOf(trace);
    if (m_moment == Moment::Peaks || !track)
        return side;
    // Beyond its ends a recording is taken as it stood there.
    const EventIndex last = device.device().events.count() - 1;
    const bool isBefore = m_scene.sharedEvent(*track, 0) > m_state->cursor();
    side.event = m_scene.eventOf(*track, m_state->cursor()).value_or(isBefore ? -1 : last);
    return side;
}

// Of several wishes the latest is met.
void ComparePage::refreshPair()
{
    m_pairJob = std::make_unique<Job>(
        [a = sideOf(m_a), b = sideOf(m_b)](const Progress &progress) {
            return compare(a, b, progress);
        },
        [this](std::shared_ptr<const TracePair> pair) { showPair(std::move(pair)); });
    showProgress(*m_pairJob, this);
}

void ComparePage::showPair(std::shared_ptr<const TracePair> pair)
{
    m_pair = std::move(pair);
    m_sites->setPair(m_pair);
    m_differences->setPair(m_pair);
    m_settings->setHorizontalHeaderLabels(
        {u"Allocator setting"_s, letterOf(m_pair->a.at), letterOf(m_pair->b.at)});
    m_settings->setRowCount(static_cast<int>(m_pair->settings.size()));
    for (int row = 0; row < m_settings->rowCount(); ++row) {
        const SettingDifference &setting = m_pair->settings[static_cast<std::size_t>(row)];
        const auto put = [&](int column, const QString &text) {
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(text);
            m_settings->setItem(row, column, item);
        };
        put(0, toQString(setting.name));
        put(1, setting.a ? toQString(*setting.a) : u"not recorded"_s);
        put(2, setting.b ? toQString(*setting.b) : u"not recorded"_s);
    }
    showTexts();
}

QString ComparePage::momentText(const PairSide &side) const
{
    const Study &device = side.trace.shown();
    if (!device.hasHistory())
        return u"%1 in its final state"_s.arg(letterOf(side.at));
    if (side.event < 0)
        return u"%1 before its first event"_s.arg(letterOf(side.at));
    return side.event == device.curve().peakActiveEvent()
               ? u"%1 at its peak, event %2"_s.arg(letterOf(side.at), countText(side.event))
               : u"%1 after event %2"_s.arg(letterOf(side.at), countText(side.event));
}

void ComparePage::showNote()
{
    m_note->setText(noteText());
    m_note->setVisible(!m_note->text().isEmpty());
}

void ComparePage::showTexts()
{
    showNote();
    if (!m_pair)
        return;
    m_partButtons->button(static_cast<int>(Part::Settings))
        ->setText(u"Settings (%1)"_s.arg(m_pair->settings.size()));
    const bool atPeaks = m_pair->a.trace.shown().hasHistory() &&
                         m_pair->b.trace.shown().hasHistory() && m_moment == Moment::Peaks;
    m_answer->setText(differenceText(*m_pair, unit()) +
                      (atPeaks ? u", each at its peak"_s : QString()));
    m_about->setFullText(u"%1, %2"_s.arg(momentText(m_pair->a), momentText(m_pair->b)));
    m_about->setToolTip(u"%1\n%2"_s.arg(m_about->text(), m_sites->totalToolTip()));
    Q_EMIT statusChanged();
}

Table ComparePage::table(qsizetype most) const
{
    return tableOf(*m_sites->view()->model(), u"Sites"_s, most);
}

std::vector<StageItem> ComparePage::stageItems()
{
    return comparisonItems({m_document, m_alignment->options(), m_alignment->anchorText(), unit()});
}

std::vector<ReportSource> ComparePage::reportSources(const QString &, const QDateTime &) const
{
    std::vector<ReportSource> sources;
    for (const ComparedTrace &trace : m_document.traces)
        sources.push_back(reportSource(trace));
    return sources;
}

QString ComparePage::statusText() const
{
    if (!m_scene.valid())
        return u"no history recorded"_s;
    const EventAxis axis = m_scene.axis();
    const EventIndex at = m_state->cursor();
    const QString place = axis.kind() == EventAxis::Kind::Time
                              ? toQString(formatMicroseconds(
                                    static_cast<std::int64_t>(std::max(0.0, axis.start(at)))))
                          : at < 0 ? u"before the first event"_s
                                   : u"event %1"_s.arg(countText(at));
    QStringList parts{u"cursor: %1"_s.arg(place)};
    parts += m_view->valuesAt(at);
    return parts.join(u" · "_s);
}

} // namespace vramscope
