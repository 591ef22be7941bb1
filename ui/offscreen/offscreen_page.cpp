// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/offscreen_page.h"

#include "ui/support/pixel_ratio.h"
#include "ui/support/work_now.h"

#include <QCoreApplication>

namespace vramscope {

OffscreenPage::OffscreenPage(const Document &document, const QString &title, const QString &path,
                             QSize size, double pixelRatio)
{
    m_holder.setAttribute(Qt::WA_DontShowOnScreen);
    setPixelRatio(m_holder, pixelRatio);
    m_page = document.makePage(title, path, &m_holder);
    // A picture has the requested size, even if a window could not be that small.
    m_page->setMinimumSize(1, 1);
    m_holder.resize(size);
    m_page->setGeometry(QRect(QPoint(), size));
}

void OffscreenPage::finish()
{
    m_page->workNow();
    m_holder.show();
    // Before a timer can report that the work takes long, which would move what is around it.
    workNow(*m_page);
    // The results may have more lines than the text they replace, and a scroll bar that they need
    // wraps others again. No keys and no clicks: they could close what is being exported.
    constexpr int kTurns = 3;
    for (int turn = 0; turn < kTurns; ++turn) {
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        workNow(*m_page);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    }
}

void OffscreenPage::paint(QPainter &painter) const
{
    m_page->paint(painter);
}

} // namespace vramscope
