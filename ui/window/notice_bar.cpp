// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/notice_bar.h"

#include "ui/page/layout.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

NoticeBar::NoticeBar(QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_action(new QPushButton(this))
{
    setProperty("role", u"notice"_s);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true); // a long one must not widen the window
    auto *dismiss = new QPushButton(u"Dismiss"_s, this);
    setLayout(vramscope::row({{m_text, 1}, m_action, dismiss}, kStyleSpacing, {24, 6, 16, 6}));
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        if (m_run)
            m_run();
    });
    connect(dismiss, &QPushButton::clicked, this, &QWidget::hide);
    hide();
}

void NoticeBar::showNotice(const QString &text, const QString &action, std::function<void()> run)
{
    m_text->setText(text);
    m_action->setText(action);
    m_run = std::move(run);
    m_action->setVisible(!action.isEmpty());
    show();
}

QString NoticeBar::text() const
{
    return m_text->text();
}

} // namespace vramscope
