// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_strip.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/series/series_text.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

SeriesStrip::SeriesStrip(std::shared_ptr<const SeriesDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_devices(choiceBox(u"Device"_s))
    , m_recorded(elidedLabel())
    , m_headline(headlineLabel())
    , m_problems(new QPushButton)
    , m_curves(new QHBoxLayout)
{
    setStyled(*this, u"strip"_s);
    if (m_document->isLog() && m_document->devices.size() > 1)
        m_devices->addItem(u"All %1"_s.arg(countedText(
                               static_cast<std::int64_t>(m_document->devices.size()), "device")),
                           -1);
    for (std::size_t at = 0; at < m_document->devices.size(); ++at)
        m_devices->addItem(deviceTitle(*m_document->devices[at].recorded), static_cast<int>(at));
    auto *title = new QLabel(u"<b>%1</b>"_s.arg(formatTitle(*m_document->series).toHtmlEscaped()));
    m_problems->setProperty("role", u"chip"_s);
    m_problems->setCursor(Qt::PointingHandCursor);

    QHBoxLayout *figures = row({title, m_devices, {m_recorded, 1}, m_problems}, 18);
    m_curves->setSpacing(2);
    setLayout(column({m_headline, figures, m_curves}, 4, {16, 8, 16, 4}));

    connect(m_devices, &QComboBox::activated, this, [this] {
        const int device = m_devices->currentData().toInt();
        Q_EMIT deviceChosen(device < 0 ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(device)));
    });
    connect(m_problems, &QPushButton::clicked, this, [this] {
        QToolTip::showText(m_problems->mapToGlobal(QPoint(0, m_problems->height())),
                           m_problems->toolTip(), m_problems);
    });
}

void SeriesStrip::setScene(const SeriesScene &scene, std::optional<std::size_t> device)
{
    m_scene = &scene;
    m_devices->setCurrentIndex(m_devices->findData(device ? static_cast<int>(*device) : -1));
    refresh();
}

QSize SeriesStrip::minimumSizeHint() const
{
    return {320, QWidget::minimumSizeHint().height()};
}

void SeriesStrip::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_scene)
        addCurveButtons();
}

void SeriesStrip::refresh()
{
    if (!m_scene)
        return;
    m_recorded->setFullText(recordedText(*m_document, *m_scene));
    m_headline->setText(headlineText(*m_document, *m_scene, m_unit));
    const QString problems = problemsText(*m_document->series);
    m_problems->setVisible(!problems.isEmpty());
    if (m_document->series->problems().size() == 1)
        m_problems->setText(u"1 anomaly"_s);
    else
        m_problems->setText(countedText(std::ssize(m_document->series->problems()), "anomaly"));
    m_problems->setToolTip(problems);
    m_problems->setAccessibleDescription(problems);
    addCurveButtons();
}

void SeriesStrip::addCurveButtons()
{
    clear(*m_curves);
    constexpr std::size_t kMostButtons = 16; // of more none could be read
    const std::size_t count = m_scene->curves().size();
    for (std::size_t at = 0; at < std::min(count, kMostButtons); ++at) {
        const SceneCurve &curve = m_scene->curves()[at];
        auto *button =
            new QPushButton(swatch(curve.color), QString(curve.name).replace(u'&', u"&&"_s));
        button->setCheckable(true);
        button->setChecked(curve.shown);
        button->setProperty("role", u"curve"_s);
        button->setToolTip(u"Show or hide this curve"_s);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        button->setMaximumWidth(button->sizeHint().width());
        connect(button, &QPushButton::toggled, this,
                [this, at](bool shown) { Q_EMIT curveToggled(at, shown); });
        m_curves->addWidget(button, 100);
    }
    if (count > kMostButtons) {
        auto *more = new QLabel(
            u"%1 more curves"_s.arg(countText(static_cast<std::int64_t>(count - kMostButtons))));
        more->setProperty("role", u"dim"_s);
        m_curves->addWidget(more);
    }
    m_curves->addStretch(1);
}

QIcon SeriesStrip::swatch(QRgb color) const
{
    const QColor shade = color ? QColor(color) : themeOf(this).text;
    QIcon icon;
    for (const QIcon::State state : {QIcon::On, QIcon::Off}) {
        QPixmap pixmap(12, 12);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(shade, 1.5));
        painter.setBrush(state == QIcon::On ? QBrush(shade) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(1, 1, 10, 10), 2, 2);
        painter.end();
        icon.addPixmap(pixmap, QIcon::Normal, state);
    }
    return icon;
}

} // namespace vramscope
