// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session_keeper.h"

#include "core/base/output_file.h"
#include "core/session/session_json.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFileInfo>

#include <chrono>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

SessionKeeper::SessionKeeper(const QString &recording, BookmarkModel *bookmarks, QObject *parent)
    : QObject(parent)
    , m_file(sessionPath(nativePath(recording)))
    , m_recording(shownPath(QFileInfo(recording).fileName()).toStdString())
    , m_recordingBytes(factsOf(recording).size)
    , m_bookmarks(bookmarks)
{
    m_name = toQString(m_file.filename().string());
    m_rest.setSingleShot(true);
    m_rest.setInterval(500ms);
    m_settled.setSingleShot(true);
    m_settled.setInterval(250ms);
    connect(&m_rest, &QTimer::timeout, this, &SessionKeeper::flush);
    connect(&m_settled, &QTimer::timeout, this, &SessionKeeper::load);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settled, qOverload<>(&QTimer::start));
    connect(m_bookmarks, &BookmarkModel::edited, this, [this] {
        m_unwritten = true;
        m_rest.start();
    });
}

SessionKeeper::~SessionKeeper()
{
    flush();
}

void SessionKeeper::load()
{
    if (update() && m_unwritten)
        m_rest.start();
}

void SessionKeeper::setOrder(const RunningOrder &order)
{
    if (order == m_order)
        return;
    m_order = order;
    m_unwritten = true;
    m_rest.start();
}

void SessionKeeper::takeNevertheless()
{
    m_anyRecording = true;
    load();
}

bool SessionKeeper::flush()
{
    m_rest.stop();
    if (!m_unwritten)
        return true;
    if (!update())
        return false;
    if (!m_unwritten)
        return true; // somebody else wrote the same
    if (const auto written = write(); !written) {
        tell(u"%1: %2 Bookmarks stay until this tab is closed."_s.arg(
            m_name, toQString(written.error().detail)));
        return false;
    }
    m_unwritten = false;
    m_told.clear();
    return true;
}

Result<std::optional<SessionKeeper::Document>> SessionKeeper::document() const
{
    auto text = readSessionText(m_file);
    if (!text && text.error().code == ErrorCode::NotFound)
        return std::optional<Document>();
    if (!text)
        return text.error();
    auto session = parseSession(*text);
    if (!session)
        return session.error();
    return std::optional(Document{std::move(*text), std::move(*session)});
}

bool SessionKeeper::update()
{
    const auto there = document();
    if (!there) {
        tell(u"%1: %2 It stays as it is, and bookmarks stay until this tab is closed."_s.arg(
            m_name, toQString(there.error().text())));
        return false;
    }
    const std::optional<Document> &document = *there;
    watch();
    if (!document) {
        m_text.clear();
        m_known.bookmarks.clear(); // a deleted file removes no bookmark
        m_known.order = {};
        return true;
    }
    if (document->text == m_text)
        return true;
    if (document->session.recordingBytes != m_recordingBytes && !m_anyRecording) {
        tell(u"%1 belongs to a recording of %2 bytes, this one has %3. It stays as it is, and "
             "bookmarks stay until this tab is closed."_s.arg(
                 m_name, countText(document->session.recordingBytes), countText(m_recordingBytes)),
             true);
        return false;
    }
    take(*document);
    return true;
}

void SessionKeeper::take(const Document &document)
{
    std::vector<Bookmark> all =
        merged(m_known.bookmarks, m_bookmarks->bookmarks(), document.session.bookmarks);
    if (m_order == m_known.order) // an edit made here wins over others
        m_order = document.session.order;
    m_known = document.session;
    m_text = document.text;
    m_unwritten = all != m_known.bookmarks || m_order != m_known.order;
    if (all != m_bookmarks->bookmarks())
        m_bookmarks->setBookmarks(std::move(all));
}

Result<void> SessionKeeper::write()
{
    Session session = m_known;
    session.recording = m_recording;
    session.recordingBytes = m_recordingBytes;
    session.bookmarks = m_bookmarks->bookmarks();
    session.order = m_order;
    if (session.bookmarks.size() > kMostBookmarks)
        return Error{ErrorCode::Invalid, "More bookmarks than a session holds came together; "
                                         "delete some."};
    std::string text = session.isEmpty() ? std::string() : sessionJson(session);
    if (text.empty()) {
        std::error_code failed;
        std::filesystem::remove(m_file, failed);
        if (failed)
            return Error{ErrorCode::WriteFailed,
                         "The file could not be removed: " + failed.message() + '.'};
    } else if (text != m_text) {
        if (auto written = writeOutput(m_file, text); !written)
            return written;
    }
    m_known = std::move(session);
    m_text = std::move(text);
    watch();
    return {};
}

// Shows a notice once, until the next different one: an edit that cannot be written follows
// another.
void SessionKeeper::tell(const QString &text, bool offer)
{
    if (text != m_told)
        Q_EMIT noticed(text, offer);
    m_told = text;
}

// A file that is replaced is no longer watched.
void SessionKeeper::watch()
{
    const QString file = QFileInfo(m_file).filePath();
    if (!m_watcher.files().contains(file) && QFileInfo::exists(file))
        m_watcher.addPath(file);
}

} // namespace vramscope
