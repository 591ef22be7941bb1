// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/print/live_report.h"
#include "core/readers/read_trace.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// What would make a peak smaller, and by how much.
class TestPeakAdvice : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachGainIsHowFarTheHighestMomentFalls()
    {
        const std::vector<std::shared_ptr<const Trace>> traces{
            *readTrace(
                test::projectFile(u"resources/examples/training-expandable-segments.pickle"_s)
                    .toStdString()),
            test::trainingLoop({}).trace, test::trainingLoop({.trains = false}).trace};
        std::size_t remedies = 0;
        for (const auto &trace : traces) {
            const Study study(trace, trace->devices().front());
            const OutOfMemoryAdvice &advice = study.peakAdvice();
            QCOMPARE(advice.trains, study.peak().trains);
            QVERIFY(
                std::ranges::is_sorted(advice.remedies, std::ranges::greater(), &Remedy::bytes));
            for (const Remedy &remedy : advice.remedies) {
                ++remedies;
                QCOMPARE(remedy.bytes, gainOf(study, remedy.kind));
                QVERIFY(remedy.bytes * 20 >= study.peak().active);
                QVERIFY(!remedy.servesRequest && !remedy.servesStep);
            }
        }
        QVERIFY2(remedies >= 4, qPrintable(QString::number(remedies)));
    }

    void whatLeaksIsTheFirstRemedy()
    {
        const auto trace = *readTrace(
            test::projectFile(u"tests/data/labelled/leak_lru.pickle.gz"_s).toStdString());
        const Study study(trace, trace->devices().front());
        QCOMPARE(study.leaks().leaks.size(), std::size_t(1));
        const Remedy &first = study.peakAdvice().remedies.front();
        QVERIFY(first.kind == Remedy::Kind::Leak);
        QCOMPARE(first.bytes, gainOf(study, [&](AllocationIndex index) {
                     return study.allocations().stack[index] == study.leaks().leaks.front().stack &&
                            study.allocations().birth[index] > study.leaks().samples.front();
                 }));
        QVERIFY(peakText(study, "x", 5).find("Dropping what grows and is never freed") !=
                std::string::npos);
    }

    void textAndJsonStateTheSame()
    {
        const auto trace = *readTrace(
            test::projectFile(u"resources/examples/training-expandable-segments.pickle"_s)
                .toStdString());
        const Study study(trace, trace->devices().front());
        const QJsonArray rows =
            QJsonDocument::fromJson(QByteArray::fromStdString(peakJson(study, "x")))
                .object()["remedies"_L1]
                .toArray();
        QCOMPARE(std::size_t(rows.size()), study.peakAdvice().remedies.size());
        QVERIFY(!rows.isEmpty());
        QCOMPARE(rows[0]["kind"_L1].toString(),
                 QString::fromUtf8(remedyName(study.peakAdvice().remedies.front().kind)));
        QCOMPARE(rows[0]["bytes"_L1].toInteger(), study.peakAdvice().remedies.front().bytes);
        QVERIFY(peakText(study, "x", 5).find("The peak would fall with:") != std::string::npos);
    }

private:
    /// By looking at what is live after every event.
    static Bytes gainOf(const Study &study, Remedy::Kind kind)
    {
        using enum Category;
        static const std::map<Remedy::Kind, std::pair<std::vector<Category>, Bytes>> kKinds{
            {Remedy::Kind::Checkpointing, {{Activations}, 1}},
            {Remedy::Kind::FusedLoss, {{LossAndLogits}, 1}},
            {Remedy::Kind::SmallerOptimizer, {{OptimizerStates}, 1}},
            {Remedy::Kind::FusedOptimizer, {{TemporaryBuffers}, 1}},
            {Remedy::Kind::Sharding, {{Parameters, Gradients}, 1}},
            {Remedy::Kind::SmallerBatch, {{Activations, LossAndLogits}, 2}},
            {Remedy::Kind::SmallerCache, {{KeyValueCache}, 2}}};
        const std::vector<Category> &categories = kKinds.at(kind).first;
        return gainOf(
            study,
            [&](AllocationIndex index) {
                return std::ranges::find(categories, study.categories().of(index).category) !=
                       categories.end();
            },
            kKinds.at(kind).second);
    }

    template<class IsGone>
    static Bytes gainOf(const Study &study, IsGone isGone, Bytes parts = 1)
    {
        const Allocations &allocations = study.allocations();
        Bytes most = 0;
        for (EventIndex event = -1; event < study.curve().count(); ++event) {
            Bytes live = 0;
            for (const AllocationIndex index : allocations.liveAfter(event))
                if (isGone(index))
                    live += allocations.size[index];
            most = std::max(most, study.curve().active(event) - live / parts);
        }
        return study.peak().active - most;
    }
};

VRAMSCOPE_TEST(TestPeakAdvice)
#include "tst_peak_advice.moc"
