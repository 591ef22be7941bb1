// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_timeline.h"

#include "ui/profile/profile_text.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/tip.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostArrows = 64; // of a call that launched a whole graph

} // namespace

ProfileTimeline::ProfileTimeline(std::shared_ptr<const ProfileDocument> document,
                                 ProfileState *state, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_document(std::move(document))
    , m_state(state)
    , m_sections(timelineSections(*m_document))
    , m_folds(firstFolds(*m_document, m_sections))
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(u"Timeline"_s);
    setAccessibleDescription(
        u"W and S zoom, A and D move, F shows everything, P goes to the peak of memory, [ and ] "
        "go to the previous and the next event, / searches."_s);
    const auto repaint = [this] { viewport()->update(); };
    connect(state, &ProfileState::visibleChanged, this, &ProfileTimeline::discard);
    connect(state, &ProfileState::foundChanged, this, &ProfileTimeline::discard);
    connect(state, &ProfileState::selectedChanged, this, repaint);
    connect(state, &ProfileState::chosenChanged, this, repaint);
    connect(state, &ProfileState::momentChanged, this, repaint);
    arrange();
}

void ProfileTimeline::setFolds(const Folds &folds)
{
    m_folds = folds;
    arrange();
}

void ProfileTimeline::arrange()
{
    m_lines = TimelineLines(*m_document, m_sections, m_folds, ProfileChart::rowHeight(font()));
    discard();
    const double room = viewport()->height() - chart().plot().top();
    verticalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(m_lines.height() + 8 - room))));
    verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    verticalScrollBar()->setSingleStep(static_cast<int>(ProfileChart::rowHeight(font())));
}

void ProfileTimeline::discard()
{
    m_picture.discard();
    viewport()->update();
}

ProfileScene ProfileTimeline::scene() const
{
    if (!m_colors)
        m_colors.emplace(*m_document, themeOf(viewport()));
    return {m_document.get(), &m_sections, &m_lines, &m_folds, m_state->found().get(), &*m_colors};
}

const ProfileChart &ProfileTimeline::chart() const
{
    return m_picture.chart(*viewport(), [this] {
        return ProfileChart(scene(), m_state->visible(), verticalScrollBar()->value(),
                            viewport()->rect(),
                            {themeOf(viewport()), m_unit, font(), pixelRatio(*viewport())});
    });
}

void ProfileTimeline::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_colors.reset();
        arrange();
    }
}

void ProfileTimeline::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void ProfileTimeline::scrollContentsBy(int, int)
{
    discard();
}

std::optional<std::size_t> ProfileTimeline::rowOf(const ProfileEventId &event) const
{
    if (!event.valid())
        return std::nullopt;
    const auto &rows = m_document->rows->rows;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].kind() == event.kind && rows[row].placeOf(event.row))
            return row;
    }
    return std::nullopt;
}

std::optional<QRectF> ProfileTimeline::placeOf(const ProfileEventId &event) const
{
    const auto row = rowOf(event);
    const auto line = row ? m_lines.lineOfRow(*row) : std::nullopt;
    if (!line)
        return std::nullopt;
    const auto [start, end] = eventTimes(*m_document->profile, event);
    const QRectF place = chart().lineRect(*line);
    const double left = chart().x(start);
    return QRectF(left, place.top(), std::max(1.0, chart().x(end) - left), place.height());
}

void ProfileTimeline::goTo(const ProfileEventId &event)
{
    const auto row = rowOf(event);
    if (!row)
        return;
    m_state->select(event);
    if (!m_lines.lineOfRow(*row)) {
        for (std::size_t section = 0; section < m_sections.size(); ++section) {
            for (const std::size_t group : m_sections[section].groups) {
                const RowGroup &of = m_document->rows->groups[group];
                if (*row < of.firstRow || *row >= of.firstRow + of.rowCount)
                    continue;
                m_folds.sections.erase(section);
                m_folds.groups.erase(group);
            }
        }
        arrange();
    }
    const auto [start, end] = eventTimes(*m_document->profile, event);
    m_state->reveal({static_cast<double>(start - m_document->origin),
                     static_cast<double>(end - m_document->origin)});
    if (const auto line = m_lines.lineOfRow(*row))
        scrollTo(*line);
}

void ProfileTimeline::scrollTo(std::size_t line)
{
    const TimelineLine &of = m_lines.lines()[line];
    const double room = viewport()->height() - chart().plot().top();
    const double scroll = verticalScrollBar()->value();
    if (of.top < scroll || of.top + of.height > scroll + room)
        verticalScrollBar()->setValue(static_cast<int>(of.top + of.height / 2 - room / 2));
}

