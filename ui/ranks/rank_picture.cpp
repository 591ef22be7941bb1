// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_picture.h"

#include "core/describe/rank_answer.h"
#include "ui/support/text.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>

namespace vramscope {

using namespace Qt::StringLiterals;

RankPicture::RankPicture(RunStudyPointer study, const QString &name, const QString &keys,
                         QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_study(std::move(study))
    , m_current(m_study->mostTelling())
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    setAccessibleDescription(keys);
}

void RankPicture::setCurrent(std::size_t rank)
{
    if (rank == m_current)
        return;
    m_current = rank;
    showCurrent();
    viewport()->update();
    Q_EMIT currentChanged(rank);
}

bool RankPicture::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
    return true;
}

void RankPicture::mousePressEvent(QMouseEvent *event)
{
    if (const auto rank = rankAt(event->position().toPoint()))
        setCurrent(*rank);
}

void RankPicture::mouseDoubleClickEvent(QMouseEvent *event)
{
    const auto rank = rankAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && rank)
        Q_EMIT openWanted(*rank);
}

void RankPicture::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const auto rank = byKey ? std::optional(m_current) : rankAt(event->pos());
    if (!rank)
        return;
    QMenu menu;
    const QAction *open = menu.addAction(u"Open rank %1"_s.arg(m_study->number(*rank)));
    const QString why = toQString(whyNotCompared(*m_study, *rank));
    QAction *compare = menu.addAction(
        why.isEmpty() ? u"Compare with the typical rank of its group"_s : why.chopped(1));
    compare->setEnabled(why.isEmpty());
    const QAction *chosen =
        menu.exec(byKey ? viewport()->mapToGlobal(menuPlace()) : event->globalPos());
    if (chosen == open)
        Q_EMIT openWanted(*rank);
    else if (chosen == compare)
        Q_EMIT comparisonWanted(*rank);
}

void RankPicture::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter)
        return Q_EMIT openWanted(m_current);
    if (key == Qt::Key_C && event->modifiers() == Qt::NoModifier &&
        whyNotCompared(*m_study, m_current).empty())
        return Q_EMIT comparisonWanted(m_current);
    QAbstractScrollArea::keyPressEvent(event);
}

} // namespace vramscope
