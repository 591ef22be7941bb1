// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/stage_bar.h"

#include "core/describe/serving_log_tables.h"
#include "core/serving_logs/log_stages.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostAttempts = 4;
constexpr double kPoint = 8;   ///< how far an arrow reaches into the next one
constexpr double kPadding = 8; ///< between its edges and its text
constexpr double kRowGap = 4;
constexpr double kMargin = 4; ///< above and below
constexpr double kSpace = 12; ///< between names and arrows

QPainterPath arrowPath(const QRectF &place, bool isFirst)
{
    QPainterPath path(place.topLeft());
    path.lineTo(place.right(), place.top());
    path.lineTo(place.right() + kPoint, place.center().y());
    path.lineTo(place.right(), place.bottom());
    path.lineTo(place.left(), place.bottom());
    if (!isFirst)
        path.lineTo(place.left() + kPoint, place.center().y());
    path.closeSubpath();
    return path;
}

} // namespace

StageBar::StageBar(QWidget *parent)
    : Chart(parent)
{
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(u"Stages of the start"_s);
}

void StageBar::setLog(const ServingLog &log)
{
    m_rows.clear();
    m_target = log.target;
    m_hasModels = std::ranges::any_of(log.stages, [&](const LogStageSpan &span) {
        return span.model > 0 && span.model != log.stages.front().model &&
               log.stages.front().model > 0;
    });
    int attempt = 0;
    for (const LogStageSpan &span : log.stages) {
        if (span.attempt != attempt || m_rows.empty())
            m_rows.push_back({u"Attempt %1"_s.arg(span.attempt), {}});
        attempt = span.attempt;
        m_rows.back().stages.push_back(span);
    }
    if (!m_rows.empty())
        m_rows.back().isLast = true;
    if (m_rows.size() == 1)
        m_rows.front().name.clear();
    m_leftOut = std::max(0, static_cast<int>(m_rows.size()) - kMostAttempts);
    m_rows.erase(m_rows.begin(), m_rows.begin() + m_leftOut);
    setAccessibleDescription(foreignText(stagesLine(log, unit())));
    relayout();
}

void StageBar::relayout()
{
    updateGeometry();
    update();
}

int StageBar::rowHeight() const
{
    return static_cast<int>(2 * lineHeight() + kPadding);
}

double StageBar::namesWidth() const
{
    double width = 0;
    for (const Row &row : m_rows)
        if (!row.name.isEmpty())
            width = std::max(width, textWidth(row.name) + kSpace);
    return std::ceil(width);
}

QSize StageBar::sizeHint() const
{
    const int above = m_leftOut > 0 ? static_cast<int>(lineHeight() + kRowGap) : 0;
    const auto rows = static_cast<int>(m_rows.size());
    return {600, static_cast<int>(kMargin) * 2 + above +
                     rows * (rowHeight() + static_cast<int>(kRowGap))};
}

QSize StageBar::minimumSizeHint() const
{
    return {240, sizeHint().height()};
}

