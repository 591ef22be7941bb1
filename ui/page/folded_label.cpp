// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/folded_label.h"

#include "ui/support/theme.h"

#include <QEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

FoldedLabel::FoldedLabel(const QString &lines, const QString &role)
{
    setProperty("role", role);
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(this, &QLabel::linkActivated, this, [this] {
        m_unfolded = !m_unfolded;
        refresh();
    });
    setLines(lines);
}

void FoldedLabel::setLines(const QString &lines)
{
    m_lines = lines;
    refresh();
}

void FoldedLabel::refresh()
{
    const qsizetype end = m_lines.indexOf(u'\n');
    QString html = (m_unfolded ? m_lines : m_lines.left(end)).toHtmlEscaped();
    html.replace(u'\n', u"<br>"_s);
    if (end >= 0)
        html +=
            u"&nbsp;&nbsp; <a style=\"color:%1;text-decoration:none\" href=\"more\">%2</a>"_s.arg(
                themeOf(this).accent.name(), m_unfolded ? u"Less&nbsp;▾"_s : u"More&nbsp;▸"_s);
    setText(html);
}

void FoldedLabel::changeEvent(QEvent *event)
{
    WrappedLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace vramscope
