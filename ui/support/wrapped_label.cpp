// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/wrapped_label.h"

#include <QFocusEvent>
#include <QTextDocument>

#include <cmath>

namespace vramscope {

WrappedLabel::WrappedLabel(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
}

void WrappedLabel::ignoreWidth()
{
    QSizePolicy policy = sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    setSizePolicy(policy);
}

bool WrappedLabel::ignoresWidth() const
{
    return sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
}

QSize WrappedLabel::sizeHint() const
{
    return ignoresWidth() ? minimumSizeHint() : QLabel::sizeHint();
}

QSize WrappedLabel::minimumSizeHint() const
{
    return ignoresWidth() ? QSize(0, fontMetrics().height()) : QLabel::minimumSizeHint();
}

int WrappedLabel::heightForWidth(int width) const
{
    if (m_measured != text()) {
        m_measured = text();
        m_heights.clear();
    }
    const auto [known, isNew] = m_heights.try_emplace(width);
    if (isNew)
        known->second = measuredHeight(width);
    return known->second;
}

int WrappedLabel::measuredHeight(int width) const
{
    const QTextDocument *document = laidOutDocument();
    if (!document || width != this->width())
        return QLabel::heightForWidth(width);
    const QMargins around = contentsMargins();
    const int height = static_cast<int>(std::ceil(document->size().height())) + 2 * margin() +
                       around.top() + around.bottom();
    return std::max(height, minimumHeight());
}

// QLabel puts text, wrapping, margin and width into its document one after the other, and each of
// them would lay it out.
const QTextDocument *WrappedLabel::laidOutDocument() const
{
    auto *document = findChild<QTextDocument *>();
    if (document) {
        document->setLayoutEnabled(false);
        static_cast<void>(QLabel::heightForWidth(width()));
        document->setLayoutEnabled(true);
    }
    return document;
}

void WrappedLabel::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    laidOutDocument();
}

// Only a font or a style changes how high the same text is.
void WrappedLabel::changeEvent(QEvent *event)
{
    m_heights.clear();
    QLabel::changeEvent(event);
}

// QLabel takes the focus and chooses no link, so that Enter would open none and nothing would show.
void WrappedLabel::focusInEvent(QFocusEvent *event)
{
    QLabel::focusInEvent(event);
    const bool isByKey =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (isByKey && textInteractionFlags().testFlag(Qt::LinksAccessibleByKeyboard))
        focusNextPrevChild(event->reason() == Qt::TabFocusReason);
}

} // namespace vramscope
