// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/sweep_view.h"
#include "ui/stage/stage_window.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/live_table.h"
#include "ui/validation/measured_tabs.h"
#include "ui/validation/validation_page.h"
#include "ui/window/command_line.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/error_page.h"
#include "ui/window/export_preview.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/preferences.h"
#include "ui/window/start_page.h"
#include "ui/window/view_export_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QUndoStack>

#include <filesystem>
#include <fstream>

using namespace vramscope;
using namespace Qt::StringLiterals;

using State = DocumentTab::State;

/// The window with its own documents: the examples that ship and plans that are edited and saved.
class TestDocuments : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    SaveAnswer m_answer = SaveAnswer::Cancel;
    QString m_name;
    QStringList m_openedWritten;
    QStringList m_told;
    int m_asked = 0;

    std::unique_ptr<MainWindow> makeWindow()
    {
        MainWindow::Options options;
        options.preferencesFile = m_folder->filePath(u"settings.ini"_s);
        Questions questions;
        questions.askToSave = [this](const QString &) {
            ++m_asked;
            return m_answer;
        };
        questions.askForName = [this](const QString &) { return m_name; };
        questions.askForFiles = [] { return QStringList(); };
        questions.tell = [this](const QString &text) { m_told += text; };
        questions.openWritten = [this](const QString &name) { m_openedWritten += name; };
        options.questions = std::move(questions);
        return std::make_unique<MainWindow>(std::move(options));
    }

    static void edit(DocumentTab *tab, std::int64_t microBatch)
    {
        auto *page = qobject_cast<PlanPage *>(tab->page());
        QVERIFY(page);
        const Field *field = findField("batch.micro_batch");
        QVERIFY(field);
        QVERIFY(page->edit(*field, FieldValue(microBatch)).ok());
    }

