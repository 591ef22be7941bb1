// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/export_preview.h"

#include "ui/support/theme.h"

#include <QFontDatabase>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

ExportPreview::ExportPreview(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(u"Preview"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ExportPreview::show(const QImage &image)
{
    m_image = image;
    m_text.clear();
    update();
}

void ExportPreview::show(const QString &text)
{
    m_image = QImage();
    m_text = text;
    setAccessibleDescription(text);
    update();
}

void ExportPreview::paintEvent(QPaintEvent *)
{
    constexpr int kInset = 8;
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    painter.setPen(theme.line);
    if (m_image.isNull()) {
        painter.setBrush(theme.card);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.setPen(theme.text);
        painter.setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        const QRect place = rect().adjusted(kInset, kInset, -kInset, -kInset);
        painter.setClipRect(place);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignTop, m_text);
        return;
    }
    const QSize room = size() - QSize(2, 2);
    QSize shown = m_image.size();
    if (shown.width() > room.width() || shown.height() > room.height())
        shown.scale(room, Qt::KeepAspectRatio);
    QRect place(QPoint(), shown);
    place.moveCenter(rect().center());
    // Scaled down by averaging, which no painter does.
    const double ratio = devicePixelRatioF();
    QImage image = m_image.scaled((QSizeF(shown) * ratio).toSize(), Qt::IgnoreAspectRatio,
                                  Qt::SmoothTransformation);
    painter.drawImage(place, image);
    painter.drawRect(place.adjusted(-1, -1, 0, 0));
}

} // namespace vramscope
