// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_page.h"

#include "core/describe/series_tables.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/series/series_items.h"
#include "ui/series/series_strip.h"
#include "ui/series/series_text.h"
#include "ui/series/series_view.h"
#include "ui/support/choice_table.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/overview.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kVisible = u"visible"_s; ///< the visible range, in the saved state of a page

} // namespace

SeriesPage::SeriesPage(std::shared_ptr<const SeriesDocument> document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_state(new TimelineState(this))
{
    if (m_document->devices.empty()) {
        setLayout(column(
            {explanation(u"No memory in this %1"_s.arg(formatTitle(*m_document->series).toLower()),
                         nothingText(*m_document->series))}));
        return;
    }
    buildParts();
    connectParts();
    const bool together = m_document->isLog() && m_document->devices.size() > 1;
    showDevices(together ? std::nullopt : std::optional<std::size_t>(0));
}

SeriesPage::~SeriesPage() = default;

void SeriesPage::buildParts()
{
    m_strip = new SeriesStrip(m_document);
    m_note = noteLabel();
    m_note->setWordWrap(true);
    m_overview = new Overview(m_state);
    m_view = new SeriesView(m_state);
    m_table = new ChoiceTable(u"Peaks of the curves"_s);

    QWidget *charts = panel(column({m_note, m_overview, {m_view, 1}}, 2, {10, 6, 10, 4}));
    QWidget *side = panel(column({m_table}, 0, {14, 8, 14, 8}), u"side"_s);
    setLayout(column({m_strip, {splitter(Qt::Vertical, {{charts, 4}, {side, 1}}, {600, 190}), 1}}));
}

void SeriesPage::connectParts()
{
    connect(m_strip, &SeriesStrip::deviceChosen, this, &SeriesPage::showDevices);
    connect(m_strip, &SeriesStrip::curveToggled, this, &SeriesPage::showCurve);
    for (const auto chosen : {&ChoiceTable::choiceSelected, &ChoiceTable::choiceTaken})
        connect(m_table, chosen, this, [this](std::size_t sample) {
            const auto event = static_cast<EventIndex>(sample);
            m_state->setCursor(event);
            m_state->reveal(event);
        });
    connect(m_state, &TimelineState::cursorChanged, this, &SeriesPage::statusChanged);
    connect(m_state, &TimelineState::visibleChanged, this, &SeriesPage::statusChanged);
}

void SeriesPage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    if (!m_view)
        return;
    m_strip->setUnit(unit);
    m_view->setUnit(unit);
    showPeaks();
    Q_EMIT statusChanged();
}

