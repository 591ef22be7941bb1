// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/head.h"

#include "ui/page/folded_label.h"
#include "ui/page/labels.h"

#include <QBoxLayout>
#include <QLabel>

namespace vramscope {

PageHead::PageHead(const Head &head, QWidget *beside, int spacing)
    : m_answer(headlineLabel(head.answer))
    , m_texts(column({m_answer}, spacing))
{
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    m_answer->setMinimumWidth(1); // a long word must not push the ends of all lines out of sight
    for (const HeadNote &note : head.notes)
        m_texts->addWidget(new FoldedLabel(note.text, note.tone));
    setLayout(row({{m_texts, 1}, {beside, 0, Qt::AlignTop}}, kStyleSpacing, {18, 10, 18, 10}));
}

void PageHead::setAnswer(const QString &answer)
{
    m_answer->setText(answer);
}

QString PageHead::answer() const
{
    return m_answer->text();
}

void PageHead::add(const LaidOut &part)
{
    if (part.layout)
        m_texts->addLayout(part.layout, part.stretch);
    else
        m_texts->addWidget(part.widget, part.stretch, part.alignment);
}

} // namespace vramscope
