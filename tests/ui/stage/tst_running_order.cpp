// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "tests/ui/stage/shown_keys.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/planner/plan_items.h"
#include "ui/stage/order_dialog.h"
#include "ui/trace/trace_items.h"

#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

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
        QCOMPARE(test::shownKeys(items),
                 u"answer where versus:A:B way:A:B versus:B:this way:B:this "
                 "options recommendation"_s);
        for (const char *asked : {"moment:loss", "step", "scenario:A"}) // there to be asked for
            QVERIFY2(!item(items, asked).shown, asked);
        for (const StageItem &one : items) {
            const StageScene scene = one.scene();
            QVERIFY2(!scene.headline.isEmpty(), one.key.c_str());
            QVERIFY(scene.view || scene.table);
            const bool colored = one.key == "answer" || one.key == "recommendation";
            QCOMPARE(scene.verdict.has_value(), colored);
        }
        QVERIFY(item(items, "way:A:B").scene().headline.startsWith(u"From A to B: +"));
    }

    void theAnswerSaysOfWhatItIs()
    {
        const StageScene answer = item(sampleItems(), "answer").scene();
        QCOMPARE(answer.question, u"Does Llama 3 8B, full training on 8 × H100 SXM5 80 GB fit?"_s);
        const std::vector<QStringList> &facts = answer.table->rows;
        const auto said = [&](const QString &name) {
            const auto row =
                std::ranges::find(facts, name, [](const QStringList &r) { return r[0]; });
            return row == facts.end() ? QString() : row->at(1);
        };
        QCOMPARE(said(u"Model"_s), u"Llama 3 8B"_s);
        QVERIFY(said(u"GPUs"_s).startsWith(u"8 × H100"));
        QCOMPARE(said(u"Micro-batch"_s), u"4"_s);
        QCOMPARE(said(u"Sequence length"_s), u"8,192"_s);
        QCOMPARE(said(u"Tensor parallel"_s), QString()); // one way of splitting is none
    }

    void theOptionsBeginWithThePlanAndTheCheapestThatFitsStandsOut()
    {
        const Plan plan = *readPlan(
            test::projectFile(u"resources/examples/llama-70b-8xh200.vramplan"_s).toStdString());
        Plan other = plan;
        other.batch.sequenceLength = 8192;
        const std::vector<StageItem> items =
            planItems({plan, estimate(plan), {scenario(u'A', u"one"_s, other)}, ByteUnit::Binary});
        const StageTable options = *item(items, "options").scene().table;
        QCOMPARE(options.rows[0].front(),
                 u"A Llama 3.1 70B, full training on 8 × H200 SXM 141 GB (one)"_s);
        QCOMPARE(options.rows[1].front(),
                 u"This plan: Llama 3.1 70B, full training on 8 × H200 SXM 141 GB"_s);
        QVERIFY(options.rows.size() > 3);
        QVERIFY(options.strong);
        const QStringList &best = options.rows[*options.strong];
        QVERIFY(best[1] != u"Does not fit"_s);
        const StageScene advice = item(items, "recommendation").scene();
        const QString change = best[0].section(u": "_s, 1);
        QVERIFY2(advice.headline.contains(change, Qt::CaseInsensitive),
                 qPrintable(advice.headline));
        for (const QStringList &row : options.rows) {
            QCOMPARE(row.size(), options.columns.size());
            for (const QString &cell : row) // no column that nothing stands in
                QVERIFY2(!cell.isEmpty(), qPrintable(row.join(u'|')));
        }
        QVERIFY(!options.columns.join(u' ').contains(u"step"_s));
        QCOMPARE(advice.table->rows.back().front(), u"Next step"_s);
    }

    void twoPlansAreSetAgainstEachOther()
    {
        const StageScene versus = item(sampleItems(), "versus:A:B").scene();
        const StageTable &table = *versus.table;
        const QString job = u"Llama 3 8B, full training on 8 × H100 SXM5 80 GB"_s;
        QCOMPARE(table.columns, QStringList({QString(), u"A"_s, u"B"_s}));
        QCOMPARE(table.rows.front(),
                 QStringList({u"Plan"_s, u"%1 (one)"_s.arg(job), u"%1 (two)"_s.arg(job)}));
        QVERIFY(std::ranges::find(table.rows, QStringList{u"Micro-batch"_s, u"1"_s, u"2"_s}) !=
                table.rows.end());
        const auto said = [&](QStringView name) {
            const auto found = std::ranges::find_if(
                table.rows, [&](const QStringList &one) { return one[0].startsWith(name); });
            return found == table.rows.end() ? QStringList() : *found;
        };
        QVERIFY(said(u"Speed").value(1).endsWith(u" tokens/s"));
        QVERIFY(said(u"A step").value(1).endsWith(u" for 65,536 tokens"));
        QVERIFY(said(u"A step").value(2).endsWith(u" for 131,072 tokens"));
        QVERIFY(!said(u"GPU hours for 1,000,000,000 tokens").isEmpty());
        QVERIFY(said(u"Price").isEmpty());
    }

    // A slide has room for so many rows; how many settings more differ is in the last one.
    void plansThatDifferInMuchFitOnTheirSlide()
    {
        const auto example = [](const QString &name) {
            return *readPlan(test::projectFile(u"resources/examples/"_s + name).toStdString());
        };
        const Plan a = example(u"llama-70b-8xh200.vramplan"_s);
        const Plan b = example(u"llama-70b-4xa100.vramplan"_s);
        const std::vector<StageItem> items = planItems(
            {a, estimate(a), {scenario(u'A', {}, a), scenario(u'B', {}, b)}, ByteUnit::Binary});
        const StageTable table = *item(items, "versus:A:B").scene().table;
        QVERIFY(table.rows.size() <= 12);
        QCOMPARE(table.rows.back().front(), u"Other settings"_s);
        QVERIFY2(table.rows.back()[1].endsWith(u" more differ"), qPrintable(table.rows.back()[1]));
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
                for (QString *text : {&there, &back}) { // the letters are those of the order
                    text->replace(u" A "_s, u" "_s);
                    text->replace(u" B "_s, u" "_s);
                }
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
        QCOMPARE(cause.table->rows.front().front(), u"Asked for"_s);
        const StageScene remedies = item(items, "remedies").scene();
        QVERIFY(!remedies.table->rows.empty());
        QVERIFY2(remedies.headline.startsWith(u"First: "), qPrintable(remedies.headline));
    }

    void anOrderIsKeptAndWhatIsNewFollowsWhatItFollows()
    {
        std::vector<StageItem> items;
        for (const char *key : {"a", "b", "c", "d"})
            items.push_back({key, {}, QString::fromLatin1(key), true, {}});
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
        QVERIFY(order[0] == (OrderEntry{"where", true, "States, not weights."}));
        QVERIFY(order[1] == (OrderEntry{"answer", false, ""}));
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
