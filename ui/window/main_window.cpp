// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/ask/new_plan.h"
#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "ui/jobs/job.h"
#include "ui/offscreen/examples.h"
#include "ui/report/illustrated_report.h"
#include "ui/support/file_path.h"
#include "ui/support/icons.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/view_state.h"
#include "ui/window/about.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/folding_menu_bar.h"
#include "ui/window/help.h"
#include "ui/window/notice_bar.h"
#include "ui/window/plan_settings.h"
#include "ui/window/preferences.h"
#include "ui/window/recovery.h"
#include "ui/window/start_page.h"
#include "ui/window/view_export.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QToolButton>
#include <QUndoStack>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QStringList droppedFiles(const QMimeData *data)
{
    QStringList files;
    for (const QUrl &url : data->urls()) {
        if (const QString file = localPath(url); !file.isEmpty())
            files += file;
    }
    return files;
}

} // namespace

MainWindow::MainWindow(Options options)
    : m_preferences(options.preferencesFile)
    , m_desktopDark(options.desktopDark)
    , m_questions(options.questions ? std::move(*options.questions) : dialogs(this))
    , m_commands(new Commands(foldingMenuBar(*this), this))
    , m_tabs(new DocumentTabs(options.reader ? std::move(options.reader) : readDocument,
                              m_questions, this))
    , m_recovery(new Recovery(m_preferences.recoveryFolder(), m_tabs, this))
{
    setCentralWidget(m_tabs);
    setAcceptDrops(true);
    // Files open wherever they are dropped: a text box would otherwise take their names as text.
    qApp->installEventFilter(this);
    setMinimumSize(720, 480);
    makeStatusBar();
    makeCorners();

    connect(m_commands, &Commands::chosen, this, &MainWindow::run);
    connect(m_commands->compareMenu(), &QMenu::aboutToShow, this, &MainWindow::showCompareMenu);
    connect(m_commands->recordingsMenu(), &QMenu::aboutToShow, this,
            &MainWindow::showRecordingsMenu);
    connect(m_commands->plansMenu(), &QMenu::aboutToShow, this, &MainWindow::showPlansMenu);
    for (const Command command : {Command::Copy, Command::CopyPicture, Command::ExportPicture,
                                  Command::Report, Command::Present})
        m_tabs->addAction(m_commands->action(command));
    connect(m_tabs, &DocumentTabs::currentDocumentChanged, this, &MainWindow::showCurrent);
    connect(m_tabs, &DocumentTabs::fileUsed, this, &MainWindow::remember);
    connect(m_tabs, &DocumentTabs::openWanted, this, [this] { run(Command::Open); });
    connectStartPage();
    connect(m_recovery, &Recovery::unreadable, this, &MainWindow::tellUnreadable);
    connect(JobFailures::instance(), &JobFailures::happened, this, [this](const QString &sentence) {
        if (m_tabs->current())
            m_tabs->current()->notice()->showNotice(sentence, {});
    });
    setAppearance(m_preferences.appearance());
    setUnit(m_preferences.unit());
    m_tabs->setWorkRules(m_preferences.workRules());
    connect(m_tabs, &DocumentTabs::rulesWanted, this, [this](const std::vector<WorkRule> &rules) {
        m_preferences.setWorkRules(rules);
        m_tabs->setWorkRules(rules);
    });
    showRecentFiles();
    showCurrent();
    if (!restoreGeometry(m_preferences.geometry()))
        resize(1440, 900);
}

MainWindow::~MainWindow() = default;

void MainWindow::openFiles(const QStringList &files)
{
    for (const QString &file : files)
        m_tabs->openFile(file);
}

