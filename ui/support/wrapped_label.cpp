// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/wrapped_label.h"

#include <QEvent>

namespace vramscope {

WrappedLabel::WrappedLabel(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setWordWrap(true);
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
        known->second = QLabel::heightForWidth(width);
    return known->second;
}

// Only a font or a style changes how high the same text is.
void WrappedLabel::changeEvent(QEvent *event)
{
    m_heights.clear();
    QLabel::changeEvent(event);
}

} // namespace vramscope
