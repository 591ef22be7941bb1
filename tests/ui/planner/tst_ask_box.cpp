// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/ask/new_plan.h"
#include "core/estimate/estimate.h"
#include "core/print/asked_report.h"
#include "core/solver/stage_estimates.h"
#include "tests/support/test.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/ask_box.h"
#include "ui/planner/choice_box.h"
#include "ui/planner/number_box.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/preset_popup.h"
#include "ui/planner/word_control.h"
#include "ui/support/text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextDocumentFragment>
#include <QUndoStack>

#include <optional>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QLineEdit *lineOf(const QWidget &box)
{
    return box.findChild<QLineEdit *>(u"ask"_s);
}

QLabel *answerOf(const QWidget &box)
{
    return box.findChild<QLabel *>(u"askAnswer"_s);
}

QString shown(const QWidget &box)
{
    return QTextDocumentFragment::fromHtml(answerOf(box)->text())
        .toPlainText()
        .remove(QChar(0x2060)); // that no word wraps
}

/// Clicks a word of a label and gives what opens.
QWidget *opened(QLabel *label, const QString &path)
{
    Q_EMIT label->linkActivated(u"word:"_s + path);
    return label->findChild<WordControl *>() ? label->findChild<WordControl *>()->popup() : nullptr;
}

} // namespace

class AskBoxTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theSentenceIsShownBackWithItsVerdict()
    {
        AskBox box;
        lineOf(box)->setText(u"Qwen3-32B full fine-tune on 8 H100, 8k"_s);
        QVERIFY2(shown(box).startsWith(u"Probably does not fit "_s), qPrintable(shown(box)));
        QVERIFY2(shown(box).contains(u"Qwen3 32B, full training on 8 × H100 SXM5 80 GB"_s),
                 qPrintable(shown(box)));
        // The colour is the word's, and no figure is parted from its unit.
        QVERIFY(answerOf(box)->text().contains(u"\">Probably does not fit</span>"_s));
        QVERIFY(!answerOf(box)->text().contains(u" GiB"_s));
        QVERIFY2(shown(box).contains(u"Assumed: micro-batch 1, "_s), qPrintable(shown(box)));
        for (const QString &path : {u"model.preset"_s, u"workload"_s, u"hardware.gpus"_s,
                                    u"hardware.gpu"_s, u"batch.micro_batch"_s})
            QVERIFY2(answerOf(box)->text().contains(u"href=\"word:"_s + path + u'"'),
                     qPrintable(path));
    }

    void aCommandWithWordsBehindItIsAnswered()
    {
        AskBox box;
        for (const QString &line :
             {u"vllm serve Qwen/Qwen3-8B --max-model-len 8192 (one 4090)"_s,
              u"python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-8B "
              "--max-model-len 8192 ; hardware: a 4090"_s}) {
            lineOf(box)->setText(line);
            QVERIFY2(shown(box).startsWith(u"Fits "_s) &&
                         shown(box).contains(u"on 1 × GeForce RTX 4090 24 GB"_s),
                     qPrintable(shown(box)));
        }
        lineOf(box)->setText(u"torchrun --nproc_per_node 4 finetune.py --model "
                             "meta-llama/Llama-2-13b-hf --lora V100 32GB x4"_s);
        QVERIFY2(shown(box).contains(u"Llama 2 13B, LoRA on 4 × V100"_s), qPrintable(shown(box)));
        // What the import left out has to be shown, which is not the line's part.
        lineOf(box)->setText(u"vllm serve Qwen/Qwen3-8B --max-model-len 8192"_s);
        QVERIFY2(shown(box).startsWith(u"Enter "_s), qPrintable(shown(box)));
    }

    void eachWordIsAControl()
    {
        AskBox box;
        box.show();
        std::optional<Plan> wanted;
        connect(&box, &AskBox::planWanted, this, [&](const Plan &plan) { wanted = plan; });
        lineOf(box)->setText(u"qwen3-8b lora on 8 h100"_s);

        auto *models = qobject_cast<PresetPopup *>(opened(answerOf(box), u"model.preset"_s));
        QVERIFY(models);
        Q_EMIT models->chosen(u"qwen3-32b"_s);
        models->hide();

        QWidget *gpus = opened(answerOf(box), u"hardware.gpus"_s);
        QVERIFY(gpus && gpus->findChild<NumberBox *>());
        QTest::keyClicks(gpus->findChild<NumberBox *>(), u"\b4\r"_s);
        gpus->close();

        QWidget *gpu = opened(answerOf(box), u"hardware.gpu"_s);
        QVERIFY(gpu && gpu->findChild<ChoiceBox *>());
        Q_EMIT gpu->findChild<ChoiceBox *>()->chosen(u"h200-sxm-141gb"_s);
        QVERIFY2(shown(box).startsWith(u"Fits "_s) &&
                     shown(box).contains(u"Qwen3 32B, LoRA on 4 × H200 SXM 141 GB"_s),
                 qPrintable(shown(box)));

        QWidget *tasks = opened(answerOf(box), u"workload"_s);
        QVERIFY(tasks);
        for (QPushButton *task : tasks->findChildren<QPushButton *>()) {
            if (task->text() == u"QLoRA"_s)
                task->click();
        }
        QWidget *batch = opened(answerOf(box), u"batch.micro_batch"_s);
        QVERIFY(batch && batch->findChild<NumberBox *>());
        QTest::keyClicks(batch->findChild<NumberBox *>(), u"\b2\r"_s);
        const QString said = shown(box).section(u"Assumed: "_s, 0, 0);
        QVERIFY2(said.contains(u" · micro-batch 2"_s), qPrintable(shown(box)));

        QTest::keyClick(lineOf(box), Qt::Key_Return);
        QVERIFY(wanted);
        QCOMPARE(wanted->model.preset, std::optional<std::string>("qwen3-32b"));
        QCOMPARE(wanted->hardware.gpus, std::optional<std::int64_t>(4));
        QCOMPARE(wanted->hardware.gpu, std::optional<std::string>("h200-sxm-141gb"));
        QCOMPARE(wanted->batch.microBatch, std::optional<std::int64_t>(2));
        QVERIFY(wanted->adapters.baseQuantization == BaseQuantization::Nf4);
        QVERIFY(estimate(*wanted).computed);
    }

    void whatWasSaidIsAControlToo()
    {
        AskBox box;
        box.show();
        lineOf(box)->setText(u"qwen3-8b lora rank 32 seq 4096 on h100"_s);
        QVERIFY2(shown(box).contains(u" · rank 32 · sequence length 4,096"_s),
                 qPrintable(shown(box)));
        QWidget *rank = opened(answerOf(box), u"adapters.rank"_s);
        QVERIFY(rank && rank->findChild<NumberBox *>());
        QTest::keyClicks(rank->findChild<NumberBox *>(), u"\b\b64\r"_s);
        QVERIFY2(shown(box).contains(u" · rank 64 · sequence length 4,096"_s),
                 qPrintable(shown(box)));
    }

    void aListOfGpusIsAControl()
    {
        AskBox box;
        box.show();
        lineOf(box)->setText(u"qwen3-32b q4_k_m on a 3090 and a 4060 ti 16gb"_s);
        QVERIFY2(shown(box).startsWith(u"Fits "_s) &&
                     shown(box).contains(u"Qwen3 32B, served by llama.cpp on 1 × GeForce RTX 3090 "
                                         u"24 GB + 1 × GeForce RTX 4060 Ti 16 GB"_s),
                 qPrintable(shown(box)));
        QVERIFY2(shown(box).contains(u" on GPU "_s), qPrintable(shown(box)));
        QVERIFY2(!shown(box).contains(u"GPUs 2"_s), qPrintable(shown(box)));
        QWidget *gpus = opened(answerOf(box), u"hardware.gpu_list"_s);
        auto *names = gpus ? gpus->findChild<QLineEdit *>() : nullptr;
        QVERIFY(names);
        QCOMPARE(names->text(), u"rtx-3090; rtx-4060-ti-16gb"_s);
        names->clear();
        QTest::keyClicks(names, u"rtx-3090; rtx-3060-12gb"_s);
        QVERIFY2(shown(box).contains(u"1 × GeForce RTX 3060 12 GB"_s), qPrintable(shown(box)));
    }

    /// On the page of such a plan no stage is held against another's GPU.
    void stagesOfSeveralKindsSayWhatTheyHave()
    {
        const Asked asked = understand("command-a 111b q4_k_m on 2x 3090 + 3x 3060 12GB");
        QVERIFY(asked.plan);
        const Estimate whole = estimate(*asked.plan);
        const std::vector<StageEstimate> stages = stageEstimates(*asked.plan, whole);
        QVERIFY(stages.size() > 2);
        std::vector<NamedEstimate> bars{{u"This plan"_s, &whole}};
        for (const StageEstimate &stage : stages) {
            QVERIFY2(stage.name.ends_with(", of " + formatBytes(*stage.estimate.capacity)),
                     stage.name.c_str());
            bars.push_back({toQString(stage.name), &stage.estimate});
        }
        QVERIFY(!scenarioBars(bars).capacity);
        bars.resize(1);
        QVERIFY(scenarioBars(bars).capacity == whole.capacity);
    }

    void examplesFillTheLine()
    {
        AskBox box;
        box.setProminent();
        int examples = 0;
        for (QPushButton *button : box.findChildren<QPushButton *>()) {
            if (lineOf(box)->isAncestorOf(button))
                continue;
            lineOf(box)->clear();
            button->click();
            QCOMPARE(lineOf(box)->text(), button->text());
            QVERIFY2(understand(button->text().toStdString()).understood(),
                     qPrintable(button->text()));
            QVERIFY2(!shown(box).contains(u"not known"_s), qPrintable(shown(box)));
            ++examples;
        }
        QCOMPARE(examples, 3);
    }

    void theButtonInTheLineSaysWhatEnterDoes()
    {
        AskBox box;
        box.setProminent();
        auto *button = lineOf(box)->findChild<QPushButton *>();
        const QSignalSpy wanted(&box, &AskBox::planWanted);
        button->click(); // nothing is asked
        QCOMPARE(wanted.count(), 0);
        lineOf(box)->setText(u"qwen3-8b lora on h100"_s);
        QCOMPARE(button->accessibleName(), u"Plan"_s);
        button->click();
        QCOMPARE(wanted.count(), 1);
        lineOf(box)->setText(u"/runs/a.pickle"_s);
        QCOMPARE(button->accessibleName(), u"Open"_s);
        lineOf(box)->setText(u"vllm serve Qwen/Qwen3-8B"_s);
        QCOMPARE(button->accessibleName(), u"Import"_s);
    }

    void aWordIsCompletedByTab()
    {
        AskBox box;
        box.resize(600, 200);
        box.show();
        box.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&box));
        lineOf(box)->setFocus();
        QTest::keyClicks(lineOf(box), u"serve qwen3-32"_s);
        QTest::keyClick(lineOf(box), Qt::Key_Tab);
        QCOMPARE(lineOf(box)->text(), u"serve Qwen3 32B "_s);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(lineOf(box)));
        // Enter with nothing chosen asks for what is written.
        const QSignalSpy wanted(&box, &AskBox::planWanted);
        QTest::keyClicks(lineOf(box), u"on a 409"_s);
        QTest::keyClick(lineOf(box), Qt::Key_Return);
        QCOMPARE(lineOf(box)->text(), u"serve Qwen3 32B on a 409"_s);
        QCOMPARE(wanted.count(), 1);
    }

    void aNameOfTheListIsTaken()
    {
        AskBox box;
        box.resize(600, 200);
        box.show();
        box.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&box));
        lineOf(box)->setFocus();
        const QSignalSpy wanted(&box, &AskBox::planWanted);
        QTest::keyClicks(lineOf(box), u"qwen3-8b on 4090 with seq 4096"_s);
        lineOf(box)->setCursorPosition(int(u"qwen3-8b on 4090"_s.size()));
        QTest::keyClick(lineOf(box), Qt::Key_Backspace);
        const auto *names = lineOf(box)->findChild<QCompleter *>();
        QVERIFY(names && names->popup()->isVisible());
        QTest::keyClick(names->popup(), Qt::Key_Down);
        QTest::keyClick(names->popup(), Qt::Key_Return);
        QVERIFY2(lineOf(box)->text().startsWith(u"qwen3-8b on GeForce RTX 40"_s) &&
                     lineOf(box)->text().endsWith(u" with seq 4096"_s),
                 qPrintable(lineOf(box)->text()));
        QCOMPARE(wanted.count(), 0);
        QVERIFY(!names->popup()->isVisible());
    }

    void aClickSelectsWhatStoodThere()
    {
        AskBox box;
        box.resize(600, 200);
        QLineEdit other(&box);
        box.show();
        box.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&box));
        lineOf(box)->setText(u"qwen3-8b on a 4090"_s);
        other.setFocus();
        QTest::mouseClick(lineOf(box), Qt::LeftButton, {}, {40, 10});
        QCOMPARE(lineOf(box)->selectedText(), u"qwen3-8b on a 4090"_s);
        QTest::mouseClick(lineOf(box), Qt::LeftButton, {}, {40, 10}); // the second is a place
        QVERIFY(lineOf(box)->selectedText().isEmpty());
    }

    void oneOfSeveralModelsIsChosenByALink()
    {
        AskBox box;
        lineOf(box)->setText(u"train llama 70b on 16 h100"_s);
        const QString before = answerOf(box)->text();
        QVERIFY(shown(box).contains(u"Llama 3.1 70B, "_s)); // the likeliest
        QVERIFY2(before.contains(u"It may be another model: "_s), qPrintable(before));
        QVERIFY2(before.contains(u"href=\"model:llama-2-70b\""_s), qPrintable(before));
        Q_EMIT answerOf(box)->linkActivated(u"model:llama-2-70b"_s);
        QCOMPARE(lineOf(box)->text(), u"train llama-2-70b on 16 h100"_s);
        QVERIFY(shown(box).contains(u"Llama 2 70B, "_s));
    }

    void aWordThatIsNotKnownIsNamedBesideTheAnswer()
    {
        AskBox box;
        const QSignalSpy wanted(&box, &AskBox::planWanted);
        lineOf(box)->setText(u"serve qwen3-8b on a 4090 with blubber"_s);
        QVERIFY2(shown(box).contains(u"Qwen3 8B, served by vLLM on 1 × GeForce RTX 4090"_s),
                 qPrintable(shown(box)));
        QVERIFY2(shown(box).contains(u"\"blubber\" is not known"_s), qPrintable(shown(box)));
        QTest::keyClick(lineOf(box), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
    }

    void aContradictionIsNoPlan()
    {
        AskBox box;
        const QSignalSpy wanted(&box, &AskBox::planWanted);
        lineOf(box)->setText(u"qwen3-8b 2 h100 4 h200"_s);
        QVERIFY2(shown(box).contains(u"contradicts \"2 h100\""_s), qPrintable(shown(box)));
        QTest::keyClick(lineOf(box), Qt::Key_Return);
        QCOMPARE(wanted.count(), 0);
    }

    void whatIsAskedForIsFoundAndOpened()
    {
        AskBox box;
        std::optional<Plan> wanted;
        connect(&box, &AskBox::planWanted, this, [&](const Plan &plan) { wanted = plan; });
        lineOf(box)->setText(u"largest batch to train qwen3-0.6b on an h100 at 4k"_s);
        QVERIFY(QTest::qWaitFor(
            [&] { return shown(box).startsWith(u"The largest micro-batch that fits is "_s); }));
        QTest::keyClick(lineOf(box), Qt::Key_Return);
        QVERIFY(wanted && wanted->batch.microBatch.value_or(0) > 1);
        QVERIFY2(shown(box).contains(u"fits is %1."_s.arg(*wanted->batch.microBatch)),
                 qPrintable(shown(box)));
    }

    void aPlanWithoutFiguresSaysWhy()
    {
        AskBox box;
        lineOf(box)->setText(u"qwen3-8b sglang"_s); // whose cache is sized by a GPU
        QVERIFY2(shown(box).startsWith(u"No figures: "_s) &&
                     shown(box).contains(u"Qwen3 8B, served by SGLang on 1 GPU"_s),
                 qPrintable(shown(box)));
        QVERIFY(shown(box).contains(u"SGLang sizes its cache by the GPU's memory"_s));
    }

    void enterWaitsForWhatIsAskedFor()
    {
        AskBox box;
        std::optional<Plan> wanted;
        connect(&box, &AskBox::planWanted, this, [&](const Plan &plan) { wanted = plan; });
        lineOf(box)->setText(u"largest batch to train qwen3-0.6b on an h100 at 4k"_s);
        QTest::keyClick(lineOf(box), Qt::Key_Return); // before anything was found
        QVERIFY(wanted && wanted->batch.microBatch.value_or(0) > 1);
        // What stands in the way is said, and opens nothing.
        wanted.reset();
        lineOf(box)->setText(u"largest batch to train qwen3-0.6b at 4k"_s);
        QTest::keyClick(lineOf(box), Qt::Key_Return);
        QVERIFY(!wanted);
        QVERIFY2(shown(box).contains(u"name a GPU"_s), qPrintable(shown(box)));
    }

    void aControlAsksAnew()
    {
        AskBox box;
        box.show();
        lineOf(box)->setText(u"largest batch to train qwen3-0.6b on a 4090 at 4k"_s);
        QVERIFY(QTest::qWaitFor([&] { return shown(box).contains(u" that fits is "_s); }));
        const QString before = shown(box);
        QWidget *gpu = opened(answerOf(box), u"hardware.gpu"_s);
        QVERIFY(gpu && gpu->findChild<ChoiceBox *>());
        Q_EMIT gpu->findChild<ChoiceBox *>()->chosen(u"h200-sxm-141gb"_s);
        QVERIFY(QTest::qWaitFor(
            [&] { return shown(box).contains(u" that fits is "_s) && shown(box) != before; }));
        QVERIFY2(shown(box).contains(u"H200 SXM 141 GB"_s), qPrintable(shown(box)));
    }

    // Where nobody says what is to be done, the other tasks are a click away.
    void theOtherReadingsAreLinks()
    {
        AskBox box;
        std::optional<Plan> wanted;
        connect(&box, &AskBox::planWanted, this, [&](const Plan &plan) { wanted = plan; });
        lineOf(box)->setText(u"qwen3-8b on a 4090"_s);
        QVERIFY2(shown(box).contains(u"Or: LoRA "_s), qPrintable(shown(box)));
        Q_EMIT answerOf(box)->linkActivated(u"version:0"_s);
        QVERIFY(wanted && wanted->adapters.kind == AdapterKind::Lora);
    }

    void whatIsSaidOfAWordIsShownAsItWasWritten()
    {
        AskBox box;
        for (const char *sentence : {"24 <b>", "zz<i> & 'x' 3", "on 8 h100 \"<b>\" & zz<i>"}) {
            const QString text = QString::fromUtf8(sentence);
            lineOf(box)->setText(text);
            QVERIFY(!understand(sentence).understood());
            // As the label shows it: an entity that is left is one that people see.
            QCOMPARE(answerOf(box)->textFormat(), Qt::RichText);
            const QString told = toQString(askedRefusal(understand(sentence)));
            QVERIFY2(shown(box).startsWith(told), qPrintable(shown(box)));
        }
    }

    void wordsOverAnOpenPlanAreOneStepOfTheHistory()
    {
        PlanPage page;
        const Plan plan = newPlan();
        page.setPlan(plan, {});
        QVERIFY(answerOf(page)->isHidden());
        lineOf(page)->setText(u"4 h200, 16k"_s);
        QVERIFY(shown(page).contains(u"Llama 3 8B, full training on 4 × H200"_s));
        QTest::keyClick(lineOf(page), Qt::Key_Return);
        QCOMPARE(page.plan().hardware.gpus, std::optional<std::int64_t>(4));
        QCOMPARE(page.plan().batch.sequenceLength, std::optional<std::int64_t>(16384));
        QVERIFY(lineOf(page)->text().isEmpty() && answerOf(page)->isHidden());
        QCOMPARE(page.undoStack()->count(), 1);
        page.undoStack()->undo();
        QVERIFY(page.plan() == plan);
    }

    void aWordOfTheHeadlineIsAControl()
    {
        PlanPage page;
        page.setPlan(newPlan(), {});
        page.show();
        QLabel *headline = nullptr;
        for (QLabel *label : page.answer()->findChildren<QLabel *>()) {
            if (label->text().contains(u"word:hardware.gpus"_s))
                headline = label;
        }
        QVERIFY(headline);
        Q_EMIT headline->linkActivated(u"word:hardware.gpus"_s);
        const auto *control = page.answer()->findChild<WordControl *>();
        QVERIFY(control && control->popup());
        QTest::keyClicks(control->popup()->findChild<NumberBox *>(), u"\b16\r"_s);
        QCOMPARE(page.plan().hardware.gpus, std::optional<std::int64_t>(16));
        QCOMPARE(page.undoStack()->count(), 1);
    }

    void filesAndSettingsAreHandedOn()
    {
        PlanPage page;
        page.setPlan(newPlan(), {});
        const QSignalSpy wanted(&page, &PlanPage::settingsWanted);
        for (const QString &line : {u"vllm serve Qwen/Qwen3-8B"_s, u"/runs/config.json"_s}) {
            lineOf(page)->setText(line);
            QVERIFY(shown(page).startsWith(u"Enter "_s));
            QTest::keyClick(lineOf(page), Qt::Key_Return);
            QCOMPARE(wanted.last().first().toString(), line);
        }
    }
};

VRAMSCOPE_TEST(AskBoxTest)
#include "tst_ask_box.moc"
