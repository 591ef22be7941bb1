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

/// Keeps copies of the unsaved plans of a window, a moment after each edit, in a folder that only
/// this program has locked. Plans of programs that ended without ended() come back as modified
/// tabs, and their copies stay until the plan is edited, saved or closed. A plan that is saved or
/// closed has no copy. Copies that cannot be read are reported once.
class Recovery : public QObject
{
    Q_OBJECT

public:
    /// `folder`: where all programs of the user keep their copies; created with the first copy.
    Recovery(const QString &folder, DocumentTabs *tabs, QObject *parent = nullptr);
    /// Leaves the copies: only ended() removes them for good.
    ~Recovery() override;

    /// Opens plans that other programs left behind.
    void restore();
    /// Updates the copies to the current plans.
    void write();
    /// The user has decided about every plan: removes all copies, and makes no more.
    void ended();
    /// Removes copies reported by unreadable().
    static void discard(const QStringList &files);

Q_SIGNALS:
    /// Copies that could not be read, at their new paths; they are not reported again.
    void unreadable(const QStringList &files);

private:
    struct Copy
    {
        QString stem; ///< of the copy's files: folder and number
        Plan plan;
        QString path;   ///< of its file, saved next to the copy
        FileState file; ///< the file as the tab knows it
    };

    bool claimFolder();
    void restoreFrom(const QString &folder, QStringList &unreadable);
    void writeCopy(const DocumentTab *tab);

    QString m_root;
    DocumentTabs *m_tabs;
    QString m_folder; ///< of this program; empty until the first copy
    /// By folder: its own, and those whose copies came back.
    std::map<QString, std::unique_ptr<QLockFile>> m_locks;
    QHash<const DocumentTab *, Copy> m_copies;
    int m_lastNumber = 0;
    bool m_ended = false;
    QTimer m_rest; ///< runs while edits follow each other
};

} // namespace vramscope
