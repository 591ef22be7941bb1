// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/series_builder.h"
#include "tests/support/test.h"
#include "tests/ui/reconcile/sample_reconciliation.h"
#include "tests/ui/stage/shown_keys.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/compare/compare_items.h"
#include "ui/ranks/rank_items.h"
#include "ui/reconcile/reconcile_items.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/series/series_items.h"
#include "ui/stage/large_picture.h"
#include "ui/stage/slide_bars.h"

#include <QPushButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

StageScene sceneOf(const std::vector<StageItem> &items, const char *key)
{
    return std::ranges::find(items, key, &StageItem::key)->scene();
}

ComparedTrace recording(const QString &title, const test::SampleOptions &options = {})
{
    return {title, {}, analyse(test::SampleTrace(options).finish()), 0};
}

std::vector<StageItem> compared(std::vector<ComparedTrace> traces)
{
    return comparisonItems({ComparisonDocument(std::move(traces)), {}, {}, ByteUnit::Binary});
}

RankSummary rank(int number, Bytes peak)
{
    RankSummary made;
    made.source.rank = number;
    made.source.path = "rank" + std::to_string(number) + ".pickle";
    made.figures.peakActive = peak;
    return made;
}

std::shared_ptr<const SeriesDocument> twoDevices()
{
    SeriesBuilder builder("nvidia-smi");
    for (const int ordinal : {0, 1}) {
        SeriesDevice device;
        device.ordinal = ordinal;
        device.label = "GPU " + std::to_string(ordinal);
        device.total = 8 * kGiB;
        device.time = {1'000'000'000, 2'000'000'000, 3'000'000'000};
        device.bytes = {{"used", CurveRole::DeviceUsed, {kGiB, (5 + ordinal) * kGiB, 2 * kGiB}}};
        builder.addDevice(std::move(device));
    }
    return analyse(builder.finish());
}

} // namespace

/// What can be presented of the pages that hold more than one thing.
class StageItemsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aHeldPlanTellsItsAnswerTheMomentsTheWayAndTheReasons()
    {
        const Reconciliation held = test::sampleReconciliation();
        const std::vector<StageItem> items =
            reconcileItems({held, 80 * kGiB, {}, ByteUnit::Binary});
        QCOMPARE(test::shownKeys(items), u"answer moments way reasons"_s);
        QVERIFY(sceneOf(items, "answer").headline.startsWith(u"At the loss: 35.0 GiB predicted"));
        const StageScene moments = sceneOf(items, "moments");
        QVERIFY(moments.headline.startsWith(u"2 of 3 moments were found"));
        QVERIFY(moments.headline.contains(u"at the loss, by +3.00 GiB"));
        QCOMPARE(qobject_cast<StackedBarChart *>(moments.view.get())->content().bars.size(),
                 std::size_t(5));
        const StageScene way = sceneOf(items, "way");
        QVERIFY(way.headline.contains(u"Micro-batch 2 instead of 1"));
        QCOMPARE(qobject_cast<WaterfallChart *>(way.view.get())->bars(), reconcileWaterfall(held));
        const StageScene reasons = sceneOf(items, "reasons");
        QVERIFY(reasons.headline.contains(u"512 MiB stay unexplained"));
        QVERIFY(!reasons.view->findChild<QPushButton *>()); // an audience presses none
        QVERIFY(sceneOf(items, "moment:backward").headline.contains(u"not found"));
    }

    void aHeldPlanWithoutAnAnswerSaysWhy()
    {
        const std::vector<StageItem> items = reconcileItems({{}, {}, u"No history."_s, {}});
        QCOMPARE(test::shownKeys(items), u"answer"_s);
        QCOMPARE(items[0].scene().headline, u"No history."_s);
    }

    void aPairTellsWhoHoldsMoreAndWhere()
    {
        test::SampleOptions heavy;
        heavy.steps = 6;
        const std::vector<StageItem> items =
            compared({recording(u"a.pickle"_s), recording(u"b.pickle"_s, heavy)});
        QCOMPARE(test::shownKeys(items), u"answer curves sites:B flame:B"_s);
        for (const StageItem &item : items)
            QVERIFY2(!item.scene().headline.isEmpty(), item.key.c_str());
        const auto levels = sceneOf(items, "answer");
        QCOMPARE(qobject_cast<SlideBarsView *>(levels.view.get())->bars().bars.size(),
                 std::size_t(2));
        QVERIFY(sceneOf(items, "settings:B").headline.startsWith(u"No setting"));
    }

    void severalRecordingsAreHeldAgainstTheFirst()
    {
        const std::vector<StageItem> items =
            compared({recording(u"a"_s), recording(u"b"_s), recording(u"c"_s)});
        QCOMPARE(test::shownKeys(items), u"answer curves sites:B sites:C"_s);
        QVERIFY(sceneOf(items, "answer").headline.startsWith(u"All of them peak at "));
        QVERIFY(sceneOf(items, "sites:C").headline.startsWith(u"C holds as much as A"));
    }

    void ranksTellHowFarApartTheyPeak()
    {
        auto study = std::make_shared<RunStudy>();
        study->run = rankedRun(RunSummary());
        study->run.ranks = {rank(0, 4 * kGiB), rank(1, 9 * kGiB), rank(2, 5 * kGiB)};
        study->findings = findingsOf(study->run);
        const std::vector<StageItem> items = rankItems(study, ByteUnit::Binary);
        QCOMPARE(test::shownKeys(items), u"answer ranks"_s);
        const StageScene answer = sceneOf(items, "answer");
        const auto &rows = qobject_cast<SlideBarsView *>(answer.view.get())->bars().bars;
        QCOMPARE(rows.size(), std::size_t(3));
        QCOMPARE(rows[0].name, u"Rank 1, the highest"_s);
        QCOMPARE(rows[1].text, u"5.00 GiB"_s);
        QCOMPARE(rows[2].name, u"Rank 0, the lowest"_s);
    }

    void curvesOverTimeTellTheirPeaksAndEachDevice()
    {
        const std::vector<StageItem> items = seriesItems({twoDevices(), {}, ByteUnit::Binary});
        QCOMPARE(test::shownKeys(items), u"answer curves"_s);
        const StageScene answer = sceneOf(items, "answer");
        QCOMPARE(answer.headline,
                 u"GPU 1 peaks at 6.00 of 8.00 GiB (used), 1.00 s after its first sample."_s);
        QCOMPARE(qobject_cast<SlideBarsView *>(answer.view.get())->bars().bars.front().limit,
                 double(8 * kGiB));
        QVERIFY(sceneOf(items, "device:GPU 0").headline.startsWith(u"GPU 0 peaks at "));
    }

    void barsHaveTheSamePlaceWhateverTheirNumber()
    {
        SlideBars bars =
            levelBars({{u"in use"_s, kGiB}, {u"reserved"_s, 2 * kGiB}}, ByteUnit::Binary);
        SlideBarsView few(bars);
        QCOMPARE(largePicture(few, {1200, 560}, 2).devicePixelRatio(), 2.0);
        for (int more = 0; more < 3; ++more)
            bars.bars.push_back(bars.bars.front());
        SlideBarsView many(bars);
        const QImage tight = largePicture(many, {1200, 560}, 2);
        QCOMPARE(tight.devicePixelRatio(), 2.0); // its type is as large
        QCOMPARE(tight.size(), QSize(1200, 560));
    }
};

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::StageItemsTest)
#include "tst_stage_items.moc"