std::vector<StageBar::Arrow> StageBar::arrows(std::size_t index) const
{
    const Row &row = m_rows[index];
    const QFontMetricsF bold(typeFont(this, Type::Small, true));
    std::vector<Arrow> all;
    double natural = 0;
    for (const LogStageSpan &span : row.stages) {
        Arrow arrow;
        arrow.stage = &span;
        arrow.name = toQString(logStageName(span.stage));
        if (m_hasModels && span.model > 0)
            arrow.name += span.model == m_target ? QString() : u", model %1"_s.arg(span.model);
        arrow.facts = toQString(stageFacts(span, unit()));
        arrow.isReached = row.isLast && &span == &row.stages.back() && !span.failed &&
                          span.stage != LogStage::Serving;
        const QString ended = span.stage == LogStage::Serving ? u"failed later"_s : u"ended here"_s;
        if (span.failed)
            arrow.facts += arrow.facts.isEmpty() ? ended : u", "_s + ended;
        else if (arrow.isReached)
            arrow.facts += arrow.facts.isEmpty() ? u"the log ends"_s : u", the log ends"_s;
        const double width =
            std::ceil(std::max(bold.horizontalAdvance(arrow.name), textWidth(arrow.facts))) +
            kPoint + 2 * kPadding;
        arrow.place.setWidth(width);
        natural += width;
        all.push_back(std::move(arrow));
    }
    // Arrows are as wide as their texts, or narrower alike; no row is stretched.
    const double left = namesWidth();
    const double scale = std::min(1.0, (width() - left - kPoint - 1) / std::max(natural, 1.0));
    const double top = kMargin + (m_leftOut > 0 ? lineHeight() + kRowGap : 0) +
                       static_cast<double>(index) * (rowHeight() + kRowGap);
    double at = left;
    for (Arrow &arrow : all) {
        const double end = at + arrow.place.width() * scale;
        arrow.place =
            QRectF(QPointF(std::round(at), top), QPointF(std::round(end) - 1, top + rowHeight()));
        at = end;
    }
    return all;
}

void StageBar::paintArrow(QPainter &painter, const Arrow &arrow) const
{
    const Theme &theme = themeOf(this);
    const bool isReady = arrow.stage->stage == LogStage::Serving && !arrow.stage->failed;
    const QColor fill = arrow.stage->failed ? theme.badFill
                        : isReady           ? theme.goodFill
                        : arrow.isReached   ? theme.warnFill
                                            : theme.raised;
    painter.fillPath(arrowPath(arrow.place, arrow.place.left() <= namesWidth()), fill);
    const double inset = arrow.place.left() <= namesWidth() ? kPadding : kPadding + kPoint;
    const QRectF text = arrow.place.adjusted(inset, kPadding / 2, 0, -kPadding / 2);
    const auto draw = [&](const QString &words, bool isBold, const QColor &color,
                          const QRectF &at) {
        const QFont font = typeFont(this, Type::Small, isBold);
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(words, Qt::ElideRight, at.width()));
    };
    const QColor strong = arrow.stage->failed ? theme.bad
                          : isReady           ? theme.good
                          : arrow.isReached   ? theme.warn
                                              : theme.text;
    if (arrow.facts.isEmpty())
        return draw(arrow.name, true, strong, text);
    QRectF upper = text;
    upper.setHeight(text.height() / 2);
    draw(arrow.name, true, strong, upper);
    const bool isPlain = !arrow.stage->failed && !arrow.isReached;
    draw(arrow.facts, false, isPlain ? theme.dim : strong, upper.translated(0, text.height() / 2));
}

void StageBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_leftOut > 0) {
        painter.setFont(smallFont());
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, kMargin, width(), lineHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         m_leftOut == 1 ? u"1 earlier attempt is not shown."_s
                                        : u"%1 earlier attempts are not shown."_s.arg(m_leftOut));
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const std::vector<Arrow> shown = arrows(row);
        painter.setFont(smallFont());
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, shown.front().place.top(), namesWidth(), rowHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_rows[row].name);
        for (const Arrow &arrow : shown)
            paintArrow(painter, arrow);
    }
}

QString StageBar::hoverText(QPointF point) const
{
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        for (const Arrow &arrow : arrows(row)) {
            if (!arrow.place.contains(point))
                continue;
            const LogStageSpan &span = *arrow.stage;
            const QString lines =
                span.line == span.last
                    ? u"line %1"_s.arg(countText(span.line))
                    : u"lines %1 to %2"_s.arg(countText(span.line), countText(span.last));
            return u"<b>%1</b>%2<br>%3"_s.arg(
                arrow.name.toHtmlEscaped(),
                arrow.facts.isEmpty() ? QString() : u"<br>"_s + arrow.facts.toHtmlEscaped(), lines);
        }
    }
    return {};
}

} // namespace vramscope
