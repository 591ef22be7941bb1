// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"
#include "ui/offscreen/examples.h"
#include "ui/support/file_path.h"
#include "ui/support/theme.h"
#include "ui/window/commands.h"
#include "ui/window/loading_page.h"
#include "ui/window/preferences.h"
#include "ui/window/row_button.h"
#include "ui/window/start_page.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextDocumentFragment>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QPushButton *buttonWith(const QWidget &page, const QString &text)
{
    for (auto *button : page.findChildren<QPushButton *>()) {
        if (button->text().startsWith(text))
            return button;
    }
    return nullptr;
}

} // namespace

class TestStartPage : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void itSaysHowFarPlansAreToBeTrusted()
    {
        StartPage page;
        auto *label = page.findChild<QLabel *>(u"accuracy"_s);
        QVERIFY2(QTextDocumentFragment::fromHtml(label->text())
                     .toPlainText()
                     .contains(QString::fromStdString(firstSightText(shippedRows()))),
                 qPrintable(label->text()));
        QVERIFY(!label->text().contains(u" %"_s)); // no line begins with a unit
        QVERIFY(label->toolTip().contains(u"a plan is an estimate"));
        const QSignalSpy wanted(&page, &StartPage::documentWanted);
        Q_EMIT label->linkActivated(u"#"_s);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.first().first().toString(), trustPath());
    }

    void aRecentFileComesFirstAndOnce()
    {
        const QStringList files = {u"/a"_s, u"/b"_s, u"/c"_s};
        QCOMPARE(withRecentFile(files, u"/c"_s), QStringList({u"/c"_s, u"/a"_s, u"/b"_s}));
        QCOMPARE(withRecentFile(files, u"/d"_s).first(), u"/d"_s);
    }

    void theListOfRecentFilesEnds()
    {
        QStringList files;
        for (int at = 0; at < 40; ++at)
            files = withRecentFile(files, u"/file%1"_s.arg(at));
        QCOMPARE(files.size(), kRecentFileCount);
        QCOMPARE(files.first(), u"/file39"_s);
    }

    void aRelativeNameIsRememberedFromTheRoot()
    {
        QVERIFY(QDir::isAbsolutePath(withRecentFile({}, u"run.pickle"_s).first()));
    }

    void theHomeFolderIsWrittenShort()
    {
        const auto described = describeRecentFiles(
            {QDir::homePath() + u"/runs/a.pickle"_s, QDir::homePath() + u"er/b.pickle"_s});
        QCOMPARE(described[0].folder, u"~/runs"_s);
        QCOMPARE(described[1].folder, QDir::homePath() + u"er"_s);
    }

    void missingFilesAreGreyedAndOthersOpen()
    {
        const QTemporaryDir folder;
        const QString there = folder.filePath(u"there.pickle"_s);
        QFile file(there);
        QVERIFY(file.open(QIODevice::WriteOnly));
        StartPage page;
        page.setRecentFiles({there, folder.filePath(u"gone.pickle"_s)});
        const QSignalSpy wanted(&page, &StartPage::documentWanted);
        QVERIFY(!buttonWith(page, u"gone.pickle"_s)->isEnabled());
        buttonWith(page, u"there.pickle"_s)->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.first().first().toString(), there);
    }

    void theNewestFilesAreListedAndALinkHasTheRest()
    {
        StartPage page;
        auto *all = buttonWith(page, u"All recent files"_s);
        QVERIFY(all->isHidden() && buttonWith(page, u"Llama 3.1 70B"_s));
        QStringList files;
        for (int at = 0; at < 5; ++at)
            files += u"/runs/file%1"_s.arg(at);
        page.setRecentFiles(files);
        QVERIFY(buttonWith(page, u"file3"_s) && !buttonWith(page, u"file4"_s));
        QVERIFY(!all->isHidden());
        page.setRecentFiles({});
        QVERIFY(all->isHidden() && buttonWith(page, u"Llama 3.1 70B"_s));
    }

    void everyWayToADocumentIsARowWithItsKey()
    {
        StartPage page;
        QList<Command> ran;
        connect(&page, &StartPage::commandWanted, this, [&](Command command) { ran += command; });
        for (const QString &text :
             {u"A recording"_s, u"A folder of ranks"_s, u"Another tool"_s, u"A new plan"_s}) {
            auto *row = qobject_cast<RowButton *>(buttonWith(page, text));
            QVERIFY2(row, qPrintable(text));
            row->click();
            QVERIFY(!row->end().isEmpty());
            QCOMPARE(row->end(), keyText(ran.back()));
        }
        QCOMPARE(ran, QList<Command>({Command::Open, Command::OpenRanks, Command::ImportSettings,
                                      Command::NewPlan}));
    }

    void examplesStandWhereNoFileWasOpened()
    {
        StartPage page;
        QStringList opened;
        connect(&page, &StartPage::documentWanted, this,
                [&](const QString &path) { opened += path; });
        const auto endOf = [&](const QString &name) {
            auto *row =
                qobject_cast<RowButton *>(buttonWith(page, documentTitle(u":/examples/"_s + name)));
            if (row)
                row->click();
            return row ? row->end() : QString();
        };
        QCOMPARE(endOf(u"llama-70b-8xh200.vramplan"_s), u"does not fit"_s);
        QCOMPARE(endOf(u"llama-70b-serving-2xh200.vramplan"_s), u"fits"_s);
        QCOMPARE(endOf(u"training-out-of-memory.pickle"_s), u"recording"_s);
        QCOMPARE(opened.size(), 3);
        const QSignalSpy wanted(&page, &StartPage::pairWanted);
        buttonWith(page, examplePairs().front().title)->click();
        QCOMPARE(wanted.count(), 1);
    }

    void allOfItIsOnTheFirstScreen()
    {
        applyTheme(lightTheme());
        StartPage page;
        page.resize(1280, 680); // a window of 720, without its tabs
        page.show();
        auto *line = page.findChild<QLineEdit *>(u"ask"_s);
        for (const QString &text : {QString(), u"Qwen3-32B full fine-tune on 8 H100, 8k"_s}) {
            line->setText(text);
            QCoreApplication::processEvents();
            QCOMPARE(line->height(), 56);
            QCOMPARE(page.verticalScrollBar()->maximum(), 0);
            QCOMPARE(page.horizontalScrollBar()->maximum(), 0);
            QRect all;
            for (const QWidget *part : page.widget()->findChildren<QWidget *>())
                if (qobject_cast<const QPushButton *>(part) || qobject_cast<const QLabel *>(part))
                    all |= QRect(part->mapTo(&page, QPoint()), part->size());
            QVERIFY2(all.height() <= 560, qPrintable(QString::number(all.height())));
            QVERIFY2(all.width() <= 816, qPrintable(QString::number(all.width())));
        }
        page.resize(720, 440); // the smallest window
        QCoreApplication::processEvents();
        QCOMPARE(page.horizontalScrollBar()->maximum(), 0);
    }

    void everyKeyGoesToTheLine()
    {
        StartPage page;
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        auto *line = page.findChild<QLineEdit *>(u"ask"_s);
        buttonWith(page, u"A recording"_s)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), 'q');
        QTest::keyClick(QApplication::focusWidget(), '3');
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(line));
        QCOMPARE(line->text(), u"q3"_s);
    }

    void theKeyboardReachesEveryRow()
    {
        StartPage page;
        page.resize(1100, 620);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QSet<QWidget *> reached;
        auto *rows = page.widget();
        QWidget *at = buttonWith(page, u"A new plan"_s);
        at->setFocus();
        const QWidget *first = at; // a text with several links has a step for each
        for (int step = 0; step < 150 && (step == 0 || at != first); ++step) {
            reached.insert(at);
            QTest::keyClick(at, Qt::Key_Tab);
            at = QApplication::focusWidget();
            QVERIFY(at);
        }
        for (QPushButton *row : rows->findChildren<QPushButton *>()) {
            QVERIFY2(!row->isVisible() || reached.contains(row), qPrintable(row->text()));
            QVERIFY(!row->accessibleName().isEmpty());
        }
    }

    void theLineComesFirstAndHasTheFocus()
    {
        StartPage page;
        page.resize(1280, 720);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        auto *line = page.findChild<QLineEdit *>(u"ask"_s);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(line));
        const auto top = [&](const QWidget *widget) { return widget->mapTo(&page, QPoint()).y(); };
        for (const QPushButton *row : page.widget()->findChildren<QPushButton *>())
            QVERIFY2(row->isHidden() || top(row) > top(line), qPrintable(row->text()));
        QCOMPARE(line->height(), 56);
        QVERIFY(line->font().pointSizeF() > page.font().pointSizeF());
    }

    /// Open, type, decide: the line has the focus, the verdict stands under it while one types, and
    /// Enter opens the plan.
    void aQuestionIsDecidedByTypingIt_data()
    {
        QTest::addColumn<QString>("question");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *question, const char *says) {
            QTest::newRow(question) << QString::fromUtf8(question) << QString::fromUtf8(says);
        };
        row("can my 3090 run qwen3 32b q4_k_m with 16k context", "Fits ");
        row("qlora gemma 3 12b unsloth on a 4060 ti 16gb", "Fits ");
        row("full fine-tune llama 3.1 8b 8x a100 80gb fsdp2", "Fits ");
        row("deepseek r1 on 8 h200 sglang", "Fits ");
        row("llama 70b q4_k_m on a 3090 and a 4060 ti 16gb", "Does not fit ");
        row("grpo qwen2.5 7b on 4 a100 80gb with verl", "Fits ");
        row("flux dev lora rank 16 fp8 on a 4090", "Fits ");
        row("how many h100 to serve llama 3.1 405b fp8", "It takes 8 × H100 SXM5 80 GB");
        row("mistral small 24b 4bit mlx on a 32gb mac", "Fits ");
        row("train llama 3.1 70b full on one h100", "Does not fit ");
    }
    void aQuestionIsDecidedByTypingIt()
    {
        QFETCH(QString, question);
        QFETCH(QString, says);
        StartPage page;
        page.resize(1280, 720);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        const auto *label = page.findChild<QLabel *>(u"askAnswer"_s);
        const QSignalSpy wanted(&page, &StartPage::planWanted);
        QTest::keyClicks(QApplication::focusWidget(), question);
        const auto answer = [label] {
            return QTextDocumentFragment::fromHtml(label->text()).toPlainText();
        };
        QVERIFY2(QTest::qWaitFor([&] { return answer().contains(says); }, 20'000),
                 qPrintable(answer()));
        QVERIFY2(!answer().contains(u"not known"_s), qPrintable(answer()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
    }

    void aSentenceAsksForAPlanAndSaysWhatItAssumes()
    {
        StartPage page;
        auto *line = page.findChild<QLineEdit *>(u"ask"_s);
        const auto *label = page.findChild<QLabel *>(u"askAnswer"_s);
        QVERIFY(line && label);
        const auto answer = [label] {
            return QTextDocumentFragment::fromHtml(label->text()).toPlainText();
        };
        std::vector<Plan> wanted;
        connect(&page, &StartPage::planWanted, this,
                [&](const Plan &plan) { wanted.push_back(plan); });
        line->setText(u"lora on h100"_s);
        QVERIFY2(answer().startsWith(u"No model is named."_s), qPrintable(answer()));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(wanted.empty()); // nothing is guessed
        line->setText(u"qwen3-8b lora on h100"_s);
        QVERIFY2(answer().startsWith(u"Fits "_s) && answer().contains(u" to spare."_s) &&
                     answer().contains(u"Qwen3 8B, LoRA on 1 × H100 SXM5 80 GB"_s) &&
                     answer().contains(u"Assumed: "_s),
                 qPrintable(answer()));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(wanted.size(), std::size_t(1));
        QVERIFY(wanted.front().adapters.kind == AdapterKind::Lora);
        // The name of a file is opened as one.
        const QSignalSpy opened(&page, &StartPage::documentWanted);
        line->setText(u" /data/run.vramplan "_s);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), u"/data/run.vramplan"_s);
        // Settings of another tool are imported.
        const QSignalSpy imported(&page, &StartPage::settingsWanted);
        line->setText(u"vllm serve Qwen/Qwen3-8B -tp 2"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(imported.size(), 1);
        QCOMPARE(imported[0][0].toString(), u"vllm serve Qwen/Qwen3-8B -tp 2"_s);
    }

    void timeLeftFollowsTheShareDone_data()
    {
        QTest::addColumn<int>("elapsed");
        QTest::addColumn<double>("share");
        QTest::addColumn<QString>("text");
        QTest::newRow("too early to say") << 100 << 0.5 << QString();
        QTest::newRow("nothing done yet") << 5000 << 0.0 << QString();
        QTest::newRow("done") << 5000 << 1.0 << QString();
        QTest::newRow("half after ten seconds") << 10'000 << 0.5 << u"about 10 s left"_s;
        QTest::newRow("nearly there") << 10'000 << 0.99 << u"less than a second left"_s;
        QTest::newRow("long") << 60'000 << 0.1 << u"about 9 min left"_s;
    }

    void timeLeftFollowsTheShareDone()
    {
        QFETCH(int, elapsed);
        QFETCH(double, share);
        QTEST(timeLeftText(elapsed, share), "text");
    }
};

VRAMSCOPE_TEST(TestStartPage)
#include "tst_start_page.moc"
