// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <optional>
#include <string>

namespace vramscope {

class BookmarkModel;

/// Keeps the bookmarks of an open recording, and the running order of its presentation, in the
/// session document beside it, which is there as long as there are any. Reads it at the start and
/// when it changes, writes it a moment after an edit; what somebody else changed meanwhile is
/// brought together with the edits, see merged(). A document that cannot be read or belongs to
/// another recording stays as it is: the bookmarks then stay in memory, and a notice says so.
class SessionKeeper : public QObject
{
    Q_OBJECT

public:
    /// `recording`: its file; `bookmarks` lives longer than this.
    SessionKeeper(const QString &recording, BookmarkModel *bookmarks, QObject *parent = nullptr);
    /// Writes what is not written yet.
    ~SessionKeeper() override;

    void load();
    /// The running order, as it was read or set last.
    [[nodiscard]] const RunningOrder &order() const { return m_order; }
    /// An edit: it is written a moment later.
    void setOrder(const RunningOrder &order);
    /// Takes the document although it was made for another recording.
    void takeNevertheless();
    /// Writes what is not written yet; gives whether everything is.
    bool flush();

Q_SIGNALS:
    /// One sentence for the user. `offer`: takeNevertheless() is one way to go on.
    void noticed(const QString &text, bool offer);

private:
    struct Document
    {
        std::string text;
        Session session;
    };

    /// What lies beside the recording; nothing where there is no file.
    [[nodiscard]] Result<std::optional<Document>> document() const;
    /// Brings the bookmarks up to what lies there; gives false, and tells why, where they stay
    /// apart.
    bool update();
    void take(const Document &document);
    /// Puts the bookmarks there; an error where they cannot be.
    [[nodiscard]] Result<void> write();
    void tell(const QString &text, bool offer = false);
    void watch();

    QString m_name; ///< of the document
    std::filesystem::path m_file;
    std::string m_recording;
    std::int64_t m_recordingBytes;
    BookmarkModel *m_bookmarks;
    RunningOrder m_order;
    Session m_known;    ///< as it lay there last
    std::string m_text; ///< its document; empty: no file
    bool m_anyRecording = false;
    bool m_unwritten = false;
    QString m_told; ///< the last notice, until things are well again
    QTimer m_rest;  ///< runs while edits follow each other
    QTimer m_settled;
    QFileSystemWatcher m_watcher;
};

} // namespace vramscope
