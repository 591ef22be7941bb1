// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/head.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

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

FoldedLabel::FoldedLabel(const QString &lines, const QString &role)
    : m_label(textLabel({}, role))
{
    m_label->setMinimumWidth(1); // a long word must not push the end of the line out of sight
    setLayout(row({{m_label, 1}}, 8));
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
    m_label->setText(m_unfolded ? m_lines : m_lines.left(end));
    if (end >= 0 && !m_more) {
        m_more = linkButton({});
        layout()->addWidget(m_more);
        layout()->setAlignment(m_more, Qt::AlignTop);
        connect(m_more, &QPushButton::clicked, this, [this] {
            m_unfolded = !m_unfolded;
            refresh();
        });
    }
    if (!m_more)
        return;
    m_more->setText(m_unfolded ? u"Less ▾"_s : u"More ▸"_s);
    m_more->setVisible(end >= 0);
}

} // namespace vramscope
