// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/window/file_state.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <memory>

class QLockFile;

namespace vramscope {

class DocumentTab;
class DocumentTabs;

/// Keeps copies of the unsaved plans of a window, a moment after each edit, in a folder that this
/// program alone holds the lock of. What programs left that ended without ended() comes back as
/// modified tabs, and their copies stay as they are until the plan is edited, saved or closed. A
/// plan that is saved or closed has no copy. Copies that cannot be read are told once.
class Recovery : public QObject
{
    Q_OBJECT

public:
    /// `folder`: where all programs of the user keep theirs; made when there is something to keep.
    Recovery(const QString &folder, DocumentTabs *tabs, QObject *parent = nullptr);
    /// Leaves the copies: only ended() says that nothing is to come back.
    ~Recovery() override;

    /// Opens what other programs left behind.
    void restore();
    /// Brings the copies up to the plans now.
    void write();
    /// The user has decided about every plan: no copy stays, and none is made any more.
    void ended();
    /// Removes copies that unreadable() told of.
    static void discard(const QStringList &files);

Q_SIGNALS:
    /// Copies that could not be read, where they lie now; they are not told again.
    void unreadable(const QStringList &files);

private:
    struct Copy
    {
        QString stem; ///< of its files: folder and number
        Plan plan;
        QString path;   ///< of its file, written beside it
        FileState file; ///< the file as the tab knows it
    };

    bool claimFolder();
    void restoreFrom(const QString &folder, QStringList &unreadable);
    void writeCopy(const DocumentTab *tab);

    QString m_root;
    DocumentTabs *m_tabs;
    QString m_folder; ///< of this program; empty until something is kept
    /// By folder: its own, and those whose copies came back.
    std::map<QString, std::unique_ptr<QLockFile>> m_locks;
    QHash<const DocumentTab *, Copy> m_copies;
    int m_lastNumber = 0;
    bool m_ended = false;
    QTimer m_rest; ///< runs while edits follow each other
};

} // namespace vramscope
