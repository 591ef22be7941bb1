// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "tests/ui/stage/shown_keys.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/planner/plan_decision.h"
#include "ui/planner/plan_items.h"
#include "ui/stage/order_dialog.h"
#include "ui/stage/slide.h"
#include "ui/stage/slide_bars.h"
#include "ui/support/text.h"
#include "ui/trace/trace_items.h"

#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

Scenario scenario(QChar letter, const QString &name, const Plan &plan)
{
    return {letter, name, plan, estimate(plan)};
}

std::vector<StageItem> sampleItems()
{
    const Plan plan = test::samplePlan();
    Plan second = plan;
    second.batch.microBatch = 2;
    Plan third = plan;
    third.batch.microBatch = 4;
    return planItems({third,
                      estimate(third),
                      {scenario(u'A', u"one"_s, plan), scenario(u'B', u"two"_s, second)},
                      ByteUnit::Binary});
}

const StageItem &item(const std::vector<StageItem> &items, const char *key)
{
    return *std::ranges::find(items, key, &StageItem::key);
}

Bookmark named(const char *name, const char *note)
{
    Bookmark bookmark;
    bookmark.name = name;
    bookmark.note = note;
    return bookmark;
}

} // namespace

class RunningOrderTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanTellsItsAnswerItsScenariosTheOptionsAndWhatToDo()
    {
        const std::vector<StageItem> items = sampleItems();
        QCOMPARE(test::shownKeys(items), u"versus costs differences options recommendation"_s);
        for (const char *asked : {"memories", "decision", "answer", "where", "moment:loss", "step",
                                  "scenario:A", "way:A:B"})
            QVERIFY2(!item(items, asked).shown, asked);
        for (const StageItem &one : items) {
            const StageScene scene = one.scene();
            QVERIFY2(!scene.headline.isEmpty(), one.key.c_str());
            QVERIFY(scene.view || scene.table);
            if (scene.verdict) // it colours its own word
                QVERIFY2(scene.headline.contains(verdictWords(scene.headline, scene.verdict)) &&
                             !verdictWords(scene.headline, scene.verdict).isEmpty(),
                         qPrintable(scene.headline));
        }
        QVERIFY(item(items, "way:A:B").scene().headline.startsWith(u"From A to B: +"));
    }

    void theAnswerSaysOfWhatItIs()
    {
        const StageScene answer = item(sampleItems(), "answer").scene();
        QVERIFY2(answer.headline.startsWith(u"Llama 3 8B ") &&
                     answer.headline.contains(u"8 × H100:"),
                 qPrintable(answer.headline));
        QVERIFY(answer.kicker.startsWith(u"Full training, "));
        QVERIFY(answer.kicker.contains(u"micro-batch 4"));
        QVERIFY(answer.foot.startsWith(u"estimate, likely range "));
        for (const QString &fact :
             {u"Model: Llama 3 8B"_s, u"Micro-batch: 4"_s, u"Sequence length: 8,192"_s})
            QVERIFY2(answer.speech.contains(fact), qPrintable(answer.speech.join(u'|')));
        QVERIFY(!answer.speech.join(u'|').contains(u"Tensor parallel")); // one way is none
        const auto *bars = qobject_cast<SlideBarsView *>(answer.view.get());
        QVERIFY(bars && bars->bars().bars.front().limit);
        QVERIFY(!bars->bars().bars.front().gap.isEmpty());
    }

    void everyFigureOfTheBreakdownHasItsSource()
    {
        const StageScene where = item(sampleItems(), "where").scene();
        const Estimate it = estimate(test::samplePlan());
        QVERIFY(where.speech.size() >= qsizetype(it.components().size()));
        for (const QString &line : where.speech)
            QVERIFY2(line.contains(u" (") && line.endsWith(u')'), qPrintable(line));
    }

    void theOptionsBeginWithThePlanAndTheCheapestThatFitsStandsOut()
    {
        const Plan plan = *readPlan(
            test::projectFile(u"resources/examples/llama-70b-8xh200.vramplan"_s).toStdString());
        Plan other = plan;
        other.batch.sequenceLength = 8192;
        const std::vector<StageItem> items =
            planItems({plan, estimate(plan), {scenario(u'A', u"one"_s, other)}, ByteUnit::Binary});
        const SlideTable options = *item(items, "options").scene().table;
        QCOMPARE(options.rows[0].front(), "A\n8 GPUs");
        QCOMPARE(options.rows[1].front(), "This plan\n8 GPUs");
        QVERIFY(options.rows.size() > 3);
        QVERIFY(options.strong);
        const QString best = toQString(options.rows[*options.strong].front());
        QVERIFY(best.endsWith(u"recommended"));
        QVERIFY(options.sizes->tones[*options.strong] != SlideTone::Bad);
        const StageScene advice = item(items, "recommendation").scene();
        const QString change = best.section(u": "_s, 1).section(u'\n', 0, 0);
        // What is too long for a headline is counted there and listed in the table.
        const QStringList changes = change.split(u" + "_s);
        const std::vector<std::string> &listed = advice.table->rows.front();
        QCOMPARE(listed.front(), "Change");
        QCOMPARE(toQString(listed.back()).split(u", "_s).size(), changes.size());
        QVERIFY2(
            advice.headline.contains(change, Qt::CaseInsensitive) ||
                advice.headline.contains(numberWord(std::size_t(changes.size())) + u" changes"_s,
                                         Qt::CaseInsensitive),
            qPrintable(advice.headline));
        for (const std::vector<std::string> &row : options.rows) {
            QCOMPARE(row.size(), options.columns.size());
            for (const std::string &cell : row) // no column that nothing stands in
                QVERIFY2(!cell.empty(), row.front().c_str());
        }
        for (const std::string &column : options.columns)
            QVERIFY(column.find("step") == std::string::npos);
        QCOMPARE(advice.table->rows.back().front(), "Next");
    }

    void twoPlansAreSetAgainstEachOther()
    {
        const std::vector<StageItem> items = sampleItems();
        const StageScene decision = item(items, "decision").scene();
        const SlideTable &table = *decision.table;
        const std::vector<std::string> columns{"", "A", "B", "This plan"};
        QCOMPARE(table.columns, columns);
        QStringList names;
        for (const std::vector<std::string> &row : table.rows)
            names += toQString(row.front());
        QCOMPARE(names, QStringList({u"1 billion tokens take"_s, u"Tokens a second"_s, u"GPUs"_s,
                                     u"GPU hours"_s, u"Spare on each GPU"_s}));
        const QString job = u"Llama 3 8B, full training on 8 × H100 SXM5 80 GB"_s;
        for (const StageScene &one : {decision, item(items, "versus").scene()})
            QVERIFY2(one.foot.contains(u"A: %1 (one) · B: %1 (two)"_s.arg(job)),
                     qPrintable(one.foot));
    }

    void plansThatFitAreDecidedByTimeAndCost()
    {
        Plan a = *readPlan(
            test::projectFile(u"resources/examples/llama-70b-8xh200.vramplan"_s).toStdString());
        a.adapters.kind = AdapterKind::Lora;
        a.adapters.rank = 16;
        a.adapters.targets = TextList{"all-linear"};
        Plan b = a;
        b.hardware.gpus = 4;
        b.hardware.gpusPerNode = 4;
        b.parallel.data = 4;
        const auto itemsOf = [](const Plan &first, const Plan &second) {
            return planItems({first,
                              estimate(first),
                              {scenario(u'A', {}, first), scenario(u'B', {}, second)},
                              ByteUnit::Binary});
        };
        const std::vector<StageItem> items = itemsOf(a, b);
        QCOMPARE(test::shownKeys(items), u"versus memories costs differences decision"_s);
        QCOMPARE(item(items, "versus").scene().headline,
                 u"A takes half the time, B needs half the GPUs"_s);
        QVERIFY(item(items, "memories").scene().headline.startsWith(u"Both fit: A has "));
        const StageScene decision = item(items, "decision").scene();
        QVERIFY2(decision.headline.startsWith(u"A if time"), qPrintable(decision.headline));
        QCOMPARE(decision.table->rows.size(), std::size_t(5));
        // The order changes nothing but which is A.
        QCOMPARE(item(itemsOf(b, a), "versus").scene().headline,
                 u"B takes half the time, A needs half the GPUs"_s);
    }

    // What the slides have no room for is said with them.
    void theSettingsThatDifferAreSaid()
    {
        const StageScene scene = item(sampleItems(), "differences").scene();
        QVERIFY2(scene.speech.contains(u"Micro-batch 1 in A, 4 in this plan"_s),
                 qPrintable(scene.speech.join(u'|')));
    }

    void theSamePlanIsRecommendedInEitherOrder()
    {
        const Plan a = *readPlan(
            test::projectFile(u"resources/examples/llama-70b-8xh200.vramplan"_s).toStdString());
        Plan b = a;
        b.adapters.kind = AdapterKind::Lora;
        b.adapters.rank = 16;
        b.adapters.targets = TextList{"all-linear"};
        Plan c = b;
        c.hardware.gpu = "h100-sxm-80gb";
        Plan d = c;
        d.run.gpuHourPrice = 2;
        Plan e = b;
        e.run.gpuHourPrice = 9;
        int pairs = 0;
        for (const Plan &one : {a, b, c, d, e}) {
            for (const Plan &other : {a, b, c, d, e}) {
                if (one == other)
                    continue;
                ++pairs;
                const auto headlineOf = [](const Plan &first, const Plan &second) {
                    const std::vector<StageItem> items =
                        planItems({first,
                                   estimate(first),
                                   {scenario(u'A', {}, first), scenario(u'B', {}, second)},
                                   ByteUnit::Binary});
                    return item(items, "recommendation").scene().headline;
                };
                QString there = headlineOf(one, other);
                QString back = headlineOf(other, one);
                static const QRegularExpression letter(u"\\b[AB]\\b"_s); // of the order
                for (QString *text : {&there, &back})
                    text->remove(letter);
                QCOMPARE(there, back);
            }
        }
        QCOMPARE(pairs, 20);
    }

    void aPlanWithoutFiguresSaysWhy()
    {
        const std::vector<StageItem> items = planItems({Plan(), estimate(Plan()), {}, {}});
        QCOMPARE(test::shownKeys(items), u"answer"_s);
        QVERIFY(items[0].scene().headline.startsWith(u"Not computed."));
    }

    void aFrameInAnAnonymousNamespaceIsNamed()
    {
        TraceBuilder builder;
        const std::array frames{builder.internFrame(
            "(anonymous namespace)::work<int>(at::Tensor const&)", "/home/me/kernel.cpp", 7)};
        const StackId stack = builder.internStack(frames);
        const StreamId stream = builder.internStream(0);
        const auto add = [&](Action action, std::uint64_t address, Bytes size) {
            builder.addEvent(0, {.action = action,
                                 .address = address,
                                 .size = size,
                                 .stack = stack,
                                 .stream = stream});
        };
        add(Action::SegmentAlloc, 0x7f0000000000U, 20 * kMiB);
        add(Action::Alloc, 0x7f0000000000U, 20 * kMiB);
        const auto document = analyse(std::move(*builder.finish()));
        const std::vector<StageItem> items = traceItems({document, 0, {}, ByteUnit::Binary});
        QCOMPARE(item(items, "peak").scene().headline,
                 u"At the peak 20.0 MiB are in use, most by work: 20.0 MiB."_s);
    }

    void aTraceTellsItsPeakItsBookmarksAndItsEnd()
    {
        test::SampleTrace sample;
        const auto document = analyse(sample.finish());
        const std::vector<StageItem> items =
            traceItems({document,
                        0,
                        {named("leak", "Look here."), named("leak", "And here.")},
                        ByteUnit::Binary});
        QCOMPARE(test::shownKeys(items),
                 u"answer peak bookmark:leak bookmark:leak#2 out-of-memory cause remedies"_s);
        QCOMPARE(item(items, "bookmark:leak#2").note, u"And here."_s);
        QVERIFY(item(items, "answer").scene().headline.startsWith(u"Out of memory: "));
        QVERIFY(item(items, "peak").scene().headline.startsWith(u"At the peak "));
        QCOMPARE(item(items, "bookmark:leak").scene().headline, u"leak"_s);
        const StageScene cause = item(items, "cause").scene();
        QCOMPARE(cause.table->rows.front().front(), "Asked for");
        const StageScene remedies = item(items, "remedies").scene();
        QVERIFY(!remedies.table->rows.empty());
        QVERIFY2(remedies.headline.startsWith(u"First: "), qPrintable(remedies.headline));
        const QString first = toQString(remedies.table->rows.front().front());
        QVERIFY(remedies.headline.contains(first.section(u'\n', 0, 0), Qt::CaseInsensitive));
        QCOMPARE(remedies.table->sizes->values.size(), remedies.table->rows.size());
    }

    void anOrderIsKeptAndWhatIsNewFollowsWhatItFollows()
    {
        std::vector<StageItem> items;
        for (const char *key : {"a", "b", "c", "d"})
            items.push_back({key, {}, {}, true, QString::fromLatin1(key)});
        const RunningOrder order{{"d", true, "say"}, {"gone", true, ""}, {"a", false, ""}};
        const std::vector<StageItem> shown = arranged(items, order);
        QCOMPARE(test::shownKeys(shown), u"d b c"_s); // b and c follow a, which is not shown
        QCOMPARE(shown[0].note, u"say"_s);
        QCOMPARE(shown[2].note, u"b"_s);
        const RunningOrder again = orderOf(items, shown);
        QCOMPARE(again.size(), std::size_t(4));
        QVERIFY(again[0] == (OrderEntry{"d", true, "say"}));
        QVERIFY(again[1] == (OrderEntry{"a", false, ""}));
        QCOMPARE(again[2].note, std::string()); // its own stays with it
        QCOMPARE(test::shownKeys(arranged(items, {})), u"a b c d"_s);
    }

    void theDialogTicksMovesAndNotes()
    {
        OrderDialog dialog(sampleItems(), {});
        QVERIFY(dialog.order().empty()); // untouched
        QListWidget *list = dialog.list();
        list->setCurrentRow(1);
        dialog.note()->setPlainText(u"States, not weights."_s);
        dialog.up()->click();
        QCOMPARE(list->currentRow(), 0);
        QVERIFY(!dialog.up()->isEnabled());
        list->item(1)->setCheckState(Qt::Unchecked);
        list->setCurrentRow(1);
        QCOMPARE(dialog.note()->toPlainText(), QString());
        const RunningOrder order = dialog.order();
        QVERIFY(order[0] == (OrderEntry{"memories", false, "States, not weights."}));
        QVERIFY(order[1] == (OrderEntry{"versus", false, ""}));
        OrderDialog again(sampleItems(), order);
        QVERIFY(again.order() == order);
    }

    void whatThePageShowsIsAddedOnceAndOnlyWhereItIsTicked()
    {
        const StageItem view{"bookmark:here", u"Bookmark: here"_s, {}, true, {}};
        OrderDialog dialog(sampleItems(), {}, view);
        const int before = dialog.list()->count();
        dialog.list()->setCurrentRow(1);
        dialog.add()->click();
        QCOMPARE(dialog.list()->count(), before + 1);
        QCOMPARE(dialog.list()->currentRow(), 2); // after what was chosen
        QVERIFY(!dialog.add()->isEnabled());
        QVERIFY(dialog.isViewWanted());
        QVERIFY(dialog.order()[2] == (OrderEntry{"bookmark:here", true, ""}));
        dialog.list()->currentItem()->setCheckState(Qt::Unchecked);
        QVERIFY(!dialog.isViewWanted());
        QVERIFY(dialog.order().empty()); // no bookmark is made for it, so all is as it was
        QVERIFY(OrderDialog(sampleItems(), {}).add()->isHidden()); // a plan has no such view
    }

    void keysMoveAndTickAndNothingTickedIsSaid()
    {
        OrderDialog dialog(sampleItems(), {});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QListWidget *list = dialog.list();
        QVERIFY(list->hasFocus());
        const QString first = list->item(0)->text();
        QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(list->item(1)->text(), first);
        QCOMPARE(list->currentRow(), 1);
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(list->item(1)->checkState(), Qt::Unchecked);
        for (int row = 0; row < list->count(); ++row)
            list->item(row)->setCheckState(Qt::Unchecked);
        QVERIFY(dialog.countText().startsWith(u"Nothing is ticked"));
        QVERIFY(!dialog.presentButton()->isEnabled());
        list->item(0)->setCheckState(Qt::Checked);
        QVERIFY(dialog.countText().startsWith(u"1 of "));
        QVERIFY(dialog.presentButton()->isEnabled());
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::RunningOrderTest)
#include "tst_running_order.moc"