void ProfileTimeline::goToPeak()
{
    const ProfileMemoryCurves *curves = nullptr;
    std::size_t at = 0;
    for (std::size_t memory = 0; memory < m_document->memory.size(); ++memory) {
        const ProfileMemoryCurves &of = m_document->memory[memory];
        if (!curves || (curves->isHost && !of.isHost)) { // the first of a device: by the profile
            curves = &of;
            at = memory;
        }
    }
    const auto peak = curves ? curves->allocated.peak() : std::nullopt;
    if (!peak)
        return;
    const std::int64_t time = curves->allocated.times()[*peak];
    m_state->setMoment(time);
    const auto x = static_cast<double>(time - m_document->origin);
    m_state->reveal({x, x});
    for (std::size_t line = 0; line < m_lines.lines().size(); ++line) {
        const TimelineLine &of = m_lines.lines()[line];
        if (of.kind == TimelineLine::Kind::Memory && of.at == at)
            scrollTo(line);
    }
}

void ProfileTimeline::step(bool forward)
{
    const ProfileEventId selected = m_state->selected();
    const auto at = rowOf(selected);
    if (!at)
        return;
    const TimelineRow &row = m_document->rows->rows[*at];
    std::size_t place = *row.placeOf(selected.row);
    const FoundRows *found = m_state->found().get();
    const auto isWanted = [&](std::size_t event) {
        return !found || found->rows[*at].placeOf(row.events()[event]);
    };
    do {
        if (forward ? place + 1 >= row.events().size() : place == 0)
            return;
        place = forward ? place + 1 : place - 1;
    } while (!isWanted(place));
    goTo({selected.kind, row.events()[place]});
}

void ProfileTimeline::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    (void)chart();
    m_picture.paint(painter, *viewport());
    painter.setFont(smallFont(font()));
    paintOver(painter);
    if (m_mouse && m_gesture == Gesture::None) {
        if (const QStringList lines = textAt(*m_mouse); !lines.isEmpty())
            paintTip(painter, lines, *m_mouse, viewport()->rect(), themeOf(viewport()));
    }
}

void ProfileTimeline::paintOver(QPainter &painter) const
{
    const Theme &theme = themeOf(viewport());
    const QRectF plot = chart().plot();
    painter.save();
    painter.setClipRect(QRectF(plot.left(), plot.top(), plot.width(), viewport()->height()));
    paintChosen(painter);
    if (const auto moment = m_state->moment()) {
        const double x = std::floor(chart().x(*moment));
        QColor halo = theme.window;
        halo.setAlpha(150);
        painter.fillRect(QRectF(x - 1, plot.top(), 3, viewport()->height()), halo);
        painter.fillRect(QRectF(x, plot.top(), 1, viewport()->height()), theme.text);
    }
    paintSelected(painter);
    paintArrows(painter);
    painter.restore();
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawLine(QPointF(plot.left(), plot.top() - 0.5),
                         QPointF(plot.right(), plot.top() - 0.5));
    }
}

void ProfileTimeline::paintSelected(QPainter &painter) const
{
    const auto place = placeOf(m_state->selected());
    if (!place)
        return;
    const Theme &theme = themeOf(viewport());
    // What is too short to be seen is shown where it is.
    QRectF frame = place->adjusted(-1, -1, 1, 1);
    const QRectF plot = chart().plot();
    frame.setLeft(std::max(frame.left(), plot.left() - 4));
    frame.setRight(std::min(frame.right(), plot.right() + 4));
    painter.setPen(QPen(theme.text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
}

void ProfileTimeline::paintArrows(QPainter &painter) const
{
    const ProfileEventId selected = m_state->selected();
    if (!selected.valid())
        return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> links; // call, work
    if (selected.kind == EventKind::Work) {
        const std::uint32_t call = m_document->profile->work().call[selected.row];
        if (call != kNoRow)
            links.emplace_back(call, selected.row);
    } else if (selected.kind == EventKind::Call) {
        for (const std::uint32_t work : m_document->launchedBy(selected.row)) {
            if (links.size() < kMostArrows)
                links.emplace_back(selected.row, work);
        }
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = themeOf(viewport());
    for (const auto &[call, work] : links) {
        const auto from = placeOf({EventKind::Call, call});
        const auto to = placeOf({EventKind::Work, work});
        if (!from || !to)
            continue;
        const bool up = to->top() < from->top();
        const QPointF begin(from->left(), up ? from->top() : from->bottom());
        const QPointF end(to->left(), up ? to->bottom() : to->top());
        const double bend = (end.y() - begin.y()) / 2;
        QPainterPath path(begin);
        path.cubicTo(begin + QPointF(0, bend), end - QPointF(0, bend), end);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.window, 4));
        painter.drawPath(path);
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawPath(path);
        const double tip = up ? 6 : -6;
        painter.setBrush(theme.text);
        painter.drawPolygon(QPolygonF({end, end + QPointF(-4, tip), end + QPointF(4, tip)}));
    }
    painter.restore();
}

void ProfileTimeline::paintChosen(QPainter &painter) const
{
    const Theme &theme = themeOf(viewport());
    std::optional<TimeSpan> chosen = m_state->chosen();
    if (m_gesture == Gesture::Choose) {
        const auto [left, right] = std::minmax({timeAt(m_pressed.x()), timeAt(m_moved.x())});
        chosen = TimeSpan{left, right};
    }
    if (!chosen)
        return;
    const QRectF plot = chart().plot();
    const double left = std::clamp(chart().x(chosen->from), plot.left() - 2, plot.right() + 2);
    const double right = std::clamp(chart().x(chosen->to), plot.left() - 2, plot.right() + 2);
    const double height = viewport()->height() - plot.top();
    QColor tint = theme.accent;
    tint.setAlpha(36);
    painter.fillRect(QRectF(left, plot.top(), right - left, height), tint);
    for (const double edge : {left, right})
        painter.fillRect(QRectF(std::floor(edge), plot.top(), 1, height), theme.accent);
    const QString text = durationText(chosen->to - chosen->from);
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text) + 10;
    QRectF patch((left + right - width) / 2, plot.top() + 2, width, metrics.height() + 2);
    patch.moveLeft(
        std::clamp(patch.left(), plot.left(), std::max(plot.left(), plot.right() - width)));
    painter.fillRect(patch, theme.accent);
    painter.setPen(theme.onAccent());
    painter.drawText(patch, Qt::AlignCenter, text);
}