void MainWindow::run(Command command)
{
    DocumentTab *current = m_tabs->current();
    DocumentPage *page = current ? current->page() : nullptr;
    QUndoStack *undo = page ? page->undoStack() : nullptr;
    TimelineUse *timeline = page ? page->timelineUse() : nullptr;
    if (timeline && !timeline->isDrawn())
        timeline = nullptr;
    BookmarkUse *marking = page ? page->bookmarkUse() : nullptr;
    QClipboard *clipboard = QGuiApplication::clipboard();
    switch (command) {
    case Command::NewPlan:
        return m_tabs->startPlan(newPlan());
    case Command::Open:
        return openFiles(m_questions.askForFiles());
    case Command::Save:
        return static_cast<void>(current && m_tabs->save(current));
    case Command::SaveAs:
        return static_cast<void>(current && m_tabs->saveAs(current));
    case Command::ExportPicture:
        return exportView();
    case Command::Report:
    case Command::ReportWithoutNames:
        return report(command == Command::ReportWithoutNames);
    case Command::ExportPresentation:
        return exportPresentation();
    case Command::CloseTab:
        return static_cast<void>(m_tabs->close(current));
    case Command::Quit:
        return static_cast<void>(close());
    case Command::Undo:
        return undo ? undo->undo() : void();
    case Command::Redo:
        return undo ? undo->redo() : void();
    case Command::CopyPicture:
        return page ? clipboard->setMimeData(clipping(*page)) : void();
    case Command::Copy:
        return page ? clipboard->setMimeData(clippingOfChosen(*page)) : void();
    case Command::Paste:
        return paste();
    case Command::ImportSettings:
        return importFiles(m_questions.askForFiles());
    case Command::ExportPlan:
        return exportPlan();
    case Command::Fit:
        return timeline ? timeline->fit() : void();
    case Command::Peak:
        return timeline ? timeline->goToPeak() : void();
    case Command::Back:
        return timeline ? timeline->back() : void();
    case Command::Forward:
        return timeline ? timeline->forward() : void();
    case Command::UnitBinary:
        return setUnit(ByteUnit::Binary);
    case Command::UnitDecimal:
        return setUnit(ByteUnit::Decimal);
    case Command::AppearanceSystem:
        return setAppearance(Appearance::System);
    case Command::AppearanceLight:
        return setAppearance(Appearance::Light);
    case Command::AppearanceDark:
        return setAppearance(Appearance::Dark);
    case Command::CompareFile:
        if (const QStringList files = m_questions.askForFiles(); !files.isEmpty())
            compareCurrentWith(toCompare(files));
        return;
    case Command::CompareWithRecording:
        if (const QStringList files = m_questions.askForFiles(); planInFront() && !files.isEmpty())
            compareWithFile(current, files.front());
        return;
    case Command::CompareWithPlan:
        if (const QStringList files = m_questions.askForFiles(); !files.isEmpty())
            setFileBeside(files.front(), current);
        return;
    case Command::PlanFromRecording:
        return page && page->traceUse() ? page->traceUse()->makePlan() : void();
    case Command::OpenRanks:
        if (const QString folder = m_questions.askForFolder(); !folder.isEmpty())
            m_tabs->openFile(folder);
        return;
    case Command::CopyRecipe:
        return copyRecipe();
    case Command::NextTab:
        return m_tabs->setCurrentIndex((m_tabs->currentIndex() + 1) % m_tabs->count());
    case Command::PreviousTab:
        return m_tabs->setCurrentIndex((m_tabs->currentIndex() + m_tabs->count() - 1) %
                                       m_tabs->count());
    case Command::Present:
        return present();
    case Command::ArrangeOrder:
        return arrangeOrder();
    case Command::AddBookmark:
        return marking ? marking->addBookmark() : void();
    case Command::NextBookmark:
    case Command::PreviousBookmark:
        return marking ? marking->stepBookmark(command == Command::NextBookmark) : void();
    case Command::Help:
        return showHelp(helpTopic());
    case Command::Trust:
        return m_tabs->openFile(trustPath());
    case Command::About:
        return showAbout(this);
    }
}

namespace {

/// ": tight, 85.1 of 79.2 GiB"; empty if there is no verdict.
QString shortAnswer(const Plan &plan, ByteUnit unit)
{
    const Estimate it = estimate(plan);
    const std::optional<Verdict> verdict = verdictOf(it);
    return verdict ? u": %1, %2"_s.arg(toQString(verdictWord(it)),
                                       toQString(formatPartOf(it.peakDevice, *it.capacity, unit)))
                   : QString();
}

} // namespace

void MainWindow::showCurrent()
{
    const DocumentTab *current = m_tabs->current();
    const DocumentPage *page = current ? current->page() : nullptr;
    const bool ready = current && current->state() == DocumentTab::State::Ready;
    const bool plan = ready && page->plan();
    const QUndoStack *undo = ready ? page->undoStack() : nullptr;
    const bool timeline = ready && page->timelineUse() && page->timelineUse()->isDrawn();
    const QString answer = plan ? shortAnswer(*page->plan(), m_preferences.unit()) : QString();
    setWindowTitle(current ? u"%1[*]%2 – VRAMscope"_s.arg(current->title(), answer)
                           : u"VRAMscope"_s);
    setWindowModified(current && current->isModified());
    m_status->setText(current ? current->statusText() : QString());

    m_commands->action(Command::Save)->setEnabled(plan);
    m_commands->action(Command::SaveAs)->setEnabled(plan);
    m_commands->action(Command::Copy)->setEnabled(ready);
    m_commands->action(Command::ExportPlan)->setEnabled(plan);
    m_commands->action(Command::ExportPicture)->setEnabled(ready);
    m_commands->action(Command::CopyPicture)->setEnabled(ready);
    m_commands->action(Command::CloseTab)->setEnabled(current);
    for (const Command command : {Command::Fit, Command::Peak, Command::Back, Command::Forward})
        m_commands->action(command)->setEnabled(timeline);
    const bool bookmarks = ready && page->bookmarks();
    for (const Command command :
         {Command::AddBookmark, Command::NextBookmark, Command::PreviousBookmark})
        m_commands->action(command)->setEnabled(bookmarks);
    for (const Command command :
         {Command::Present, Command::ArrangeOrder, Command::ExportPresentation})
        m_commands->action(command)->setEnabled(ready && page->isPresentable());
    const bool comparable = !comparedNow().empty();
    m_commands->action(Command::CompareFile)->setEnabled(comparable);
    m_commands->compareMenu()->setEnabled(comparable);
    m_commands->action(Command::CompareWithRecording)->setEnabled(plan);
    m_commands->recordingsMenu()->setEnabled(plan);
    const bool recording = snapshotNow().has_value();
    const bool takesPlan = recording || (ready && page->takesPlan());
    m_commands->action(Command::CompareWithPlan)->setEnabled(takesPlan);
    m_commands->plansMenu()->setEnabled(takesPlan);
    m_commands->action(Command::PlanFromRecording)
        ->setEnabled(recording && page->traceUse() != nullptr);
    for (const Command command : {Command::Report, Command::ReportWithoutNames})
        m_commands->action(command)->setEnabled(plan || comparable || !reportedNow().empty());
    QAction *back = m_commands->action(Command::Undo);
    QAction *again = m_commands->action(Command::Redo);
    back->setEnabled(undo && undo->canUndo());
    again->setEnabled(undo && undo->canRedo());
    showFrame();
    back->setText(u"&Undo %1"_s.arg(undo ? undo->undoText() : QString()).trimmed());
    again->setText(u"&Redo %1"_s.arg(undo ? undo->redoText() : QString()).trimmed());
}

