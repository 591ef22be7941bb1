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
const QString kOpened = u".opened.vramplan"_s;
const QString kPlan = u".vramplan"_s;

std::filesystem::path fileOf(const QString &folder, const QString &name)
{
    return QFileInfo(folder + u'/' + name).filesystemFilePath();
}

QString pathIn(const QString &folder, const QString &number)
{
    QFile file(folder + u'/' + number + kPath);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
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
    for (const QString &name : QDir(m_root).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString folder = m_root + u'/' + name;
        if (folder == m_folder)
            continue;
        if (const auto lock = lockOf(folder))
            restoreFrom(folder);
        QDir().rmdir(folder); // where nothing is left in it
    }
}

void Recovery::restoreFrom(const QString &folder)
{
    QStringList restored;
    for (const QString &file : QDir(folder).entryList({u"*"_s + kPlan}, QDir::Files, QDir::Name)) {
        if (file.endsWith(kOpened))
            continue;
        const QString number = file.chopped(kPlan.size());
        const auto plan = readPlan(fileOf(folder, file));
        const auto opened = readPlan(fileOf(folder, number + kOpened));
        if (!plan)
            continue; // it stays where a person may find it
        m_tabs->recoverPlan(pathIn(folder, number), opened ? *opened : Plan(), *plan);
        restored += number;
    }
    write(); // before the old copies go
    for (const QString &number : restored) {
        for (const QString &ending : {kPlan, kOpened, kPath})
            QFile::remove(folder + u'/' + number + ending);
    }
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
    const bool same = known != m_copies.constEnd() && known->path == tab->path();
    if ((same && known->plan == plan) || !claimFolder())
        return;
    const int number = known != m_copies.constEnd() ? known->number : ++m_lastNumber;
    const QString name = QString::number(number);
    const bool begun = same || // what does not change is there
                       (writePlan(*tab->page()->openedPlan(), fileOf(m_folder, name + kOpened)) &&
                        writeTextFile(fileOf(m_folder, name + kPath), tab->path().toStdString()));
    if (begun && writePlan(plan, fileOf(m_folder, name + kPlan)))
        m_copies.insert(tab, {number, plan, tab->path()});
}

void Recovery::removeCopy(int number)
{
    for (const QString &ending : {kPlan, kOpened, kPath})
        QFile::remove(m_folder + u'/' + QString::number(number) + ending);
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
