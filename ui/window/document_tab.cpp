// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_tab.h"

#include "core/analysis/categories/kept_rules.h"
#include "core/ask/asked.h"
#include "core/plan/plan_json.h"
#include "core/print/asked_report.h"
#include "core/readers/read_trace.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/jobs/job.h"
#include "ui/offscreen/examples.h"
#include "ui/page/layout.h"
#include "ui/planner/plan_document.h"
#include "ui/profile/profile_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_page.h"
#include "ui/window/error_page.h"
#include "ui/window/loading_page.h"
#include "ui/window/notice_bar.h"
#include "ui/window/plan_settings.h"
#include "ui/window/session_keeper.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QVBoxLayout>

#include <chrono>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// The result of reading a tab's file, and how long it took; an Error if memory ran out.
struct ReadDocument
{
    ReadDocument(Error error)
        : document(std::move(error))
    {
    }
    ReadDocument(Result<DocumentPointer> read, qint64 took)
        : document(std::move(read))
        , microseconds(took)
    {
    }

    Result<DocumentPointer> document;
    qint64 microseconds = -1;
};

} // namespace

DocumentTab::DocumentTab(DocumentReader reader, ByteUnit unit, QWidget *parent)
    : QWidget(parent)
    , m_reader(std::move(reader))
    , m_unit(unit)
    , m_notice(new NoticeBar(this))
    , m_loadingPage(new LoadingPage(this))
    , m_errorPage(new ErrorPage(this))
{
    m_stack = new QStackedLayout;
    setLayout(column({m_notice, {m_stack, 1}}));
    m_stack->addWidget(m_loadingPage);
    m_stack->addWidget(m_errorPage);

    connect(m_loadingPage, &LoadingPage::cancelled, this, &DocumentTab::closeWanted);
    connect(m_errorPage, &ErrorPage::otherFileWanted, this, &DocumentTab::otherFileWanted);
    connect(m_errorPage, &ErrorPage::retryWanted, this, &DocumentTab::read);
    connect(m_errorPage, &ErrorPage::closeWanted, this, &DocumentTab::closeWanted);
    m_settled.setSingleShot(true);
    m_settled.setInterval(250ms);
    connect(&m_settled, &QTimer::timeout, this, &DocumentTab::lookAtFile);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settled, qOverload<>(&QTimer::start));
}

DocumentTab::~DocumentTab() = default;

void DocumentTab::open(const QString &path, std::optional<std::size_t> device)
{
    m_path = wholePath(path);
    m_device = device;
    read();
}

void DocumentTab::compare(std::vector<ComparedTrace> traces)
{
    m_compared = std::move(traces);
    read();
}

void DocumentTab::start(const Plan &plan, const QString &notice)
{
    m_path.clear();
    showPage(*planDocument(plan));
    if (!notice.isEmpty())
        m_notice->showNotice(notice, {});
}

void DocumentTab::startImported(const QString &name, Imported imported)
{
    m_path.clear(); // saving must not replace the other tool's file
    std::optional<std::string> title = imported.plan.name;
    if (!title && !imported.plan.model.preset)
        title = name.toStdString(); // of a model without one
    // Settings that neither the file nor the user gives are assumed.
    Asked asked = understand({}, imported.plan);
    if (asked.plan)
        imported.plan = *std::move(asked.plan);
    imported.plan.name = std::move(title);
    showPage(*planDocument(imported.plan));
    noticeImport(name, imported, toQString(askedAssumptions(asked)));
}

void DocumentTab::recover(const QString &path, const FileState &file, const Plan &opened,
                          const Plan &plan)
{
    m_path = path;
    watchFile();
    m_file = file.known() ? file : m_seen;
    showPage(*planDocument(opened));
    m_page->planEditing()->replacePlan(plan, u"recovered edits"_s);
    const bool edited = m_page->isModified();
    if (!edited) // it came as text, or its edits were undone after it was saved
        m_page->planEditing()->markUnsaved();
    QString text = u"Recovered: the program ended before this plan was saved."_s;
    if (edited)
        text += u" Undo leads back to the plan without its edits."_s;
    const QString name = shownPath(QFileInfo(path).fileName());
    const bool changed = isFileChanged();
    if (m_file.known() && !m_seen.known())
        text += u" %1 is gone from disk since; saving writes it anew."_s.arg(name);
    else if (changed)
        text += u" %1 changed on disk since: saving asks before it replaces that, and reading it "
                u"drops the recovered edits."_s.arg(name);
    m_notice->showNotice(text, changed ? u"Read the file"_s : QString(), [this] { read(); });
}

void DocumentTab::takeSettings(const QString &name, const Imported &imported)
{
    if (!m_page || !m_page->plan())
        return;
    m_page->planEditing()->replacePlan(imported.plan, u"import of %1"_s.arg(name));
    noticeImport(name, imported);
}

void DocumentTab::noticeImport(const QString &name, const Imported &imported,
                               const QString &assumed)
{
    m_notice->showNotice(importNotice(name, imported) +
                             (assumed.isEmpty() ? QString() : u" %1."_s.arg(assumed)),
                         imported.notes.empty() ? QString() : u"Show"_s,
                         [this, name, imported] { showImportNotes(this, name, imported); });
}

