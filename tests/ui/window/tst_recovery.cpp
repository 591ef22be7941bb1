// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/new_plan.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"
#include "ui/planner/plan_page.h"
#include "ui/support/text.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/recovery.h"
#include "ui/window/tab_drag.h"

#include <QApplication>
#include <QDirIterator>
#include <QMimeData>
#include <QProcess>
#include <QTemporaryDir>
#include <QUndoStack>

#include <csignal>
#include <sys/resource.h>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr const char *kChildFolder = "VRAMSCOPE_TEST_CHILD";

/// What a person was asked, and what they answered.
struct Answers
{
    QStringList asked;
    bool agrees = false;
};

std::unique_ptr<MainWindow> makeWindow(const QString &folder, Answers *answers = nullptr)
{
    MainWindow::Options options;
    options.preferencesFile = folder + u"/settings.ini"_s;
    Questions questions;
    questions.askToSave = [](const QString &) { return SaveAnswer::Discard; };
    questions.askForName = [](const QString &) { return QString(); };
    questions.askForFiles = [] { return QStringList(); };
    questions.tell = [](const QString &) {};
    questions.confirm = [answers](const QString &text, const QString &) {
        if (answers)
            answers->asked += text;
        return answers && answers->agrees;
    };
    options.questions = std::move(questions);
    return std::make_unique<MainWindow>(std::move(options));
}

PlanPage *pageOf(const DocumentTab *tab)
{
    return qobject_cast<PlanPage *>(tab->page());
}

void edit(const DocumentTab *tab, std::int64_t microBatch)
{
    QVERIFY(pageOf(tab)->edit(*findField("batch.micro_batch"), FieldValue(microBatch)).ok());
}

int copiesIn(const QString &folder)
{
    int count = 0;
    QDirIterator files(folder + u"/unsaved"_s, {u"*.vramplan"_s}, QDir::Files,
                       QDirIterator::Subdirectories);
    for (; files.hasNext(); files.next())
        ++count;
    return count;
}

/// A program that edits a plan and is killed once the copy is there.
int runChild(const QString &folder)
{
    const auto window = makeWindow(folder);
    window->run(Command::NewPlan);
    edit(window->tabs()->current(), 4);
    const bool written = QTest::qWaitFor([&] { return copiesIn(folder) > 0; }, 30'000);
    return written ? std::raise(SIGKILL) : 1;
}

} // namespace

