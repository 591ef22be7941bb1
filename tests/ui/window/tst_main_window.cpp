// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/new_plan.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/document/document_page.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/plan_document.h"
#include "ui/support/theme.h"
#include "ui/trace/trace_document.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/start_page.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>

#include <algorithm>
#include <atomic>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

namespace {

/// A window of its own settings whose questions are answered by the test.
struct WindowBench
{
    QTemporaryDir folder;
    SaveAnswer saveAnswer = SaveAnswer::Cancel;
    QString name;
    QStringList files;
    QStringList told;
    int asked = 0;

    QString settings() const { return folder.filePath(u"settings.ini"_s); }

    QString file(const QString &fileName, const QByteArray &bytes) const
    {
        QFile made(folder.filePath(fileName));
        if (made.open(QIODevice::WriteOnly))
            made.write(bytes);
        return made.fileName();
    }

    MainWindow::Options options(DocumentReader reader)
    {
        MainWindow::Options made;
        made.preferencesFile = settings();
        made.reader = std::move(reader);
        Questions questions;
        questions.askToSave = [this](const QString &) {
            ++asked;
            return saveAnswer;
        };
        questions.askForName = [this](const QString &) { return name; };
        questions.askForFiles = [this] { return files; };
        questions.tell = [this](const QString &text) { told += text; };
        made.questions = std::move(questions);
        return made;
    }
};

Plan planCalled(const QString &name)
{
    Plan plan = newPlan();
    plan.name = name.toStdString();
    return plan;
}

/// Any file is a plan of its name.
Result<DocumentPointer> readAnything(const QString &path, const Progress &)
{
    return DocumentPointer(planDocument(planCalled(QFileInfo(path).fileName())));
}

Result<DocumentPointer> readNothing(const QString &, const Progress &)
{
    return Error{ErrorCode::Truncated, "The file ends early; record it again.", 1234};
}

State stateOf(const MainWindow &window)
{
    return window.tabs()->current()->state();
}

/// The same, but "*.pickle" is a trace.
Result<DocumentPointer> readTraces(const QString &path, const Progress &progress)
{
    if (!path.endsWith(u".pickle"_s))
        return readAnything(path, progress);
    return DocumentPointer(analyse(test::SampleTrace().finish()));
}

constexpr auto kLog = "timestamp, index, memory.used [MiB]\n"
                      "1700000000.0, 0, 9000 MiB\n"
                      "1700000001.0, 0, 9000 MiB\n";

void dropOnto(QWidget &window, const QStringList &files, QPoint place = {20, 20},
              Qt::KeyboardModifiers keys = Qt::NoModifier)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const QString &file : files)
        urls += QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(place, Qt::CopyAction, &data, Qt::LeftButton, keys);
    QApplication::sendEvent(&window, &event);
}

} // namespace