void MainWindow::remember(const QString &path)
{
    m_preferences.setRecentFiles(withRecentFile(m_preferences.recentFiles(), path));
    showRecentFiles();
}

void MainWindow::showRecentFiles()
{
    const QStringList files = m_preferences.recentFiles();
    m_tabs->startPage()->setRecentFiles(files);
    QMenu *menu = m_commands->recentMenu();
    menu->clear();
    menu->setEnabled(!files.isEmpty());
    for (const RecentFile &file : describeRecentFiles(files)) {
        QAction *action =
            menu->addAction(u"%1   %2"_s.arg(file.name, file.folder).replace(u'&', u"&&"_s));
        action->setEnabled(file.exists);
        connect(action, &QAction::triggered, this,
                [this, path = file.path] { m_tabs->openFile(path); });
    }
    menu->addSeparator();
    connect(menu->addAction(u"Forget these"_s), &QAction::triggered, this, [this] {
        m_preferences.setRecentFiles({});
        // The menu that sent this must not be emptied under its own action.
        QMetaObject::invokeMethod(this, &MainWindow::showRecentFiles, Qt::QueuedConnection);
    });
}

void MainWindow::setUnit(ByteUnit unit)
{
    m_preferences.setUnit(unit);
    m_commands->action(unit == ByteUnit::Binary ? Command::UnitBinary : Command::UnitDecimal)
        ->setChecked(true);
    m_unitButton->setText(QString::fromLatin1(gigaUnit(unit)));
    m_tabs->setUnit(unit);
}

void MainWindow::setAppearance(Appearance appearance)
{
    m_preferences.setAppearance(appearance);
    const Theme &theme = themeFor(appearance, m_desktopDark);
    applyTheme(theme);
    m_commands->tint(theme);
    if (m_menuButton)
        m_menuButton->setIcon(tintedIcon(u"menu"_s, theme.dim));
    m_commands
        ->action(appearance == Appearance::Light  ? Command::AppearanceLight
                 : appearance == Appearance::Dark ? Command::AppearanceDark
                                                  : Command::AppearanceSystem)
        ->setChecked(true);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_tabs->mayCloseAll()) {
        event->ignore();
        return;
    }
    m_recovery->ended();
    m_preferences.setGeometry(saveGeometry());
    event->accept();
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    const auto type = event->type();
    const auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget || widget->window() != this)
        return false;
    // A box of the form would otherwise take a pasted file as its text.
    if (type == QEvent::ShortcutOverride)
        return static_cast<QKeyEvent *>(event)->matches(QKeySequence::Paste) &&
               looksLikeSettings(QGuiApplication::clipboard()->text());
    if (type == QEvent::DragLeave) {
        m_tabs->startPage()->setDropActive(false);
        showDropHint(nullptr, {});
    }
    if (type != QEvent::DragEnter && type != QEvent::DragMove && type != QEvent::Drop)
        return false;
    auto *drag = static_cast<QDropEvent *>(event);
    const QStringList files = droppedFiles(drag->mimeData());
    const QString text = files.isEmpty() ? drag->mimeData()->text() : QString();
    if (files.isEmpty() && !looksLikeSettings(text))
        return false;
    if (drag->source() == m_tabs) { // its own tab is here already
        drag->ignore();
        return true;
    }
    drag->acceptProposedAction();
    m_tabs->startPage()->setDropActive(type != QEvent::Drop);
    const QPoint place = widget->mapTo(this, drag->position().toPoint());
    DocumentTab *target = dropTarget(place, drag->modifiers());
    if (type == QEvent::Drop)
        showDropHint(nullptr, {});
    else
        showDropHint(target, drag->modifiers());
    if (type == QEvent::Drop && files.isEmpty())
        takeText(text, u"The dropped text"_s, target);
    else if (type == QEvent::Drop)
        drop(files, target, drag->modifiers().testFlag(Qt::ControlModifier));
    return true;
}

} // namespace vramscope
