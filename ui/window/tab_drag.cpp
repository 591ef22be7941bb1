// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tab_drag.h"

#include "core/plan/plan_json.h"
#include "ui/offscreen/examples.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/window/document_tab.h"
#include "ui/window/document_tabs.h"

#include <QApplication>
#include <QDrag>
#include <QFileInfo>
#include <QMimeData>
#include <QMouseEvent>
#include <QTabBar>
#include <QUrl>

namespace vramscope {

namespace {

/// How far from the row of tabs a drag leaves it; along the row it moves the tab.
constexpr int kLeaves = 24;

} // namespace

std::unique_ptr<QMimeData> tabContent(const DocumentTab &tab)
{
    const Plan *plan = tab.page() ? tab.page()->plan() : nullptr;
    const bool file = !tab.isModified() && !isExample(tab.path()) && factsOf(tab.path()).exists;
    if (!plan && !file)
        return nullptr;
    auto content = std::make_unique<QMimeData>();
    if (plan)
        content->setText(toQString(planJson(*plan)));
    if (file)
        content->setUrls({fileUrl(tab.path())});
    return content;
}

TabDrag::TabDrag(DocumentTabs *tabs)
    : QObject(tabs)
    , m_tabs(tabs)
{
    tabs->tabBar()->installEventFilter(this);
}

bool TabDrag::eventFilter(QObject *, QEvent *event)
{
    if (event->type() != QEvent::MouseMove)
        return false;
    const auto *move = static_cast<QMouseEvent *>(event);
    QTabBar *bar = m_tabs->tabBar();
    const bool outside = !bar->rect().adjusted(0, -kLeaves, 0, kLeaves).contains(move->pos());
    if (!move->buttons().testFlag(Qt::LeftButton) || !outside || !m_tabs->current())
        return false;
    auto content = tabContent(*m_tabs->current());
    if (!content)
        return false;
    // The row puts its tab back.
    QMouseEvent release(QEvent::MouseButtonRelease, move->position(), move->globalPosition(),
                        Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(bar, &release);
    auto *drag = new QDrag(m_tabs);
    drag->setMimeData(content.release());
    drag->exec(Qt::CopyAction);
    return true;
}

} // namespace vramscope