QStringList ProfileTimeline::textAt(QPointF position) const
{
    const auto place = chart().at(position);
    if (!place || position.x() < chart().plot().left())
        return {};
    const TimelineLine &line = m_lines.lines()[place->line];
    switch (line.kind) {
    case TimelineLine::Kind::Row:
        return place->mark ? markText(line, *place->mark) : QStringList();
    case TimelineLine::Kind::Cover:
        return coverText(line, position.x());
    case TimelineLine::Kind::Queue: {
        const auto length = m_document->devices[line.at].queue.at(timeAt(position.x()));
        return {u"%1 launched and not begun"_s.arg(countText(length.value_or(0))),
                momentText(timeAt(position.x()) - m_document->origin)};
    }
    case TimelineLine::Kind::Memory:
        return memoryText(line, position.x());
    case TimelineLine::Kind::Heading:
        break;
    }
    return {};
}

QStringList ProfileTimeline::markText(const TimelineLine &line, const RowMark &mark) const
{
    const EventKind kind = m_document->rows->rows[line.at].kind();
    const ProfileEventId event{kind, mark.event};
    const auto [start, end] = eventTimes(*m_document->profile, event);
    QStringList lines{eventName(*m_document, event)};
    if (kind == EventKind::Work)
        lines << toQString(workKindText(m_document->classes().groupOf(mark.event)));
    lines << u"%1 from %2"_s.arg(durationText(end - start), momentText(start - m_document->origin));
    if (mark.count > 1)
        lines << u"the longest of %1 within this pixel"_s.arg(countedText(mark.count, "event"));
    return lines;
}

QStringList ProfileTimeline::coverText(const TimelineLine &line, double x) const
{
    const DeviceCover &coverage = m_document->devices[line.at].coverage;
    const double pixel = 1 / pixelRatio(*viewport());
    const std::int64_t from = timeAt(x);
    const std::int64_t to = std::max(from + 1, timeAt(x + pixel));
    const CoverTimes times = coverage.within(from, to);
    QStringList lines;
    for (std::size_t at = 0; at < kCoverCount; ++at) {
        if (times[at] == to - from)
            return {coverName(static_cast<CoverKind>(at)), momentText(from - m_document->origin)};
        if (times[at] > 0)
            lines << u"%1  %2"_s.arg(timeShareText(times[at], to - from),
                                     coverName(static_cast<CoverKind>(at)));
    }
    lines.prepend(
        u"%1 from %2"_s.arg(durationText(to - from), momentText(from - m_document->origin)));
    return lines;
}

QStringList ProfileTimeline::memoryText(const TimelineLine &line, double x) const
{
    const ProfileMemoryCurves &curves = m_document->memory[line.at];
    const std::int64_t time = timeAt(x);
    const auto allocated = curves.allocated.at(time);
    const auto reserved = curves.reserved.at(time);
    QStringList lines{
        u"%1 · %2"_s.arg(foreignText(curves.label), momentText(time - m_document->origin))};
    if (!allocated)
        return lines << u"before the first sample"_s;
    if (*allocated != kNoBytes)
        lines << u"%1  %2"_s.arg(allocatedName(curves), exactBytesText(*allocated, m_unit));
    if (reserved && *reserved != kNoBytes)
        lines << u"reserved  %1"_s.arg(exactBytesText(*reserved, m_unit));
    return lines << memoryEventText(*m_document, curves, time, m_unit);
}

} // namespace vramscope