/// Plans whose edits were not saved when their program ended.
class TestRecovery : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() override
    {
        test::Test::init();
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void anUnsavedPlanOfAKilledProgramComesBack()
    {
        QProcess child;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(kChildFolder), m_folder->path());
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForFinished(60'000));
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        QCOMPARE(copiesIn(m_folder->path()), 2);

        const auto window = makeWindow(m_folder->path());
        window->show();
        window->recovery()->restore();
        QCOMPARE(window->tabs()->documents().size(), 1);
        const DocumentTab *tab = window->tabs()->current();
        QVERIFY(tab->isModified());
        QCOMPARE(tab->page()->plan()->batch.microBatch, std::optional<std::int64_t>(4));
        QVERIFY(tab->notice()->isVisible());
        QVERIFY(tab->notice()->text().startsWith(u"Recovered"_s));
        window->run(Command::Undo);
        QVERIFY(*tab->page()->plan() == newPlan());
    }

    void aPlanOfAFileComesBackAsOfThatFile()
    {
        const QString path = m_folder->filePath(u"mine.vramplan"_s);
        QVERIFY(writePlan(newPlan(), path.toStdString()).ok());
        {
            const auto window = makeWindow(m_folder->path());
            window->openFiles({path});
            QTRY_COMPARE(window->tabs()->current()->state(), DocumentTab::State::Ready);
            edit(window->tabs()->current(), 2);
            window->recovery()->write();
            edit(window->tabs()->current(), 8);
            window->recovery()->write();
        } // destroyed without having been closed
        const auto window = makeWindow(m_folder->path());
        window->recovery()->restore();
        window->openFiles({path}); // is open already
        QCOMPARE(window->tabs()->documents().size(), 1);
        QCOMPARE(window->tabs()->current()->path(), path);
        window->run(Command::Save);
        QCOMPARE(readPlan(path.toStdString())->batch.microBatch, std::optional<std::int64_t>(8));
    }

    void aPlanSavedUnderANameBetweenTwoCopiesComesBackAsOfItsFile()
    {
        const QString path = m_folder->filePath(u"mine.vramplan"_s);
        {
            const auto window = makeWindow(m_folder->path());
            window->run(Command::NewPlan);
            edit(window->tabs()->current(), 2);
            window->recovery()->write();
            QVERIFY(window->tabs()->current()->saveAs(path).ok());
            edit(window->tabs()->current(), 8); // before the copy of the saved plan was removed
            window->recovery()->write();
        }
        const auto window = makeWindow(m_folder->path());
        window->recovery()->restore();
        QCOMPARE(window->tabs()->current()->path(), path);
    }

    void aRecoveredPlanSurvivesTheNextCrashToo()
    {
        for (int time = 0; time < 3; ++time) {
            const auto window = makeWindow(m_folder->path());
            window->recovery()->restore();
            QCOMPARE(window->tabs()->documents().size(), time == 0 ? 0 : 1);
            if (time == 0) {
                window->run(Command::NewPlan);
                edit(window->tabs()->current(), 4);
                window->recovery()->write();
            }
            QCOMPARE(copiesIn(m_folder->path()), 2); // the plan, and as it was opened
        }
    }

    void aPlanThatCameAsTextSurvivesTheNextCrashToo()
    {
        for (int time = 0; time < 3; ++time) {
            const auto window = makeWindow(m_folder->path());
            window->recovery()->restore();
            if (time == 0) {
                window->tabs()->startUnsaved(Plan());
                window->recovery()->write();
            }
            QCOMPARE(window->tabs()->documents().size(), 1);
            QVERIFY(window->tabs()->current()->isModified());
            QCOMPARE(copiesIn(m_folder->path()), 2);
        }
    }

    void aRecoveredPlanIsKeptWhereNothingCanBeWritten()
    {
        {
            const auto window = makeWindow(m_folder->path());
            window->run(Command::NewPlan);
            edit(window->tabs()->current(), 4);
            window->recovery()->write();
        }
        {
            // As on a full disk: locks are small enough, plans are not.
            rlimit usual{};
            QCOMPARE(getrlimit(RLIMIT_FSIZE, &usual), 0);
            const rlimit tight{300, usual.rlim_max};
            const auto ended = std::signal(SIGXFSZ, SIG_IGN);
            QCOMPARE(setrlimit(RLIMIT_FSIZE, &tight), 0);
            const auto window = makeWindow(m_folder->path());
            window->recovery()->restore();
            const qsizetype count = window->tabs()->documents().size();
            window->recovery()->write();
            setrlimit(RLIMIT_FSIZE, &usual);
            std::signal(SIGXFSZ, ended);
            QCOMPARE(count, 1);
        } // the next crash
        QCOMPARE(copiesIn(m_folder->path()), 2);
        const auto window = makeWindow(m_folder->path());
        window->recovery()->restore();
        QCOMPARE(window->tabs()->documents().size(), 1);
        QCOMPARE(window->tabs()->current()->page()->plan()->batch.microBatch,
                 std::optional<std::int64_t>(4));
        // What is edited then is kept in its place.
        edit(window->tabs()->current(), 8);
        window->recovery()->write();
        QCOMPARE(copiesIn(m_folder->path()), 2);
        QVERIFY(window->close());
        QCOMPARE(copiesIn(m_folder->path()), 0);
        QVERIFY(QDir(m_folder->filePath(u"unsaved"_s)).isEmpty());
    }

    void nothingComesBackAfterACleanEnd()
    {
        {
            const auto window = makeWindow(m_folder->path());
            window->run(Command::NewPlan);
            edit(window->tabs()->current(), 4);
            window->recovery()->write();
            QVERIFY(copiesIn(m_folder->path()) > 0);
            QVERIFY(window->close()); // the answer is to discard
        }
        QCOMPARE(copiesIn(m_folder->path()), 0);
        const auto window = makeWindow(m_folder->path());
        window->recovery()->restore();
        QVERIFY(window->tabs()->documents().isEmpty());
    }

    void whatIsSavedUndoneOrClosedHasNoCopy()
    {
        const auto window = makeWindow(m_folder->path());
        for (const bool closes : {false, true}) {
            window->run(Command::NewPlan);
            edit(window->tabs()->current(), 4);
            QTRY_COMPARE(copiesIn(m_folder->path()), 2); // of itself, a moment after the edit
            window->run(closes ? Command::CloseTab : Command::Undo);
            QTRY_COMPARE(copiesIn(m_folder->path()), 0);
        }
    }

    void twoProgramsDoNotTakeEachOthersPlans()
    {
        const auto first = makeWindow(m_folder->path());
        first->run(Command::NewPlan);
        edit(first->tabs()->current(), 4);
        first->recovery()->write();
        const auto second = makeWindow(m_folder->path());
        second->recovery()->restore();
        QVERIFY(second->tabs()->documents().isEmpty());
        QCOMPARE(copiesIn(m_folder->path()), 2);
        QVERIFY(second->close());
        QCOMPARE(copiesIn(m_folder->path()), 2);
    }

    void aCopyThatCannotBeReadStaysAndHidesNoOther()
    {
        {
            const auto window = makeWindow(m_folder->path());
            for (int plan = 0; plan < 2; ++plan) {
                window->run(Command::NewPlan);
                edit(window->tabs()->current(), 4 + plan);
            }
            window->recovery()->write();
        }
        QDirIterator files(m_folder->path() + u"/unsaved"_s, {u"1.vramplan"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        QFile broken(files.next());
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{ \"vramscope\": 1, ");
        broken.close();
        Answers answers;
        {
            const auto window = makeWindow(m_folder->path(), &answers);
            window->recovery()->restore();
            QCOMPARE(window->tabs()->documents().size(), 1);
            QCOMPARE(window->tabs()->current()->page()->plan()->batch.microBatch,
                     std::optional<std::int64_t>(5));
        }
        QCOMPARE(answers.asked.size(), 1);
        const QString kept = QString(broken.fileName()).replace(u".vramplan"_s, u".unreadable"_s);
        QVERIFY2(answers.asked.front().contains(kept), qPrintable(answers.asked.front()));
        QVERIFY(QFile::exists(kept));
        makeWindow(m_folder->path(), &answers)->recovery()->restore();
        QCOMPARE(answers.asked.size(), 1); // told once
    }

    void aCopyThatCannotBeReadIsDeletedWhereOneAgrees()
    {
        const QString folder = m_folder->filePath(u"unsaved/left"_s);
        QVERIFY(QDir().mkpath(folder));
        for (const char *name : {"1.vramplan", "1.opened.vramplan", "1.path", "1.file"}) {
            QFile file(folder + u'/' + QString::fromLatin1(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("damaged") > 0);
        }
        Answers answers{{}, true};
        const auto window = makeWindow(m_folder->path(), &answers);
        window->recovery()->restore();
        QCOMPARE(answers.asked.size(), 1);
        QVERIFY(!QDir(folder).exists());
        QVERIFY(window->tabs()->documents().isEmpty());
    }

    void aFileThatChangedMeanwhileIsToldAndNotReplacedUnasked()
    {
        const QString path = m_folder->filePath(u"mine.vramplan"_s);
        QVERIFY(writePlan(newPlan(), path.toStdString()).ok());
        {
            const auto window = makeWindow(m_folder->path());
            window->openFiles({path});
            QTRY_COMPARE(window->tabs()->current()->state(), DocumentTab::State::Ready);
            edit(window->tabs()->current(), 2);
            window->recovery()->write();
        }
        Plan foreign = newPlan();
        foreign.name = "written by somebody else meanwhile";
        QVERIFY(writePlan(foreign, path.toStdString()).ok());
        Answers answers;
        const auto window = makeWindow(m_folder->path(), &answers);
        window->recovery()->restore();
        DocumentTab *tab = window->tabs()->current();
        QVERIFY2(tab->notice()->text().contains(u"mine.vramplan changed on disk since"_s),
                 qPrintable(tab->notice()->text()));
        window->run(Command::Save);
        QCOMPARE(answers.asked.size(), 1);
        QVERIFY(*readPlan(path.toStdString()) == foreign);
        answers.agrees = true;
        window->run(Command::Save);
        QCOMPARE(readPlan(path.toStdString())->batch.microBatch, std::optional<std::int64_t>(2));
        edit(tab, 4);
        window->run(Command::Save); // it is this tab's own now
        QCOMPARE(answers.asked.size(), 2);
        QCOMPARE(readPlan(path.toStdString())->batch.microBatch, std::optional<std::int64_t>(4));
    }

    void aFileThatChangesUnderAnOpenPlanIsNotReplacedUnasked()
    {
        const QString path = m_folder->filePath(u"mine.vramplan"_s);
        QVERIFY(writePlan(newPlan(), path.toStdString()).ok());
        Answers answers;
        const auto window = makeWindow(m_folder->path(), &answers);
        window->openFiles({path});
        QTRY_COMPARE(window->tabs()->current()->state(), DocumentTab::State::Ready);
        edit(window->tabs()->current(), 2);
        Plan foreign = newPlan();
        foreign.name = "written by somebody else meanwhile";
        QVERIFY(writePlan(foreign, path.toStdString()).ok());
        window->run(Command::Save);
        QCOMPARE(answers.asked.size(), 1);
        QVERIFY(*readPlan(path.toStdString()) == foreign);
    }

    void aDraggedTabCarriesItsPlan()
    {
        const auto window = makeWindow(m_folder->path());
        window->run(Command::NewPlan);
        edit(window->tabs()->current(), 4);
        const auto unsaved = tabContent(*window->tabs()->current());
        QVERIFY(unsaved && unsaved->urls().isEmpty());
        QVERIFY(*parsePlan(unsaved->text().toStdString()) ==
                *window->tabs()->current()->page()->plan());
        const QString path = m_folder->filePath(u"mine.vramplan"_s);
        QVERIFY(window->tabs()->current()->saveAs(path).ok());
        QCOMPARE(tabContent(*window->tabs()->current())->urls().first(), QUrl::fromLocalFile(path));
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    if (const QString folder = qEnvironmentVariable(kChildFolder); !folder.isEmpty())
        return runChild(folder);
    TestRecovery test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_recovery.moc"
