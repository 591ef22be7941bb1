// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/view_bar.h"

#include "ui/page/labels.h"
#include "ui/trace/filter_field.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTabBar>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastFilter = 120; // pixels
constexpr int kMostFilter = 420;

} // namespace

ViewBar::ViewBar(QWidget *parent)
    : QWidget(parent)
    , m_rows(new QBoxLayout(QBoxLayout::LeftToRight, this))
    , m_rest(new QHBoxLayout)
    , m_views(viewTabs(u"View"_s))
    , m_filter(new FilterField)
    , m_axes(new QButtonGroup(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(4);
    for (const TraceViewRow &row : traceViews()) {
        const int index = m_views->addTab(row.title);
        const QKeyCombination keys = Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + index);
        if (keys.key() <= Qt::Key_9) // a tenth view has no digit
            connect(new QShortcut(keys, this), &QShortcut::activated, this,
                    [this, index] { choose(index); });
    }
    m_rows->addWidget(m_views);
    m_rows->addLayout(m_rest, 1);
    m_rest->setSpacing(4);
    m_rest->addStretch(0); // the room left by a filter at its maximum width
    m_filter->setMinimumWidth(kLeastFilter);
    m_rest->addWidget(m_filter, 1);
    connect(new QShortcut(QKeySequence(Qt::Key_Slash), this), &QShortcut::activated, m_filter,
            [this] { m_filter->setFocus(Qt::ShortcutFocusReason); });
    for (const auto &[kind, text] : {std::pair(EventAxis::Kind::Event, u"By event"_s),
                                     std::pair(EventAxis::Kind::Time, u"By time"_s)}) {
        QPushButton *button = tabButton(text, u"One step of the axis is one event"_s);
        m_axes->addButton(button, static_cast<int>(kind));
        m_rest->addWidget(button);
    }
    setHasTimes(true);
    setAxisKind(EventAxis::Kind::Event);
    connect(m_views, &QTabBar::currentChanged, this,
            [this](int index) { Q_EMIT viewChosen(static_cast<TraceView>(index)); });
    connect(m_axes, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT axisChosen(static_cast<EventAxis::Kind>(id)); });
}

QSize ViewBar::minimumSizeHint() const
{
    return {m_rest->minimumSize().width(), QWidget::minimumSizeHint().height()};
}

void ViewBar::resizeEvent(QResizeEvent *event)
{
    const int wanted =
        m_views->sizeHint().width() + m_rows->spacing() + m_rest->minimumSize().width();
    const bool narrow = width() < wanted;
    m_filter->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : kMostFilter);
    m_rows->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    QWidget::resizeEvent(event);
}

void ViewBar::choose(int index)
{
    if (m_views->isTabEnabled(index))
        m_views->setCurrentIndex(index);
}

TraceView ViewBar::view() const
{
    return static_cast<TraceView>(m_views->currentIndex());
}

void ViewBar::setView(TraceView view)
{
    const QSignalBlocker silent(m_views);
    m_views->setCurrentIndex(static_cast<int>(view));
}

void ViewBar::setUnavailable(TraceView view, const QString &reason)
{
    const QSignalBlocker silent(m_views); // a disabled current tab would hand over to another
    m_views->setTabEnabled(static_cast<int>(view), reason.isEmpty());
    m_views->setTabToolTip(static_cast<int>(view), reason);
}

void ViewBar::setAxisKind(EventAxis::Kind kind)
{
    m_axes->button(static_cast<int>(kind))->setChecked(true);
}

void ViewBar::setHasHistory(bool history)
{
    for (QAbstractButton *axis : m_axes->buttons())
        axis->setVisible(history);
}

void ViewBar::setHasTimes(bool times)
{
    QAbstractButton *time = m_axes->button(static_cast<int>(EventAxis::Kind::Time));
    time->setEnabled(times);
    time->setToolTip(times ? u"The axis is time since the first event"_s
                           : u"The recording has no timestamps"_s);
}

} // namespace vramscope
