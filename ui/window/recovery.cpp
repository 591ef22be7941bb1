// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recovery.h"

#include "core/base/text_file.h"
#include "core/planner/plan_json.h"
#include "ui/window/document_tab.h"
#include "ui/window/document_tabs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QUuid>

#include <chrono>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QString kLock = u"lock"_s;
// Of one plan: the file it is of, as it was opened, and, written last, as it is.
const QString kPath = u".path"_s;
const QString kFile = u".file"_s; ///< what that file was like: when it was written, and its size
const QString kOpened = u".opened.vramplan"_s;
const QString kPlan = u".vramplan"_s;
const QString kUnreadable = u".unreadable"_s; ///< in the place of kPlan

std::filesystem::path fileOf(const QString &folder, const QString &name)
{
    return QFileInfo(folder + u'/' + name).filesystemFilePath();
}

QString textIn(const QString &folder, const QString &name)
{
    QFile file(folder + u'/' + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// All that is kept of one plan.
void removeFiles(const QString &folder, const QString &number)
{
    for (const QString &ending : {kPlan, kUnreadable, kOpened, kPath, kFile})
        QFile::remove(folder + u'/' + number + ending);
}

std::unique_ptr<QLockFile> lockOf(const QString &folder)
{
    auto lock = std::make_unique<QLockFile>(folder + u'/' + kLock);
    lock->setStaleLockTime(0); // held as long as its program lives
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
        if (const auto lock = lockOf(folder))
            restoreFrom(folder, broken);
        QDir().rmdir(folder); // where nothing is left in it
    }
    if (!broken.isEmpty())
        Q_EMIT unreadable(broken);
}

void Recovery::discard(const QStringList &files)
{
    for (const QString &file : files) {
        const QFileInfo info(file);
        removeFiles(info.path(), info.completeBaseName());
        QDir().rmdir(info.path());
    }
}

void Recovery::restoreFrom(const QString &folder, QStringList &unreadable)
{
    QStringList restored;
    for (const QString &file : QDir(folder).entryList({u"*"_s + kPlan}, QDir::Files, QDir::Name)) {
        if (file.endsWith(kOpened))
            continue;
        const QString number = file.chopped(kPlan.size());
        const auto plan = readPlan(fileOf(folder, file));
        const auto opened = readPlan(fileOf(folder, number + kOpened));
        if (!plan) { // under another name it stays, and is told once
            const QString kept = folder + u'/' + number + kUnreadable;
            QFile::remove(kept);
            if (QFile::rename(folder + u'/' + file, kept))
                unreadable += kept;
            continue;
        }
        m_tabs->recoverPlan(textIn(folder, number + kPath),
                            FileState::from(textIn(folder, number + kFile)),
                            opened ? *opened : Plan(), *plan);
        restored += number;
    }
    write(); // before the old copies go
    for (const QString &number : restored)
        removeFiles(folder, number);
}

bool Recovery::claimFolder()
{
    if (m_lock)
        return true;
    m_folder = m_root + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
    if (QDir().mkpath(m_folder))
        m_lock = lockOf(m_folder);
    return m_lock != nullptr;
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
        removeCopy(copy->number);
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
    if ((same && known->plan == plan) || !claimFolder())
        return;
    const int number = known != m_copies.constEnd() ? known->number : ++m_lastNumber;
    const QString name = QString::number(number);
    const bool begun =
        same || // what does not change is there
        (writePlan(*tab->page()->openedPlan(), fileOf(m_folder, name + kOpened)) &&
         writeTextFile(fileOf(m_folder, name + kPath), tab->path().toStdString()) &&
         writeTextFile(fileOf(m_folder, name + kFile), tab->file().text().toStdString()));
    if (begun && writePlan(plan, fileOf(m_folder, name + kPlan)))
        m_copies.insert(tab, {number, plan, tab->path(), tab->file()});
}

void Recovery::removeCopy(int number)
{
    removeFiles(m_folder, QString::number(number));
}

void Recovery::ended()
{
    m_ended = true;
    m_rest.stop();
    for (const Copy &copy : std::as_const(m_copies))
        removeCopy(copy.number);
    m_copies.clear();
    m_lock.reset();
    if (!m_folder.isEmpty())
        QDir().rmdir(m_folder);
}

} // namespace vramscope
