// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/text_panel.h"

#include "ui/support/wrapped_label.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

TextPanel::TextPanel(const QString &title, const QString &name, QWidget *parent)
    : SidePanel(title, title, parent)
    , m_content(new WrappedLabel)
    , m_plan(new QPushButton(u"Make a plan from this recording"_s))
{
    m_content->setObjectName(name);
    m_content->setTextFormat(Qt::RichText);
    m_content->setMinimumWidth(1); // a long word must not push the ends of all lines out of sight
    m_content->setAlignment(Qt::AlignTop);
    m_content->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    connect(m_plan, &QPushButton::clicked, this, &TextPanel::planWanted);
    setParts({{m_plan, 0, Qt::AlignLeft}, {m_content, 1}});
}

void TextPanel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    refresh();
}

void TextPanel::setStudy(const Study *study)
{
    m_study = study;
    refresh();
}

void TextPanel::refresh()
{
    copyButton()->setVisible(m_study);
    m_plan->setVisible(m_study);
    m_content->setText(m_study ? html() : u"<p>Being worked out …</p>"_s);
    // At once, not after some turns of the event loop: pictures are taken without one.
    widget()->layout()->activate();
}

void TextPanel::changeEvent(QEvent *event)
{
    SidePanel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) // the text contains its colours
        refresh();
}

} // namespace vramscope