QString DocumentTab::title() const
{
    if (!m_path.isEmpty())
        return documentTitle(m_path);
    if (m_holds)
        return u"%1 against %2"_s.arg(m_planTitle, m_compared.front().title);
    if (m_compared.size() == 1)
        return u"Ranks of %1"_s.arg(m_compared.front().title);
    if (!m_compared.empty()) {
        const QString pair = u"%1 ↔ %2"_s.arg(m_compared[0].title, m_compared[1].title);
        return m_compared.size() == 2 ? pair : u"%1 +%2"_s.arg(pair).arg(m_compared.size() - 2);
    }
    const Plan *plan = m_page ? m_page->plan() : nullptr;
    return plan ? toQString(planTitle(*plan, resolve(*plan).settings)) : u"New plan"_s;
}

bool DocumentTab::isModified() const
{
    return m_page && m_page->isModified();
}

QString DocumentTab::statusText() const
{
    QStringList parts;
    if (m_state == State::Ready)
        parts += m_page->statusText();
    if (m_state == State::Ready && !m_page->plan() && m_readMicroseconds >= 0)
        parts += u"read in %1"_s.arg(toQString(formatMicroseconds(m_readMicroseconds)));
    parts.removeAll(QString());
    return parts.join(u"     "_s);
}

void DocumentTab::showRuns(const QString &run)
{
    m_runs = run;
    if (m_page)
        m_page->goTo(run);
}

const RunningOrder &DocumentTab::runningOrder() const
{
    return m_session ? m_session->order() : m_order;
}

void DocumentTab::setRunningOrder(const RunningOrder &order)
{
    m_order = order;
    if (m_session)
        m_session->setOrder(order);
}

void DocumentTab::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (m_page)
        m_page->setUnit(unit);
}

Result<void> DocumentTab::saveAs(const QString &path)
{
    const Plan *plan = m_page ? m_page->plan() : nullptr;
    if (!plan)
        return Error{ErrorCode::Unsupported, "This tab holds no plan to save."};
    if (auto written = writePlan(*plan, nativePath(path)); !written)
        return written;
    m_path = absolutePath(path);
    m_page->planEditing()->markSaved();
    m_readMicroseconds = -1;
    m_notice->hide();
    watchFile();
    m_file = m_seen;
    Q_EMIT changed();
    return {};
}

void DocumentTab::read()
{
    m_state = State::Loading;
    m_notice->hide();
    m_loadingPage->start(title());
    m_stack->setCurrentWidget(m_loadingPage);
    watchFile();
    m_file = m_seen;
    m_job = std::make_unique<Job>(
        [reader = m_withPython ? DocumentReader(readWithPython) : m_reader, path = m_path,
         compared = m_compared, holds = m_holds, rules = m_rules](const Progress &progress) {
            QElapsedTimer since;
            since.start();
            auto document = compared.empty() ? reader(path, progress)
                            : holds ? readReconciliation(compared.front(), reader, progress)
                                    : readComparison(compared, reader, progress);
            if (document) {
                if (DocumentPointer ruled = withRules(**document, rules, progress))
                    document = std::move(ruled);
            }
            return ReadDocument(std::move(document), since.nsecsElapsed() / 1000);
        },
        [this](ReadDocument read) {
            m_readMicroseconds = read.microseconds;
            if (!read.document)
                return showError(read.document.error());
            const Document &document = **read.document;
            if (const Imported *imported = document.imported())
                return startImported(QFileInfo(m_path).fileName(), *imported);
            showPage(document, m_page && m_withPython ? m_page->chosen(nullptr) : QVariantMap());
        });
    connect(m_job.get(), &Job::progressed, m_loadingPage, &LoadingPage::setProgress);
    Q_EMIT changed();
}

void DocumentTab::takeLog(const QString &path)
{
    m_logJob = std::make_unique<Job>(
        [file = nativePath(path)](const Progress &progress) {
            return readRecording(file, progress);
        },
        [this, name = shownPath(QFileInfo(path).fileName())](const Result<Recording> &read) {
            using Log = std::shared_ptr<const Series>;
            if (!m_page || !m_page->takesLog())
                return;
            if (!read)
                m_notice->showNotice(u"%1: %2"_s.arg(name, toQString(read.error().text())), {});
            else if (const Log *log = std::get_if<Log>(&*read))
                m_notice->showNotice(u"%1: %2"_s.arg(name, m_page->traceUse()->takeLog(*log)), {});
        });
}

void DocumentTab::setWorkRules(const std::vector<WorkRule> &rules)
{
    m_rules = rules;
    if (m_state != State::Ready)
        return;
    m_rulesJob = std::make_unique<Job>(
        [document = m_page->document(), rules](const Progress &progress) {
            return withRules(*document, rules, progress);
        },
        [this](const DocumentPointer &ruled) {
            if (ruled && m_state == State::Ready)
                showPage(*ruled, m_page->chosen(nullptr));
        });
}