/// The curves of the devices that are drawn; a row leads to the event of its highest sample.
void SeriesPage::showPeaks()
{
    std::vector<const DeviceSamples *> drawn;
    std::vector<const SeriesDevice *> recorded;
    for (const DeviceSamples &device : m_document->devices) {
        if (m_scene.device() ? m_scene.device() != &device : m_scene.hasLeftOut(device))
            continue;
        drawn.push_back(&device);
        recorded.push_back(device.recorded);
    }
    DataTable table =
        shownColumns(pickedColumns(curvesTable(*m_document->series, recorded),
                                   {"curve", "highest", "after", "operation", "lowest", "last"}));
    table.target = [this, drawn, sampleOf = table.target](std::size_t row) {
        const DataTable::Target sample = sampleOf(row);
        const DeviceSamples &device = *drawn[static_cast<std::size_t>(sample.kind)];
        return DataTable::Target{
            .kind = 0, .at = static_cast<std::uint64_t>(m_scene.eventOf(device, sample.at))};
    };
    table.columns.front().title = "Curve";
    m_table->setTable(table, unit());
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

void SeriesPage::showDevices(std::optional<std::size_t> device)
{
    // The state and the view refer to the scene: what they cache of the old one is replaced
    // immediately.
    m_view->setScene(nullptr, nullptr);
    SeriesScene before = std::exchange(m_scene, SeriesScene(*m_document, device));
    m_view->setScene(m_document->series.get(), &m_scene);
    m_state->reset(m_scene.axis(), m_scene.wholeBytes());
    m_strip->setScene(m_scene, device);
    showPeaks();
    m_note->setText(noteText());
    m_note->setVisible(!m_note->text().isEmpty());
    paintOverview();
    Q_EMIT statusChanged();
}

void SeriesPage::showCurve(std::size_t curve, bool shown)
{
    m_scene.setShown(curve, shown);
    m_view->setScene(m_document->series.get(), &m_scene);
    paintOverview();
}

void SeriesPage::paintOverview()
{
    m_overview->setCurve([this](QPainter &painter, const QRectF &place) {
        const ChartArea area{place,
                             m_state->axis(),
                             m_state->whole(),
                             {themeOf(this), unit(), font(), pixelRatio(*this)}};
        paintCurves(painter, m_scene, area);
    });
}

QString SeriesPage::noteText() const
{
    if (m_scene.leftOut() > 0)
        return u"Drawn together are those %1 of the %2 devices that had most in use. Each of the "
               "others can be chosen above."_s.arg(
                   countText(static_cast<std::int64_t>(m_scene.curves().size())),
                   countText(static_cast<std::int64_t>(m_document->devices.size())));
    if (m_scene.axis().count() == 1)
        return u"One sample only: what was in use at one moment, not over time."_s;
    if (m_document->series->clock() == Clock::Relative && m_document->isLog())
        return u"The log does not say at which time of which day it was taken; the axis counts "
               "from its first sample."_s;
    return {};
}

void SeriesPage::goToPeak()
{
    if (m_view)
        m_view->goToPeak();
}

Table SeriesPage::table(qsizetype most) const
{
    return m_table ? tableOf(*m_table->model(), u"Peaks"_s, most) : Table();
}

std::vector<StageItem> SeriesPage::stageItems()
{
    StagedSeries staged{m_document, {}, unit()};
    for (std::size_t at = 0; at < m_document->devices.size(); ++at) {
        if (m_scene.device() == &m_document->devices[at])
            staged.device = at;
    }
    return seriesItems(std::move(staged));
}

QVariantMap SeriesPage::chosen(const Redaction *) const
{
    return m_view ? QVariantMap{{kVisible, QVariant::fromValue(m_state->visible())}}
                  : QVariantMap();
}

void SeriesPage::restore(const QVariantMap &chosen)
{
    if (m_view && chosen.contains(kVisible))
        m_state->show(chosen[kVisible].value<Viewport>());
}

QString SeriesPage::statusText() const
{
    if (!m_view)
        return u"no memory recorded"_s;
    const EventIndex at = std::max(m_state->cursor(), EventIndex(0));
    const std::int64_t time = m_scene.timeOf(at);
    QStringList parts{u"cursor: %1"_s.arg(toQString(formatMicroseconds(time)))};
    constexpr qsizetype kMostParts = 5;
    for (const SceneCurve &curve : m_scene.curves()) {
        const auto sample =
            m_scene.device() ? std::optional(static_cast<std::size_t>(at))
                             : curve.device->times.at(static_cast<double>(time + m_scene.start()));
        const bool told = curve.shown || &curve == &m_scene.main();
        if (!told || !sample || curve.samples->at(*sample) == kNoBytes)
            continue;
        if (parts.size() == kMostParts) {
            parts << u"…"_s;
            break;
        }
        parts << u"%1 %2"_s.arg(curve.name, bytesText(curve.samples->at(*sample), unit()));
    }
    const Range &x = m_state->visible().x;
    const auto range = static_cast<std::int64_t>(std::min(x.length(), 9e15));
    return parts.join(u" · "_s) + u"     "_s +
           u"range: %1"_s.arg(toQString(formatMicroseconds(range)));
}

} // namespace vramscope