private Q_SLOTS:
    void init() override
    {
        test::Test::init();
        m_folder = std::make_unique<QTemporaryDir>();
        m_answer = SaveAnswer::Cancel;
        m_name.clear();
        m_told.clear();
        m_asked = 0;
    }

    void plansAndTracesShip()
    {
        qsizetype plans = 0;
        for (const Example &example : examples()) {
            plans += example.plan ? 1 : 0;
            QVERIFY(!example.title.isEmpty());
        }
        QVERIFY(plans >= 6);
        QVERIFY(static_cast<qsizetype>(examples().size()) - plans >= 2);
    }

    void everyExampleOpensWithOneClick()
    {
        const auto window = makeWindow();
        window->show();
        for (const Example &example : examples()) {
            Q_EMIT window->tabs()->startPage()->documentWanted(example.path);
            DocumentTab *tab = window->tabs()->current();
            QTRY_COMPARE(tab->state(), State::Ready);
            QCOMPARE(tab->title(), example.title);
            QCOMPARE(tab->page()->plan() != nullptr, example.plan);
            QVERIFY(tab->page()->isVisible());
            QVERIFY(!tab->isModified());
        }
        QVERIFY(Preferences(m_folder->filePath(u"settings.ini"_s)).recentFiles().isEmpty());
    }

    void anExampleIsPresentedByTheButtonBesideTheTabs()
    {
        const auto window = makeWindow();
        window->show();
        Q_EMIT window->tabs()->startPage()->documentWanted(
            u":/examples/llama-70b-serving-2xh200.vramplan"_s);
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        for (auto *button : window->findChildren<QPushButton *>()) {
            if (button->text() == u"Present"_s && button->isVisible())
                button->click();
        }
        QTRY_VERIFY(window->findChild<StageWindow *>());
    }

    void twoExamplesOpenInOneTab()
    {
        const auto window = makeWindow();
        window->show();
        for (const ExamplePair &pair : examplePairs()) {
            Q_EMIT window->tabs()->startPage()->pairWanted(pair.first, pair.second);
            QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
            QVERIFY(window->tabs()->current()->path().isEmpty());
        }
    }

    void namesStayReadableInManyTabs()
    {
        const auto window = makeWindow();
        window->resize(1280, 720);
        window->show();
        for (int plan = 0; plan < 12; ++plan)
            window->run(Command::NewPlan);
        const QTabBar *bar = window->tabs()->tabBar();
        QCOMPARE(bar->count(), 13);
        const int least = 20 * bar->fontMetrics().averageCharWidth();
        const int start = bar->fontMetrics().horizontalAdvance(bar->tabText(0));
        QVERIFY(bar->tabRect(0).width() > start); // all of "Start"
        for (int tab = 1; tab < bar->count(); ++tab)
            QVERIFY2(bar->tabRect(tab).width() >= least,
                     qPrintable(QString::number(bar->tabRect(tab).width())));
    }

    void theStatusBarNamesTheBaselineAndHowMuchDiffers()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        DocumentTab *tab = window->tabs()->current();
        auto *page = qobject_cast<PlanPage *>(tab->page());
        const auto *status = window->statusBar()->findChild<QLabel *>();
        QVERIFY(!status->text().contains(u"baseline"_s));
        edit(tab, 2);
        QVERIFY2(status->text().contains(u"baseline: as opened, 1 setting differs"_s),
                 qPrintable(status->text()));
        page->pinScenario();
        page->scenarios()->setBaseline(0);
        QVERIFY2(status->text().contains(u"baseline: A, no setting differs"_s),
                 qPrintable(status->text()));
        edit(tab, 4);
        QVERIFY(page->edit(*findField("batch.sequence_length"), std::int64_t(1024)).ok());
        QVERIFY2(status->text().contains(u"baseline: A, 2 settings differ"_s),
                 qPrintable(status->text()));
    }

    void howFarToTrustThePlannerIsAnsweredInOneTab()
    {
        const auto window = makeWindow();
        window->show();
        window->run(Command::NewPlan);
        auto *plan = qobject_cast<PlanPage *>(window->tabs()->current()->page());
        QVERIFY(plan);
        plan->answer()->setFiguresShown(true);
        auto *link = plan->answer()->findChild<QPushButton *>();
        QVERIFY(link && link->isVisible());
        link->click();
        DocumentTab *tab = window->tabs()->current();
        QTRY_COMPARE_WITH_TIMEOUT(tab->state(), State::Ready, 60'000);
        QCOMPARE(tab->title(), u"How far to trust it"_s);
        auto *tabs = qobject_cast<MeasuredTabs *>(tab->page());
        QVERIFY(tabs);
        ValidationPage *page = tabs->memory();
        QCOMPARE(page->filter().group, runKind(plan->plan()));
        window->run(Command::Trust); // is open already
        QCOMPARE(window->tabs()->documents().size(), 2);
        QCOMPARE(window->tabs()->current(), tab);

        page->openRow(0);
        DocumentTab *opened = window->tabs()->current();
        QVERIFY(opened != tab);
        const MeasuredRow &row = page->validation().rows[0].row;
        QCOMPARE(opened->title(), QString::fromStdString(row.id));
        QVERIFY(opened->path().isEmpty()); // saving asks for a name
        QVERIFY(!opened->isModified());
        QVERIFY(opened->notice()->text().contains(QString::fromStdString(row.source)));
        QVERIFY(Preferences(m_folder->filePath(u"settings.ini"_s)).recentFiles().isEmpty());
    }

    void aFileDroppedOnATextBoxOpens()
    {
        const auto window = makeWindow();
        window->show();
        window->run(Command::NewPlan);
        QWidget *plan = window->tabs()->current();
        auto *box = plan->findChild<QLineEdit *>();
        QVERIFY(box);
        const QString before = box->text();
        QFile file(m_folder->filePath(u"a.pickle"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file.fileName())});
        data.setText(file.fileName());
        QDragEnterEvent enter({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(box, &enter);
        QDropEvent drop({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(box, &drop);
        QCOMPARE(box->text(), before);
        QCOMPARE(window->tabs()->documents().size(), 2);
        QTRY_COMPARE(window->tabs()->current()->state(), State::Failed);
    }

    void aFileWhoseNameIsNoUtf8OpensAndIsShown()
    {
        const std::filesystem::path folder =
            std::filesystem::path(m_folder->path().toStdString()) / "dos\xE9";
        QVERIFY(std::filesystem::create_directory(folder));
        QFile example(u":/examples/training-out-of-memory.pickle"_s);
        QVERIFY(example.open(QIODevice::ReadOnly));
        std::ofstream(folder / "lat\xE9.pickle", std::ios::binary)
            << example.readAll().toStdString();
        const QString path = pathText((folder / "lat\xE9.pickle").native());
        {
            const auto window = makeWindow();
            window->openFiles({path});
            DocumentTab *tab = window->tabs()->current();
            QTRY_COMPARE(tab->state(), State::Ready);
            QCOMPARE(tab->title(), u"lat\uFFFD.pickle"_s);
            QCOMPARE(tab->path(), path);
            QVERIFY(tab->file().known());
        }
        const QStringList recent = Preferences(m_folder->filePath(u"settings.ini"_s)).recentFiles();
        QCOMPARE(recent.value(0), path);
        const RecentFile shown = describeRecentFiles(recent).front();
        QCOMPARE(shown.name, u"lat\uFFFD.pickle"_s);
        QVERIFY(shown.folder.endsWith(u"/dos\uFFFD"_s));
        QVERIFY(shown.exists);

        const auto window = makeWindow();
        QMimeData data;
        data.setUrls({QUrl::fromEncoded("file://" + QFile::encodeName(m_folder->path()) +
                                        "/dos%E9/lat%E9.pickle")});
        QDragEnterEvent enter({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QDropEvent drop({2, 2}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &drop);
        QVERIFY(window->tabs()->current());
        QCOMPARE(window->tabs()->current()->path(), path);
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        // A folder of ranks likewise.
        window->openFiles({pathText(folder.native())});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        QCOMPARE(window->tabs()->current()->title(), u"dos\uFFFD"_s);
        std::filesystem::remove_all(folder); // Qt would not find it
    }

    void theStatusBarSaysHowLongAnEstimateTook()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        QVERIFY(window->tabs()->current()->statusText().startsWith(u"estimate "_s));
    }

    void theMenuLeadsToThePeakOfATrace()
    {
        const auto window = makeWindow();
        window->show();
        const auto trace = std::find_if(examples().begin(), examples().end(),
                                        [](const Example &example) { return !example.plan; });
        window->tabs()->openFile(trace->path);
        DocumentTab *tab = window->tabs()->current();
        QTRY_COMPARE(tab->state(), State::Ready);
        TimelineState *timeline = tab->page()->timeline();
        timeline->setCursor(0);
        window->run(Command::Peak);
        QVERIFY(timeline->cursor() > 0);
        const EventIndex peak = timeline->cursor();
        timeline->showEvents(0, 10);
        window->run(Command::Peak);
        QCOMPARE(timeline->cursor(), peak);
        QVERIFY(timeline->visible().x.high >= double(peak));
    }

    void anEditMarksThePlanAndUndoUnmarksIt()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        DocumentTab *tab = window->tabs()->current();
        edit(tab, 4);
        QVERIFY(tab->isModified());
        QVERIFY(window->isWindowModified());
        QVERIFY(window->tabs()->tabText(1).endsWith(u'\u25cf'));
        window->run(Command::Undo);
        QVERIFY(!tab->isModified());
        QVERIFY(!window->isWindowModified());
        window->run(Command::Redo);
        QVERIFY(tab->isModified());
    }

    void anUnsavedPlanStaysOpenWhenTheUserThinksAgain()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        edit(window->tabs()->current(), 4);
        QVERIFY(!window->close());
        window->run(Command::CloseTab);
        QCOMPARE(m_asked, 2);
        QCOMPARE(window->tabs()->documents().size(), 1);
    }

    void anUnsavedPlanIsDroppedWhenTheUserSaysSo()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        edit(window->tabs()->current(), 4);
        m_answer = SaveAnswer::Discard;
        window->run(Command::CloseTab);
        QCOMPARE(m_asked, 1);
        QVERIFY(window->tabs()->documents().isEmpty());
        QVERIFY(window->close());
    }

    void savingWhileClosingWritesThePlan()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        edit(window->tabs()->current(), 4);
        m_answer = SaveAnswer::Save;
        m_name = m_folder->filePath(u"mine.vramplan"_s);
        QVERIFY(window->close());
        const auto saved = readPlan(m_name.toStdString());
        QVERIFY(saved.ok());
        QCOMPARE(saved.value().batch.microBatch, 4);
    }

    void aSavedPlanIsOfItsFileAndOpensAgainTheSame()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        DocumentTab *tab = window->tabs()->current();
        edit(tab, 2);
        m_name = m_folder->filePath(u"mine.vramplan"_s);
        window->run(Command::SaveAs);
        QVERIFY(!tab->isModified());
        QCOMPARE(tab->path(), m_name);
        QCOMPARE(tab->title(), u"mine.vramplan"_s);
        const Plan plan = *tab->page()->plan();
        edit(tab, 8);
        window->run(Command::Save);
        window->run(Command::Undo);
        QVERIFY(tab->isModified());

        m_answer = SaveAnswer::Discard;
        window->run(Command::CloseTab);
        window->openFiles({m_name});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        QCOMPARE(window->tabs()->current()->page()->plan()->batch.microBatch, 8);
        QCOMPARE(window->tabs()->current()->page()->plan()->model, plan.model);
        QCOMPARE(Preferences(m_folder->filePath(u"settings.ini"_s)).recentFiles().first(), m_name);
    }

    void anExampleIsSavedUnderAnotherName()
    {
        const auto window = makeWindow();
        window->tabs()->openFile(examples().front().path);
        DocumentTab *tab = window->tabs()->current();
        QTRY_COMPARE(tab->state(), State::Ready);
        window->run(Command::Save);
        QVERIFY(isExample(tab->path()));
        m_name = m_folder->filePath(u"mine.vramplan"_s);
        window->run(Command::Save);
        QCOMPARE(tab->path(), m_name);
    }

    void aPlanThatCannotBeWrittenIsSaidSoAndStaysUnsaved()
    {
        const auto window = makeWindow();
        window->run(Command::NewPlan);
        edit(window->tabs()->current(), 4);
        m_name = m_folder->filePath(u"no/such/folder/mine.vramplan"_s);
        window->run(Command::SaveAs);
        QCOMPARE(m_told.size(), 1);
        QVERIFY(window->tabs()->current()->isModified());
    }

    void theKeyCopiesThePictureAndTheData()
    {
        const auto window = makeWindow();
        window->resize(1200, 800);
        window->show();
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        const auto copied = [&] {
            QApplication::clipboard()->clear();
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget()
                                                        : window.get(),
                            Qt::Key_C, Qt::ControlModifier);
            return QApplication::clipboard()->mimeData();
        };
        window->openFiles({examples().back().path});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        DocumentPage &trace = *window->tabs()->current()->page();
        trace.workNow();
        trace.setFocus();
        // Nothing is chosen: all of it.
        QVERIFY(copied()->hasImage());
        QVERIFY(copied()->html().contains(u"<table>"_s));
        QVERIFY(copied()->data(u"text/csv"_s).contains("\r\n"));
        trace.timeline()->select(12);
        QVERIFY(copied()->hasImage());
        QVERIFY(!copied()->hasHtml());
        QVERIFY2(copied()->text().contains(u"train.py"_s), qPrintable(copied()->text()));
        QTableView *table = trace.findChild<LiveTable *>()->view();
        QTRY_VERIFY(table->model()->rowCount() > 0);
        table->setFocus();
        table->selectRow(0);
        QVERIFY(copied()->hasImage());
        QVERIFY(copied()->text().startsWith(table->model()->index(0, 0).data().toString()));
        QCOMPARE(copied()->text().count(u'\n'), 0);

        window->run(Command::NewPlan);
        const Plan plan = *window->tabs()->current()->page()->plan();
        window->tabs()->current()->page()->setFocus();
        QVERIFY(copied()->hasImage());
        QVERIFY(copied()->html().contains(u"<td>Parameters</td>"_s));
        QVERIFY(*parsePlan(copied()->text().toStdString()) == plan);
    }

    void aPageHasAMenuOfWhatLeavesIt()
    {
        const auto window = makeWindow();
        window->resize(1200, 800);
        window->show();
        const auto menuAt = [&](QWidget *widget) -> QMenu * {
            const QPoint at = widget->rect().center();
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
            QApplication::sendEvent(widget, &event);
            return qobject_cast<QMenu *>(QApplication::activePopupWidget());
        };
        QVERIFY(!menuAt(window->tabs()->startPage()));
        window->openFiles({examples().back().path});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        auto *view = window->tabs()->current()->page()->findChild<TimelineView *>();
        QVERIFY(view);
        QMenu *menu = menuAt(view);
        QVERIFY(menu);
        QStringList texts;
        for (const QAction *action : menu->actions()) {
            QVERIFY(action->isEnabled());
            texts += action->text().remove(u'&');
        }
        QCOMPARE(texts, QStringList({u"Copy"_s, u"Copy picture and table"_s, u"Export view…"_s,
                                     u"Save as page…"_s, u"Present"_s}));
        menu->close();
    }

    void anExportOfAnotherSizeShowsTheSameSweep()
    {
        const auto window = makeWindow();
        window->resize(1300, 900);
        window->show();
        window->openFiles({examples().front().path});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        DocumentPage &page = *window->tabs()->current()->page();
        page.planEditing()->showPlanView(PlanView::Sweep);
        auto *sweep = page.findChild<SweepView *>();
        QVERIFY(sweep);
        sweep->setField(*findField("batch.sequence_length"));
        QTRY_VERIFY(!sweep->points().empty());
        const PageContent content(page, {});
        ViewExport how;
        how.size = {1600, 1000};
        const ExportedView exhibit = exportedView(page, content, ByteUnit::Binary, how, false);
        const Table table = exhibit.table(1000);
        QCOMPARE(table.columns.front(), toQString(findField("batch.sequence_length")->label));
        QCOMPARE(std::ssize(table.rows), std::ssize(sweep->points()));
        QCOMPARE(table.rows.back()[1].exact, sweep->points().back().device);
    }

    void whatLeavesWithoutNamesHasNoneOfThem()
    {
        const QString home = m_folder->filePath(u"home/wilhelmina/runs"_s);
        QVERIFY(QDir().mkpath(home));
        const QString path = home + u"/wilhelmina-oom.pickle"_s;
        QVERIFY(QFile::copy(examples().back().path, path));
        const auto window = makeWindow();
        window->resize(1200, 800);
        window->show();
        window->openFiles({path});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        DocumentPage &page = *window->tabs()->current()->page();
        auto *filter = page.findChild<FilterField *>();
        QVERIFY(filter);
        filter->setText(u"file:/home/wilhelmina/train.py"_s);
        window->run(Command::ExportPicture);
        auto *dialog = window->findChild<ViewExportDialog *>();
        QVERIFY(dialog);
        dialog->setRedacted(true);
        QVERIFY(dialog->replaced()->topLevelItemCount() > 0);
        QVERIFY(dialog->replaced()->topLevelItem(0)->text(0).contains(u"wilhelmina"_s));
        ViewExport how = dialog->choice();
        for (const ViewFormat format : {ViewFormat::Svg, ViewFormat::Csv, ViewFormat::Json}) {
            how.format = format;
            m_name = m_folder->filePath(u"out."_s + endingOf(format));
            Q_EMIT dialog->exportWanted(how);
            QFile file(m_name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QVERIFY(!text.isEmpty());
            QVERIFY(!text.toLower().contains("wilhelmina"));
        }
        dialog->reject();
        m_name = m_folder->filePath(u"report.html"_s);
        window->run(Command::ReportWithoutNames);
        QTRY_VERIFY(QFile::exists(m_name));
        QFile report(m_name);
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(!report.readAll().toLower().contains("wilhelmina"));
    }

    void aChartLeavesWithoutWhatIsAroundIt()
    {
        const auto window = makeWindow();
        window->resize(1200, 800);
        window->show();
        window->openFiles({examples().back().path});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        const DocumentPage &page = *window->tabs()->current()->page();
        const PageContent content(page, {});
        QVERIFY(content.hasChart());
        ViewExport how;
        how.format = ViewFormat::Svg;
        for (const QSize size : {QSize(), QSize(1280, 720)}) {
            how.size = size;
            how.alone = false;
            const auto textOf = [&] {
                return *exported(exportedView(page, content, ByteUnit::Binary, how, false),
                                 ViewFormat::Svg);
            };
            QVERIFY(textOf().contains(">Bookmarks<")); // in the side panel
            how.alone = true;
            const QByteArray alone = textOf();
            QVERIFY(!alone.contains(">Bookmarks<"));
            QVERIFY(alone.contains(">peak "));
            const ExportedView view = exportedView(page, content, ByteUnit::Binary, how, false);
            QVERIFY(image(view, 2).save(test::pictureFolder() +
                                        u"/chart-alone%1.png"_s.arg(size.width())));
        }
        window->run(Command::NewPlan);
        const DocumentPage &plan = *window->tabs()->current()->page();
        const PageContent ofPlan(plan, {});
        how.alone = true;
        const QByteArray bars =
            *exported(exportedView(plan, ofPlan, ByteUnit::Binary, how, false), ViewFormat::Svg);
        QVERIFY(bars.contains("Optimizer states") && !bars.contains(">Sweep<"));
    }

    void everyPageCanBeCopiedAndWrittenAsAPicture()
    {
        const auto window = makeWindow();
        window->resize(1200, 800);
        window->show();
        window->run(Command::NewPlan);
        window->run(Command::CopyPicture);
        const QImage copied = QApplication::clipboard()->image();
        QVERIFY(copied.width() > 600);
        const QMimeData *data = QApplication::clipboard()->mimeData();
        QVERIFY(data->html().contains(u"<td>Parameters</td>"_s));
        QVERIFY(data->data(u"text/csv"_s).startsWith("Part,"));
        m_name = m_folder->filePath(u"plan.png"_s);
        window->run(Command::ExportPicture);
        auto *dialog = window->findChild<ViewExportDialog *>();
        QVERIFY(dialog);
        QTRY_VERIFY(!dialog->preview()->image().isNull()); // what will be written
        dialog->setFormat(ViewFormat::Csv);
        QTRY_VERIFY(dialog->preview()->text().startsWith(u"Part,"_s));
        dialog->setFormat(ViewFormat::Png);
        ViewExport how = dialog->choice();
        how.captioned = false;
        const QSize seen = window->tabs()->current()->page()->size();
        Q_EMIT dialog->exportWanted(how);
        QCOMPARE(QImage(m_name).size(), seen);
        how.size = {1280, 720};
        how.captioned = true;
        how.dark = !how.dark;
        Q_EMIT dialog->exportWanted(how);
        QCOMPARE(QImage(m_name).size(), how.size);
        QCOMPARE(QImage(m_name).pixelColor(1, 1).lightness() < 128, how.dark);
        how.format = ViewFormat::Csv;
        m_name = m_folder->filePath(u"plan.csv"_s);
        Q_EMIT dialog->exportWanted(how);
        QFile table(m_name);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QVERIFY(table.readAll().startsWith("Part,"));
    }

    void aReportIsWrittenOfWhatIsInFront()
    {
        const auto window = makeWindow();
        window->run(Command::Report); // of the start page there is none
        window->run(Command::NewPlan);
        for (const QString &name : {u"r.html"_s, u"r.pdf"_s}) {
            m_name = m_folder->filePath(name);
            window->run(name.endsWith(u"f"_s) ? Command::ReportWithoutNames : Command::Report);
            QTRY_VERIFY(QFile::exists(m_name));
        }
        const Plan plan = *window->tabs()->current()->page()->plan();
        const auto opened = readDocument(m_folder->filePath(u"r.html"_s), {});
        QVERIFY(opened.ok());
        QVERIFY((*opened)->imported()->plan == plan);
        m_name = m_folder->filePath(u"no/such/folder/r.html"_s);
        window->run(Command::Report);
        QTRY_COMPARE(m_told.size(), 1);
        QVERIFY2(m_told.back().contains(u"No such file"_s), qPrintable(m_told.back()));
        m_name = u"/dev/full"_s;
        window->run(Command::Report);
        QTRY_COMPARE(m_told.size(), 2);
        QVERIFY2(m_told.back().contains(u"No space left on device"_s), qPrintable(m_told.back()));
        m_name = m_folder->filePath(u"r.txt"_s);
        window->run(Command::Report);
        QCOMPARE(m_told.size(), 3);
        QVERIFY2(m_told.back().contains(u".html or .pdf"_s), qPrintable(m_told.back()));
        QVERIFY(!QFile::exists(m_name));
        Plan other = plan;
        other.batch.microBatch = 7;
        window->tabs()->current()->page()->plansBeside()->addPlan({other, u"seven at once"_s});
        m_name = m_folder->filePath(u"both.html"_s);
        window->run(Command::Report);
        QTRY_VERIFY(QFile::exists(m_name));
        QFile both(m_name);
        QVERIFY(both.open(QIODevice::ReadOnly));
        const QByteArray page = both.readAll();
        QVERIFY(page.contains("The settings that differ"));
        QVERIFY(page.contains("seven at once</h1>"));
    }

    void aPresentationIsWrittenAndCanBeOpened()
    {
        const auto window = makeWindow();
        window->run(Command::ExportPresentation); // of the start page there is none
        window->run(Command::NewPlan);
        for (const QString &name : {u"p.pptx"_s, u"p.pdf"_s}) {
            m_name = m_folder->filePath(name);
            window->run(Command::ExportPresentation);
            QTRY_VERIFY(QFileInfo(m_name).size() > 10'000);
            NoticeBar *notice = window->tabs()->current()->notice();
            QVERIFY(notice->isVisibleTo(window->tabs()->current()));
            QCOMPARE(notice->text(), u"Written to %1."_s.arg(m_name));
            m_openedWritten.clear();
            notice->findChild<QPushButton *>()->click();
            QCOMPARE(m_openedWritten, QStringList(m_name));
        }
        m_name = m_folder->filePath(u"p.txt"_s);
        window->run(Command::ExportPresentation);
        QCOMPARE(m_told.size(), 1);
        QVERIFY2(m_told.back().contains(u".pptx or .pdf"_s), qPrintable(m_told.back()));
    }

    void whatIsOpenIsNotOverwritten()
    {
        const QString open = m_folder->filePath(u"plan.html"_s); // a plan, whatever its name
        QVERIFY(QFile::copy(u":/examples/gpt2-small-h100.vramplan"_s, open));
        const auto window = makeWindow();
        window->openFiles({open});
        QTRY_COMPARE(window->tabs()->current()->state(), State::Ready);
        m_name = open;
        window->run(Command::Report);
        QTRY_COMPARE(m_told.size(), 1);
        QVERIFY2(m_told.back().contains(u"is not overwritten"_s), qPrintable(m_told.back()));
        QVERIFY(readDocument(open, {}).ok());
    }

    void aLackOfMemoryIsOfItsTabAlone()
    {
        MainWindow::Options options;
        options.preferencesFile = m_folder->filePath(u"settings.ini"_s);
        options.reader = [](const QString &path,
                            const Progress &progress) -> Result<DocumentPointer> {
            if (path.endsWith(u"large"_s))
                throw std::bad_alloc();
            return readDocument(path, progress);
        };
        MainWindow window(std::move(options));
        window.openFiles({u":/examples/gpt2-small-h100.vramplan"_s});
        QTRY_COMPARE(window.tabs()->current()->state(), State::Ready);
        DocumentTab *first = window.tabs()->current();
        window.openFiles({m_folder->filePath(u"large"_s)});
        QTRY_COMPARE(window.tabs()->current()->state(), State::Failed);
        QVERIFY(window.tabs()->current()->errorPage()->sentence().startsWith(
            u"There is not enough memory"_s));
        QCOMPARE(first->state(), State::Ready);
    }

    void theUnitReachesEveryPage()
    {
        const auto window = makeWindow();
        window->run(Command::UnitDecimal);
        window->run(Command::NewPlan);
        const auto *page = qobject_cast<PlanPage *>(window->tabs()->current()->page());
        QCOMPARE(page->unit(), ByteUnit::Decimal);
        window->run(Command::UnitBinary);
        QCOMPARE(page->unit(), ByteUnit::Binary);
    }

    void theCheckPassesWithTheExamplesAndFailsWithASentence()
    {
        QCOMPARE(checkWindow({}).message, QString());
        const Outcome outcome = checkWindow({u"/no/such/file"_s});
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.message.contains(u"/no/such/file"_s));
    }

    void picturesForPeople_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light-1600") << false << QSize(1600, 1000);
        QTest::newRow("dark-1600") << true << QSize(1600, 1000);
        QTest::newRow("light-1000") << false << QSize(1000, 700);
        QTest::newRow("dark-1000") << true << QSize(1000, 700);
    }

    void picturesForPeople()
    {
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        const auto window = makeWindow();
        window->run(dark ? Command::AppearanceDark : Command::AppearanceLight);
        window->resize(size);
        window->show();
        window->openFiles({examples().front().path, examples().back().path});
        for (DocumentTab *tab : window->tabs()->documents())
            QTRY_COMPARE(tab->state(), State::Ready);
        for (int tab = 0; tab < window->tabs()->count(); ++tab) {
            window->tabs()->setCurrentIndex(tab);
            QTest::qWait(20);
            const QString name =
                u"documents-%1-%2.png"_s.arg(QString::fromLatin1(QTest::currentDataTag())).arg(tab);
            QVERIFY(window->grab().save(test::pictureFolder() + u'/' + name));
        }
    }
};

VRAMSCOPE_TEST(TestDocuments)
#include "tst_documents.moc"