void DocumentTab::keepRule(const CategoryRule &rule)
{
    auto rules = vramscope::keepRule(nativePath(m_path), rule);
    if (!rules.ok())
        return m_notice->showNotice(
            u"The category was not changed: %1"_s.arg(foreignText(rules.error().text())), {});
    const auto shown = documentAs<TraceDocument>(m_page->document());
    m_rulesJob = std::make_unique<Job>(
        [trace = shown->trace, rules = *std::move(rules)](const Progress &progress) {
            return analyse(trace, progress, rules);
        },
        [this](const std::shared_ptr<const TraceDocument> &ruled) {
            if (ruled && m_state == State::Ready)
                showPage(*ruled, m_page->chosen(nullptr));
        });
}

void DocumentTab::showPage(const Document &document, const QVariantMap &state)
{
    m_logJob.reset();
    std::vector<Bookmark> unwritten;
    m_order = runningOrder();
    const bool apart = m_session && !m_session->flush(); // no file has the edits
    if (apart)
        unwritten = m_page->bookmarks()->bookmarks();
    m_session.reset();
    if (m_page) { // which may have asked for the other one
        // Not disconnect(): style sheets forget a widget when it says that it is destroyed.
        m_page->blockSignals(true);
        m_page.release()->deleteLater();
    }
    m_page = document.makePage(title(), m_path, this);
    if (!state.isEmpty())
        m_page->restore(state);
    m_page->setUnit(m_unit);
    if (m_device)
        m_page->showDevice(*m_device);
    if (!m_runs.isEmpty())
        m_page->goTo(m_runs);
    connect(m_page.get(), &DocumentPage::editWanted, this,
            [this](const Plan &plan, const QString &name) {
                if (m_plan && m_plan->page() && m_plan->page()->plan())
                    m_plan->page()->planEditing()->replacePlan(plan, name);
            });
    if (const auto *profile = qobject_cast<ProfilePage *>(m_page.get())) {
        connect(profile, &ProfilePage::pythonWanted, this, [this] {
            m_withPython = true;
            for (ComparedTrace &trace : m_compared)
                trace.profile.reset(); // it was read without them
            read();
        });
    }
    if (const auto *trace = qobject_cast<TracePage *>(m_page.get())) {
        connect(trace, &TracePage::ruleStated, this, &DocumentTab::keepRule);
        const auto shown = documentAs<TraceDocument>(m_page->document());
        if (!shown->rulesProblem.isEmpty())
            m_notice->showNotice(shown->rulesProblem, {});
    }
    Q_EMIT pageShown(m_page.get());
    connect(m_page.get(), &DocumentPage::edited, this, &DocumentTab::changed);
    connect(m_page.get(), &DocumentPage::statusChanged, this, &DocumentTab::changed);
    m_stack->addWidget(m_page.get());
    m_stack->setCurrentWidget(m_page.get());
    m_state = State::Ready;
    if (!unwritten.empty())
        m_page->bookmarks()->setBookmarks(std::move(unwritten));
    keepSession();
    followPlan();
    if (apart)
        setRunningOrder(m_order);
    Q_EMIT changed();
}

void DocumentTab::keepSession()
{
    if (!m_page->bookmarks() || isExample(m_path))
        return;
    // A snapshot overlaid on a profiler trace leaves the bookmarks next to the trace.
    const QStringList files = m_page->document()->files();
    const QString recording = !m_path.isEmpty() || files.isEmpty() ? m_path : files.front();
    if (recording.isEmpty())
        return;
    m_session = std::make_unique<SessionKeeper>(recording, m_page->bookmarks());
    connect(m_session.get(), &SessionKeeper::noticed, this,
            [this](const QString &text, bool offer) {
                m_notice->showNotice(text, offer ? u"Use its bookmarks"_s : QString(),
                                     [this] { m_session->takeNevertheless(); });
            });
    m_session->load();
}

void DocumentTab::showError(const Error &error)
{
    m_errorPage->showError(m_path, error);
    m_stack->setCurrentWidget(m_errorPage);
    m_state = State::Failed;
    Q_EMIT changed();
}

void DocumentTab::watchFile()
{
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    m_seen = isExample(m_path) ? FileState() : FileState::of(m_path);
    if (m_seen.known())
        m_watcher.addPath(m_path);
}

bool DocumentTab::isFileChanged() const
{
    const FileState now = FileState::of(m_path);
    return m_file.known() && now.known() && now != m_file;
}

void DocumentTab::lookAtFile()
{
    if (m_state == State::Loading)
        return; // the reader notices by itself
    const QString name = shownPath(QFileInfo(m_path).fileName());
    if (!factsOf(m_path).exists) {
        m_notice->showNotice(u"%1 is gone from disk. This is what was read of it."_s.arg(name), {});
        return;
    }
    if (FileState::of(m_path) == m_seen)
        return;
    // Many programs replace a file instead of writing into it, which ends the watch.
    watchFile();
    m_notice->showNotice(isModified()
                             ? u"%1 changed on disk. Reading it again drops your edits."_s.arg(name)
                             : u"%1 changed on disk."_s.arg(name),
                         u"Read again"_s, [this] { read(); });
}

} // namespace vramscope