class TestMainWindow : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void beginsWithTheStartPageThatCannotBeClosed()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        QCOMPARE(window.tabs()->count(), 1);
        QCOMPARE(window.tabs()->current(), nullptr);
        window.run(Command::CloseTab);
        QCOMPARE(window.tabs()->count(), 1);
        QCOMPARE(window.windowTitle(), u"VRAMscope"_s);
    }

    void everyExampleIsInTheMenuAndSaysWhatItShows()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        const auto open = [&](const QString &title, const QString &shows) {
            QVERIFY2(shows.endsWith(u'.') && shows.size() <= 46, qPrintable(shows));
            const QString text = u"%1\t%2"_s.arg(title, shows).replace(u'&', u"&&"_s);
            const auto actions = window.findChildren<QAction *>();
            const auto action = std::ranges::find(actions, text, &QAction::text);
            QVERIFY2(action != actions.end(), qPrintable(text));
            (*action)->trigger();
        };
        for (const Example &example : examples()) {
            open(example.title, example.shows);
            QCOMPARE(window.tabs()->current()->path(), example.path);
        }
        const qsizetype before = window.tabs()->documents().size();
        for (const ExamplePair &pair : examplePairs()) {
            QVERIFY(QFile::exists(pair.first) && QFile::exists(pair.second));
            open(pair.title, pair.shows);
        }
        QVERIFY(window.tabs()->documents().size() > before);
    }

    void theLinesThatRecordAreCopied()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        QVERIFY(window.statusBar()->isHidden()); // it has nothing to say of the start page
        window.run(Command::CopyRecipe);
        QVERIFY(QGuiApplication::clipboard()->text().contains(
            u"torch.cuda.memory._record_memory_history("));
        QVERIFY(window.statusBar()->currentMessage().startsWith(u"Copied"));
        QVERIFY(!window.statusBar()->isHidden());
    }

    void theMenusAreInAButtonAndAltBringsTheirBar()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto *bar = window.menuBar();
        QCOMPARE(bar->height(), 0);
        QWidget *focused = QApplication::focusWidget();
        QTest::keyClick(window.windowHandle(), Qt::Key_Alt, Qt::AltModifier);
        QTRY_VERIFY(bar->height() > 0);
        QTest::keyClick(window.windowHandle(), Qt::Key_Escape);
        QTRY_COMPARE(bar->height(), 0);
        QCOMPARE(QApplication::focusWidget(), focused);
        QTest::keyClick(window.windowHandle(), Qt::Key_F, Qt::AltModifier);
        const auto *popup = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(popup);
        QCOMPARE(popup->menuAction(), bar->actions().front());
        QApplication::activePopupWidget()->close();
        const auto buttons = window.findChildren<QToolButton *>();
        const auto button = std::ranges::find(buttons, u"Menu"_s, &QToolButton::accessibleName);
        QVERIFY(button != buttons.end());
        (*button)->click();
        QVERIFY(QApplication::activePopupWidget());
        QCOMPARE(QApplication::activePopupWidget()->actions(), bar->actions());
        QApplication::activePopupWidget()->close();
        // Keys of commands work though their menus are not seen.
        QTest::keyClick(window.windowHandle(), Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(window.tabs()->documents().size(), 1);
    }

    void whatIsDoneWithAPageIsBesideTheTabs()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        window.show();
        const auto shown = [&](const QString &text) {
            for (const QPushButton *button : window.findChildren<QPushButton *>())
                if (button->text() == text && button->isVisible() && button->width() > 40)
                    return true;
            return false;
        };
        QVERIFY(!shown(u"Export"_s) && !shown(u"Present"_s));
        window.run(Command::NewPlan);
        QVERIFY(shown(u"Export"_s) && shown(u"Present"_s));
        window.tabs()->setCurrentIndex(0);
        QVERIFY(!shown(u"Export"_s) && !shown(u"Present"_s));
    }

    // Qt answers a shortcut that two actions have with neither.
    void noKeyStandsForTwoCommands()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        QMap<QString, QString> commands;
        for (const QAction *action : window.findChildren<QAction *>()) {
            for (const QKeySequence &key : action->shortcuts()) {
                const QString other = commands.value(key.toString());
                QVERIFY2(other.isEmpty(), qPrintable(u"%1 is “%2” and “%3”"_s.arg(
                                              key.toString(), other, action->text())));
                commands.insert(key.toString(), action->text());
            }
        }
        QVERIFY(commands.size() > 20);
    }

    void aDroppedFileOpensInATabOfItsOwn()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        dropOnto(window, {bench.file(u"a.pickle"_s, "x"), bench.file(u"b.pickle"_s, "y")});
        QCOMPARE(window.tabs()->documents().size(), 2);
        QTRY_COMPARE(stateOf(window), State::Ready);
        QCOMPARE(window.tabs()->tabText(2), u"b.pickle"_s);
        // The title says what the answer says.
        QVERIFY2(window.windowTitle().startsWith(u"b.pickle[*]: fits, "_s) &&
                     window.windowTitle().endsWith(u" GiB – VRAMscope"_s),
                 qPrintable(window.windowTitle()));
    }

    void aLogDroppedOnATraceIsDrawnOverItAndWithShiftOpensInATab()
    {
        WindowBench bench;
        MainWindow window(bench.options(readTraces));
        window.setAttribute(Qt::WA_DontShowOnScreen);
        window.resize(1400, 900);
        window.show();
        window.openFiles({bench.file(u"run.pickle"_s, "x")});
        QTRY_COMPARE(stateOf(window), State::Ready);
        const DocumentTab *tab = window.tabs()->current();
        const QWidget *page = tab->page();
        const QPoint place = page->mapTo(&window, page->rect().center());
        const QString log = bench.file(u"usage.csv"_s, kLog);
        dropOnto(window, {log}, place);
        QTRY_VERIFY2(tab->notice()->text().contains(u"is drawn over the timeline"_s),
                     qPrintable(tab->notice()->text()));
        QVERIFY2(tab->statusText().contains(u"device used"_s), qPrintable(tab->statusText()));
        QCOMPARE(window.tabs()->documents().size(), 1);
        dropOnto(window, {log}, place, Qt::ShiftModifier);
        QCOMPARE(window.tabs()->documents().size(), 2);
        QTRY_COMPARE(stateOf(window), State::Ready);
    }

    void whatIsNoLogOpensInATabWhereverItIsDropped()
    {
        WindowBench bench;
        MainWindow window(bench.options(readTraces));
        window.setAttribute(Qt::WA_DontShowOnScreen);
        window.show();
        window.openFiles({bench.file(u"run.pickle"_s, "x")});
        QTRY_COMPARE(stateOf(window), State::Ready);
        const QWidget *page = window.tabs()->current()->page();
        dropOnto(window, {bench.file(u"b.vramplan"_s, "y")},
                 page->mapTo(&window, page->rect().center()));
        QCOMPARE(window.tabs()->documents().size(), 2);
        QTRY_COMPARE(stateOf(window), State::Ready);
    }

    void aFileIsOpenOnce()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        const QString file = bench.file(u"a.pickle"_s, "x");
        window.openFiles({file, bench.file(u"b.pickle"_s, "y"), file});
        QCOMPARE(window.tabs()->documents().size(), 2);
        QCOMPARE(window.tabs()->current()->path(), file);
    }

    void theOpenCommandAsksForFiles()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        bench.files = {bench.file(u"a.pickle"_s, "x")};
        window.run(Command::Open);
        QTRY_COMPARE(stateOf(window), State::Ready);
    }

    void anUnusableFileIsExplainedInPlaceAndTheRestGoesOn()
    {
        WindowBench bench;
        MainWindow window(bench.options(readNothing));
        window.openFiles({bench.file(u"broken.pickle"_s, "x")});
        QTRY_COMPARE(stateOf(window), State::Failed);
        QCOMPARE(window.tabs()->current()->errorPage()->sentence(),
                 u"The file ends early; record it again."_s);
        window.run(Command::NewPlan);
        QCOMPARE(stateOf(window), State::Ready);
        QCOMPARE(window.tabs()->documents().size(), 2);
    }

    void theErrorPageLeadsToAnotherFile()
    {
        WindowBench bench;
        MainWindow window(bench.options(readNothing));
        window.openFiles({bench.file(u"broken.pickle"_s, "x")});
        QTRY_COMPARE(stateOf(window), State::Failed);
        bench.files = {bench.file(u"other.pickle"_s, "x")};
        window.tabs()->current()->errorPage()->findChild<QPushButton *>()->click();
        QCOMPARE(window.tabs()->documents().size(), 2);
        QVERIFY(window.tabs()->current()->path().endsWith(u"other.pickle"_s));
        QTRY_COMPARE(stateOf(window), State::Failed);
    }

    void closingATabStopsItsReading()
    {
        WindowBench bench;
        const auto running = std::make_shared<std::atomic<int>>(0);
        MainWindow window(bench.options(
            [running](const QString &, const Progress &progress) -> Result<DocumentPointer> {
                ++*running;
                while (progress(0.3))
                    QThread::msleep(2);
                --*running;
                return Error{ErrorCode::Cancelled, "Cancelled."};
            }));
        window.openFiles({bench.file(u"long.pickle"_s, "x")});
        QTRY_COMPARE(running->load(), 1);
        QCOMPARE(stateOf(window), State::Loading);
        window.run(Command::CloseTab);
        QTRY_COMPARE(running->load(), 0);
        QCOMPARE(window.tabs()->count(), 1);
    }

    void recentFilesAreRememberedNewestFirst()
    {
        WindowBench bench;
        const QString a = bench.file(u"a.pickle"_s, "x");
        const QString b = bench.file(u"b.pickle"_s, "x");
        {
            MainWindow window(bench.options(readAnything));
            window.openFiles({a, b});
            window.openFiles({a});
            QTRY_COMPARE(stateOf(window), State::Ready);
        }
        QCOMPARE(Preferences(bench.settings()).recentFiles(), QStringList({b, a}));
    }

    void aNewPlanIsUntouchedUntilEdited()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        window.run(Command::NewPlan);
        QVERIFY(!window.tabs()->current()->isModified());
        QVERIFY(window.close());
        QCOMPARE(bench.asked, 0);
    }

    void themeIsSwitchedAndRemembered()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        window.run(Command::AppearanceDark);
        QCOMPARE(QApplication::palette().color(QPalette::Window), darkTheme().window);
        QVERIFY(themeOf(window.tabs()->startPage()).dark);
        QCOMPARE(Preferences(bench.settings()).appearance(), Appearance::Dark);
        window.run(Command::AppearanceLight);
        QCOMPARE(QApplication::palette().color(QPalette::Window), lightTheme().window);
        QVERIFY(!themeOf(window.tabs()->startPage()).dark);
    }

    void theDesktopDecidesWhereTheUserDoesNot()
    {
        WindowBench bench;
        MainWindow::Options options = bench.options(readAnything);
        options.desktopDark = true;
        MainWindow window(std::move(options));
        QVERIFY(themeOf(&window).dark);
        window.run(Command::AppearanceLight);
        QVERIFY(!themeOf(&window).dark);
        window.run(Command::AppearanceSystem);
        QVERIFY(themeOf(&window).dark);
    }

    void theUnitIsRemembered()
    {
        WindowBench bench;
        {
            MainWindow window(bench.options(readAnything));
            window.run(Command::UnitDecimal);
        }
        QCOMPARE(Preferences(bench.settings()).unit(), ByteUnit::Decimal);
    }

    void aFileThatChangesOnDiskIsOfferedAgain()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        const QString path = bench.file(u"a.pickle"_s, "x");
        window.openFiles({path});
        QTRY_COMPARE(stateOf(window), State::Ready);
        bench.file(u"a.pickle"_s, "longer");
        DocumentTab *tab = window.tabs()->current();
        QTRY_VERIFY(!tab->notice()->isHidden());
        QVERIFY(tab->notice()->text().contains(u"changed on disk"_s));
    }

    void aFileThatVanishesIsSaidSo()
    {
        WindowBench bench;
        MainWindow window(bench.options(readAnything));
        const QString path = bench.file(u"a.pickle"_s, "x");
        window.openFiles({path});
        QTRY_COMPARE(stateOf(window), State::Ready);
        QVERIFY(QFile::remove(path));
        DocumentTab *tab = window.tabs()->current();
        QTRY_VERIFY(!tab->notice()->isHidden());
        QVERIFY(tab->notice()->text().contains(u"gone"_s));
        QCOMPARE(stateOf(window), State::Ready);
    }

    void picturesForPeople_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light-1920") << false << QSize(1920, 1080);
        QTest::newRow("dark-1920") << true << QSize(1920, 1080);
        QTest::newRow("light-1280") << false << QSize(1280, 720);
        QTest::newRow("dark-1280") << true << QSize(1280, 720);
        QTest::newRow("light-720") << false << QSize(720, 480);
    }

    void picturesForPeople()
    {
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        WindowBench bench;
        const auto wait = std::make_shared<std::atomic<bool>>(true);
        MainWindow window(bench.options(
            [wait](const QString &path, const Progress &progress) -> Result<DocumentPointer> {
                QThread::msleep(200);
                while (path.contains(u"rank1") && *wait && progress(0.42))
                    QThread::msleep(2);
                return readNothing(path, progress);
            }));
        const auto keep = [&](const QString &what) {
            const QString name =
                u"window-%1-%2.png"_s.arg(what, QString::fromLatin1(QTest::currentDataTag()));
            QVERIFY(window.grab().save(test::pictureFolder() + u'/' + name));
        };
        window.run(dark ? Command::AppearanceDark : Command::AppearanceLight);
        window.resize(size);
        window.show();
        QTest::qWait(50);
        keep(u"first"_s);
        auto *line = window.findChild<QLineEdit *>(u"ask"_s);
        for (const QString &text : {u"Qwen3-32B full fine-tune on 8 H100, 8k"_s,
                                    u"train llama 70b on 16 h100 with blubber"_s,
                                    u"how many h100 to serve llama 3.1 405b fp8"_s,
                                    u"lora on h100"_s, u"vllm serve Qwen/Qwen3-8B"_s}) {
            line->setText(text);
            QTest::qWait(text.startsWith(u"how"_s) ? 3000 : 50);
            keep(u"typed-"_s + text.left(5).simplified().replace(u' ', u'_'));
        }
        line->clear();
        window.openFiles({bench.file(u"rank0_broken.pickle"_s, "x"),
                          bench.file(u"rank1_memory_snapshot.pickle"_s, "x")});
        QTest::qWait(500);
        keep(u"loading"_s);
        *wait = false;
        window.tabs()->setCurrentIndex(1);
        QTRY_COMPARE(stateOf(window), State::Failed);
        keep(u"error"_s);
        QVERIFY(QFile::remove(bench.folder.filePath(u"rank0_broken.pickle"_s)));
        QStringList recent = Preferences(bench.settings()).recentFiles();
        for (int run = 1; run < 7; ++run) {
            const QString folder =
                u"experiments/llama-3.1-70b-instruct/2026-11-29-run%1"_s.arg(run);
            QVERIFY(QDir(bench.folder.path()).mkpath(folder));
            recent.prepend(bench.file(
                folder + u"/rank%1_memory_snapshot_after_step_20000_with_stacks.pickle"_s.arg(run),
                "x"));
        }
        window.tabs()->startPage()->setRecentFiles(recent);
        window.tabs()->setCurrentIndex(0);
        QTest::qWait(50);
        keep(u"start"_s);
        window.run(Command::NewPlan);
        QTest::qWait(50);
        keep(u"plan"_s);
    }
};

VRAMSCOPE_TEST(TestMainWindow)
#include "tst_main_window.moc"
