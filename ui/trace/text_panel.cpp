// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/text_panel.h"

#include "ui/page/layout.h"
#include "ui/support/wrapped_label.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

TextPanel::TextPanel(const QString &title, const QString &name, QWidget *parent)
    : QScrollArea(parent)
    , m_content(new WrappedLabel)
    , m_copy(new QPushButton(u"Copy"_s))
    , m_plan(new QPushButton(u"Make a plan from this recording"_s))
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(title);
    m_content->setObjectName(name);
    m_content->setTextFormat(Qt::RichText);
    m_content->setMinimumWidth(1); // a long word must not push the ends of all lines out of sight
    m_content->setAlignment(Qt::AlignTop);
    m_content->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    m_copy->setToolTip(u"Copy everything here as text"_s);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(m_plan, &QPushButton::clicked, this, &TextPanel::planWanted);

    auto *heading = new QLabel(title.toUpper());
    heading->setProperty("role", u"section"_s);
    auto *content = new QWidget;
    content->setProperty("role", u"side"_s);
    content->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(6);
    QHBoxLayout *head = row({{heading, 1}, m_copy}, kStyleSpacing);
    layout->addLayout(head);
    layout->addWidget(m_plan, 0, Qt::AlignLeft);
    layout->addWidget(m_content, 1);
    setWidget(content);
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
    m_copy->setVisible(m_study);
    m_plan->setVisible(m_study);
    m_content->setText(m_study ? html() : u"<p>Being worked out …</p>"_s);
    // At once, not after some turns of the event loop: pictures are taken without one.
    widget()->layout()->activate();
}

void TextPanel::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) // whose colours are in the text
        refresh();
}

} // namespace vramscope
