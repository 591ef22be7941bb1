// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>

class QMimeData;

namespace vramscope {

class DocumentTab;
class DocumentTabs;

/// The data a dragged tab carries to another window: its plan as text, and its file if unmodified;
/// null if there is neither.
[[nodiscard]] std::unique_ptr<QMimeData> tabContent(const DocumentTab &tab);

/// Lets a tab be dragged out of the row of tabs, into another window: it opens there too.
class TabDrag : public QObject
{
    Q_OBJECT

public:
    explicit TabDrag(DocumentTabs *tabs);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    DocumentTabs *m_tabs;
};

} // namespace vramscope
