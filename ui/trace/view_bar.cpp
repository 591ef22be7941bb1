// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/view_bar.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct ViewText
{
    QString name;
    const char *title;
};

const std::array<ViewText, kTraceViewCount> &texts()
{
    static const std::array<ViewText, kTraceViewCount> table = {{
        {u"active-memory"_s, QT_TRANSLATE_NOOP("TraceView", "Active memory")},
        {u"reserved"_s, QT_TRANSLATE_NOOP("TraceView", "Reserved")},
        {u"state"_s, QT_TRANSLATE_NOOP("TraceView", "Allocator state")},
        {u"bands"_s, QT_TRANSLATE_NOOP("TraceView", "Bands")},
        {u"lanes"_s, QT_TRANSLATE_NOOP("TraceView", "Pools")},
        {u"events"_s, QT_TRANSLATE_NOOP("TraceView", "Events")},
        {u"stacks"_s, QT_TRANSLATE_NOOP("TraceView", "Stacks")},
    }};
    return table;
}

} // namespace

QString traceViewName(TraceView view)
{
    return texts()[static_cast<std::size_t>(view)].name;
}

std::optional<TraceView> traceViewNamed(QStringView name)
{
    const auto found = std::ranges::find(texts(), name, &ViewText::name);
    if (found == texts().end())
        return std::nullopt;
    return static_cast<TraceView>(found - texts().begin());
}

QString traceViewTitle(TraceView view)
{
    return QCoreApplication::translate("TraceView", texts()[static_cast<std::size_t>(view)].title);
}

ViewBar::ViewBar(QWidget *parent)
    : QWidget(parent)
    , m_views(new QButtonGroup(this))
    , m_axes(new QButtonGroup(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 2);
    layout->setSpacing(4);
    for (std::size_t at = 0; at < kTraceViewCount; ++at) {
        const auto view = static_cast<TraceView>(at);
        auto *button = addButton(traceViewTitle(view), m_views, static_cast<int>(at));
        button->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + at)));
        layout->addWidget(button);
    }
    layout->addStretch(1);
    layout->addWidget(addButton(tr("Events"), m_axes, static_cast<int>(EventAxis::Kind::Event)));
    layout->addWidget(addButton(tr("Time"), m_axes, static_cast<int>(EventAxis::Kind::Time)));
    m_axes->button(static_cast<int>(EventAxis::Kind::Event))
        ->setToolTip(tr("One step of the axis is one event"));
    m_axes->button(static_cast<int>(EventAxis::Kind::Time))
        ->setToolTip(tr("The axis is time since the first event"));
    m_axes->button(static_cast<int>(EventAxis::Kind::Event))
        ->setAccessibleName(tr("x axis: events"));
    m_axes->button(static_cast<int>(EventAxis::Kind::Time))->setAccessibleName(tr("x axis: time"));
    setView(TraceView::Active);
    setAxisKind(EventAxis::Kind::Event);
    connect(m_views, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT viewChosen(static_cast<TraceView>(id)); });
    connect(m_axes, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT axisChosen(static_cast<EventAxis::Kind>(id)); });
}

QAbstractButton *ViewBar::addButton(const QString &text, QButtonGroup *group, int id)
{
    auto *button = new QPushButton(text);
    button->setCheckable(true);
    button->setProperty("role", u"tab"_s);
    group->addButton(button, id);
    return button;
}

TraceView ViewBar::view() const
{
    return static_cast<TraceView>(m_views->checkedId());
}

void ViewBar::setView(TraceView view)
{
    m_views->button(static_cast<int>(view))->setChecked(true);
}

void ViewBar::setUnavailable(TraceView view, const QString &reason)
{
    QAbstractButton *button = m_views->button(static_cast<int>(view));
    button->setEnabled(reason.isEmpty());
    button->setToolTip(reason);
}

void ViewBar::setAxisKind(EventAxis::Kind kind)
{
    m_axes->button(static_cast<int>(kind))->setChecked(true);
}

void ViewBar::setHasTimes(bool times)
{
    QAbstractButton *time = m_axes->button(static_cast<int>(EventAxis::Kind::Time));
    time->setEnabled(times);
    time->setToolTip(times ? tr("The axis is time since the first event")
                           : tr("The recording has no timestamps"));
}

} // namespace vramscope
