// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recovery.h"

#include "core/base/output_file.h"
#include "core/plan/plan_json.h"
#include "ui/support/file_path.h"
#include "ui/window/document_tab.h"
#include "ui/window/document_tabs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QUuid>

#include <algorithm>
#include <chrono>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QString kLock = u"lock"_s;
// The files of one plan: the path of its file, its text when opened, and, written last, its text
// now.
const QString kPath = u".path"_s;
const QString kFile = u".file"_s; ///< state of that file: when it was written, and its size
const QString kOpened = u".opened.vramplan"_s;
const QString kPlan = u".vramplan"_s;
const QString kUnreadable = u".unreadable"_s; ///< in place of kPlan

QString textIn(const QString &name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? pathText(file.readAll().toStdString()) : QString();
}

/// Removes all copies of one plan.
void removeFiles(const QString &stem)
{
    for (const QString &ending : {kPlan, kUnreadable, kOpened, kPath, kFile})
        QFile::remove(stem + ending);
}

std::unique_ptr<QLockFile> lockOf(const QString &folder)
{
    auto lock = std::make_unique<QLockFile>(folder + u'/' + kLock);
    lock->setStaleLockTime(0); // locked as long as its program lives
    return lock->tryLock() ? std::move(lock) : nullptr;
}

} // namespace

Recovery::Recovery(const QString &folder, DocumentTabs *tabs, QObject *parent)
    : QObject(parent)
    , m_root(folder)
    , m_tabs(tabs)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(400ms);
    connect(&m_rest, &QTimer::timeout, this, &Recovery::write);
    connect(tabs, &DocumentTabs::currentDocumentChanged, &m_rest, qOverload<>(&QTimer::start));
}

Recovery::~Recovery() = default;

void Recovery::restore()
{
    QStringList broken;
    for (const QString &name : QDir(m_root).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString folder = m_root + u'/' + name;
        if (folder == m_folder)
            continue;
        if (auto lock = lockOf(folder)) {
            m_locks.emplace(folder, std::move(lock));
            restoreFrom(folder, broken);
        }
        const bool used = std::ranges::any_of(
            m_copies, [&](const Copy &copy) { return copy.stem.startsWith(folder + u'/'); });
        if (!used)
            m_locks.erase(folder);
        QDir().rmdir(folder); // if it is empty
    }
    if (!broken.isEmpty())
        Q_EMIT unreadable(broken);
}

void Recovery::discard(const QStringList &files)
{
    for (const QString &file : files) {
        const QFileInfo info(file);
        removeFiles(info.path() + u'/' + info.completeBaseName());
        QDir().rmdir(info.path());
    }
}

void Recovery::restoreFrom(const QString &folder, QStringList &unreadable)
{
    for (const QString &file : QDir(folder).entryList({u"*"_s + kPlan}, QDir::Files, QDir::Name)) {
        if (file.endsWith(kOpened))
            continue;
        const QString stem = folder + u'/' + file.chopped(kPlan.size());
        const auto plan = readPlan(nativePath(stem + kPlan));
        const auto opened = readPlan(nativePath(stem + kOpened));
        if (!plan) { // the renamed copy stays, and is reported once
            QFile::remove(stem + kUnreadable);
            if (QFile::rename(stem + kPlan, stem + kUnreadable))
                unreadable += stem + kUnreadable;
            continue;
        }
        const QString path = textIn(stem + kPath);
        const FileState state = FileState::from(textIn(stem + kFile));
        m_tabs->recoverPlan(path, state, opened ? *opened : Plan(), *plan);
        m_copies.insert(m_tabs->current(), {stem, *plan, path, state});
    }
}

bool Recovery::claimFolder()
{
    if (!m_folder.isEmpty())
        return true;
    const QString folder = m_root + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
    auto lock = QDir().mkpath(folder) ? lockOf(folder) : nullptr;
    if (!lock)
        return false;
    m_locks.emplace(folder, std::move(lock));
    m_folder = folder;
    return true;
}

void Recovery::write()
{
    m_rest.stop();
    if (m_ended)
        return;
    const QList<DocumentTab *> tabs = m_tabs->documents();
    for (auto copy = m_copies.begin(); copy != m_copies.end();) {
        const bool open = tabs.contains(copy.key());
        if (open && copy.key()->isModified()) {
            ++copy;
            continue;
        }
        removeFiles(copy->stem);
        copy = m_copies.erase(copy);
    }
    for (const DocumentTab *tab : tabs) {
        if (tab->isModified() && tab->page()->plan())
            writeCopy(tab);
    }
}

void Recovery::writeCopy(const DocumentTab *tab)
{
    const Plan &plan = *tab->page()->plan();
    const auto known = m_copies.constFind(tab);
    const bool same =
        known != m_copies.constEnd() && known->path == tab->path() && known->file == tab->file();
    const bool isKnown = known != m_copies.constEnd();
    if ((same && known->plan == plan) || (!isKnown && !claimFolder()))
        return;
    const QString stem = isKnown ? known->stem : m_folder + u'/' + QString::number(++m_lastNumber);
    const bool begun =
        same || // the unchanging files exist
        (writePlan(tab->page()->planEditing()->openedPlan(), nativePath(stem + kOpened)) &&
         writeOutput(nativePath(stem + kPath), nativePath(tab->path()).string()) &&
         writeOutput(nativePath(stem + kFile), tab->file().text().toStdString()));
    if (begun && writePlan(plan, nativePath(stem + kPlan)))
        m_copies.insert(tab, {stem, plan, tab->path(), tab->file()});
}

void Recovery::ended()
{
    m_ended = true;
    m_rest.stop();
    for (const Copy &copy : std::as_const(m_copies))
        removeFiles(copy.stem);
    m_copies.clear();
    for (auto &[folder, lock] : m_locks) {
        lock.reset();
        QDir().rmdir(folder);
    }
    m_locks.clear();
}

} // namespace vramscope
