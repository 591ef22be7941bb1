// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/legend_bar.h"

#include "core/analysis/replayed/address_space.h"
#include "core/analysis/study/study.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/stacked_body.h"
#include "ui/trace/coloring.h"

#include <QComboBox>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kGap = 4;
constexpr int kWidestEntry = 210;

} // namespace

QIcon swatch(QRgb color, double ratio)
{
    QPixmap pixmap(QSize(12, 12) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(color));
    painter.drawRoundedRect(QRectF(1, 1, 10, 10), 2, 2);
    return QIcon(pixmap);
}

std::vector<LegendEntry> ownLegend(TimelineKind kind, const Study &study)
{
    std::vector<LegendEntry> entries;
    if (kind == TimelineKind::Bands) {
        for (const BandLook &look : bandLooks())
            entries.push_back({look.name, look.color});
    } else if (kind == TimelineKind::Reserved) {
        const std::vector<QRgb> colors = segmentColors(study.space().segments()).colors;
        entries = {{u"large segments"_s, colors[0]},
                   {u"small segments"_s, colors[1]},
                   {u"private pools"_s, colors[2]}};
    }
    return entries;
}

void paintLegend(QPainter &painter, const QRectF &place, const std::vector<LegendEntry> &entries,
                 std::size_t unlisted, const QColor &text)
{
    constexpr int kSwatch = 12;
    const QFontMetrics metrics = painter.fontMetrics();
    const auto restText = [&](std::size_t count) {
        return u"%1 more"_s.arg(countText(static_cast<std::int64_t>(count)));
    };
    const double right = place.right() - metrics.horizontalAdvance(restText(10'000));
    double left = place.left();
    std::size_t shown = 0;
    painter.setPen(text);
    const auto put = [&](const QString &name) {
        const double width = metrics.horizontalAdvance(name);
        painter.drawText(QRectF(left, place.top(), width + 1, place.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
        left += width + 4 * kGap;
    };
    for (const LegendEntry &entry : entries) {
        const QString name = metrics.elidedText(entry.text, Qt::ElideMiddle, kWidestEntry);
        if (left + kSwatch + kGap + metrics.horizontalAdvance(name) > right)
            break;
        painter.drawPixmap(QPointF(left, std::floor(place.center().y() - kSwatch / 2.0)),
                           swatch(entry.color, 1).pixmap(kSwatch, kSwatch));
        left += kSwatch + kGap;
        put(name);
        ++shown;
    }
    if (const std::size_t rest = unlisted + entries.size() - shown; rest > 0)
        put(restText(rest));
}

LegendBar::LegendBar(QWidget *parent)
    : QWidget(parent)
    , m_by(new QComboBox(this))
    , m_rest(new QToolButton(this))
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_by->setAccessibleName(u"Colour by"_s);
    const std::array titles = {u"Colour: stack"_s,   u"Colour: category"_s, u"Colour: size"_s,
                               u"Colour: age"_s,     u"Colour: stream"_s,   u"Colour: pool"_s,
                               u"Colour: metadata"_s};
    for (const QString &title : titles)
        m_by->addItem(title);
    m_rest->setProperty("role", u"quiet"_s);
    m_rest->setEnabled(false);
    connect(m_by, &QComboBox::activated, this,
            [this](int index) { Q_EMIT colorByChosen(static_cast<ColorBy>(index)); });
}

void LegendBar::setColorBy(ColorBy by)
{
    m_by->setCurrentIndex(static_cast<int>(by));
}

void LegendBar::setColoring(const Coloring &coloring, ByteUnit unit)
{
    m_by->setEnabled(true);
    setEntries(coloring.entries, coloring.unlisted, unit, true);
}

void LegendBar::setFixed(std::vector<LegendEntry> entries, ByteUnit unit)
{
    m_by->setEnabled(false);
    setEntries(std::move(entries), 0, unit, false);
}

void LegendBar::setEntries(std::vector<LegendEntry> entries, std::size_t unlisted, ByteUnit unit,
                           bool choosable)
{
    qDeleteAll(m_buttons);
    m_buttons.clear();
    m_entries = std::move(entries);
    m_unlisted = unlisted;
    for (const LegendEntry &entry : m_entries) {
        auto *button = new QToolButton(this);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIcon(swatch(entry.color, devicePixelRatioF()));
        button->setIconSize({12, 12});
        button->setCheckable(choosable);
        button->setProperty("role", u"legend"_s);
        button->setText(fontMetrics().elidedText(entry.text, Qt::ElideMiddle, kWidestEntry - 40));
        button->setAccessibleName(entry.text);
        button->setToolTip(choosable ? u"%1\n%2 at the peak; click to see it alone"_s.arg(
                                           entry.text, exactBytesText(entry.atPeak, unit))
                                     : entry.text);
        connect(button, &QToolButton::clicked, this, [this, group = entry.group](bool checked) {
            Q_EMIT groupChosen(checked ? std::optional(group) : std::nullopt);
        });
        button->show();
        m_buttons.push_back(button);
    }
    arrange();
}

void LegendBar::setChosen(std::optional<std::uint32_t> group)
{
    for (std::size_t at = 0; at < m_buttons.size(); ++at) {
        const QSignalBlocker silent(m_buttons[at]);
        m_buttons[at]->setChecked(group == m_entries[at].group);
    }
}

void LegendBar::showNamesAlone(int lines)
{
    m_lines = lines;
    m_by->hide();
    arrange();
}

QSize LegendBar::minimumSizeHint() const
{
    const int line = m_by->isHidden() ? fontMetrics().height() + 4 : m_by->sizeHint().height();
    return {m_by->sizeHint().width(), m_lines * (line + 4)};
}

void LegendBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void LegendBar::arrange()
{
    const int lineHeight = minimumSizeHint().height() / m_lines;
    const QString widestRest = u"%1 more"_s.arg(countText(10'000));
    const int restWidth = fontMetrics().horizontalAdvance(widestRest) + 12;
    const int begin = m_by->isHidden() ? 0 : m_by->sizeHint().width() + 2 * kGap;
    m_by->setGeometry(0, 2, m_by->sizeHint().width(), lineHeight - 4);
    const auto widthOf = [this](const QToolButton *button) {
        constexpr int kAround = 28; // the square, the padding and the frame
        return std::min(fontMetrics().horizontalAdvance(button->text()) + kAround, kWidestEntry);
    };
    int rest = m_unlisted > 0 ? restWidth : 0; // pixels of all that follow
    for (const QToolButton *button : m_buttons)
        rest += widthOf(button) + kGap;
    rest -= m_unlisted > 0 ? 0 : kGap; // nothing follows the last
    int left = begin;
    int line = 0;
    std::size_t shown = 0;
    bool room = true;
    for (QToolButton *button : m_buttons) {
        const int buttonWidth = widthOf(button);
        const auto fits = [&] {
            const bool isCounted = line + 1 == m_lines && left + rest > width();
            return left + buttonWidth <= width() - (isCounted ? restWidth : 0);
        };
        if (room && !fits() && line + 1 < m_lines) {
            ++line;
            left = begin;
        }
        room = room && fits();
        button->setVisible(room);
        rest -= buttonWidth + kGap;
        if (!room)
            continue;
        button->setGeometry(left, line * lineHeight + 2, buttonWidth, lineHeight - 4);
        left += buttonWidth + kGap;
        ++shown;
    }
    const std::size_t hidden = m_unlisted + m_buttons.size() - shown;
    m_rest->setVisible(hidden > 0);
    m_rest->setText(u"%1 more"_s.arg(countText(static_cast<std::int64_t>(hidden))));
    m_rest->setGeometry(left, line * lineHeight + 2, restWidth, lineHeight - 4);
    setFixedHeight((line + 1) * lineHeight);
}

} // namespace vramscope
