// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planned_requests/planned_requests.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;

namespace {

using Kind = AllocatorRequest::Kind;

/// The points in the order of the requests' events.
std::vector<LifecyclePoint> pointsOf(const Lifecycle &step)
{
    std::vector<LifecyclePoint> points = step.firstStep;
    points.insert(points.end(), step.steadyStep.begin(), step.steadyStep.end());
    return points;
}

/// What is wrong with a plan's requests; nothing where they are its lifecycle's bytes.
QString disagreement(const Plan &plan)
{
    const Lifecycle step = lifecycle(estimate(plan));
    const std::vector<LifecyclePoint> points = pointsOf(step);
    const RequestStream stream = plannedRequests(estimate(plan), step);
    std::vector<Bytes> live(stream.allocations, 0);
    Bytes sum = 0;
    std::size_t next = 0;
    for (std::size_t point = 0; point < points.size(); ++point) {
        const Bytes most = std::max(sum, points[point].allocated);
        for (; next < stream.requests.size() &&
               stream.requests[next].event == static_cast<std::int32_t>(point);
             ++next) {
            const AllocatorRequest &request = stream.requests[next];
            const bool comes = request.kind == Kind::Allocate;
            if (request.size <= 0 || live[request.allocation] != (comes ? 0 : request.size))
                return QStringLiteral("request %1 is none of a program's").arg(next);
            live[request.allocation] = comes ? request.size : 0;
            sum += comes ? request.size : -request.size;
            if (sum > most)
                return QStringLiteral("more than either point at point %1").arg(point);
        }
        if (sum != points[point].allocated)
            return QStringLiteral("%1 bytes, not %2, at point %3")
                .arg(sum)
                .arg(points[point].allocated)
                .arg(point);
    }
    return next == stream.requests.size() ? QString() : QStringLiteral("requests after the end");
}

/// What a plan asks for at the moment of a steady step.
std::vector<Bytes> askedAt(const Plan &plan, std::string_view moment)
{
    const Lifecycle step = lifecycle(estimate(plan));
    const std::vector<LifecyclePoint> points = pointsOf(step);
    std::vector<Bytes> sizes;
    for (const AllocatorRequest &request : plannedRequests(estimate(plan), step).requests) {
        const auto point = static_cast<std::size_t>(request.event);
        if (request.kind == Kind::Allocate && point >= step.firstStep.size() &&
            points[point].moment == moment)
            sizes.push_back(request.size);
    }
    return sizes;
}

} // namespace

class TestPlannedRequests : public Test
{
    Q_OBJECT

private slots:
    void afterEveryPointExactlyItsBytesAreAllocated()
    {
        Random random(20261122);
        for (int i = 0; i < 300; ++i) {
            const QString what = disagreement(randomTrainingPlan(random));
            QVERIFY2(what.isEmpty(), qPrintable(QString("plan %1: %2").arg(i).arg(what)));
        }
    }

    void weightsAreTheMatricesOfTheModel()
    {
        Plan plan = smallPlan();
        plan.batch.microBatch = 3; // no activation is as large as a matrix
        const RequestStream stream = plannedRequests(estimate(plan), lifecycle(estimate(plan)));
        const auto matrices = [&](Bytes size) {
            return std::ranges::count_if(stream.requests, [&](const AllocatorRequest &request) {
                return request.event == 0 && request.size == size;
            });
        };
        QCOMPARE(matrices(Bytes(2) * 4096 * 14336), 32 * 3); // gate, up and down of every block
        QCOMPARE(matrices(Bytes(2) * 4096 * 1024), 32 * 2);  // keys and values
        QCOMPARE(matrices(Bytes(2) * 4096 * 128256), 2);     // embedding and head
    }

    void gradientsOfTheBlocksStayWhereTheyAreWhenBackwardEnds()
    {
        const std::vector<Bytes> sizes = askedAt(smallPlan(), "end of backward");
        QCOMPARE(sizes, std::vector<Bytes>{Bytes(2) * 4096 * 128256}); // the embedding's alone
    }

    void fsdpGathersOnAStreamOfItsOwn()
    {
        const auto usesStream = [](const Plan &plan, std::uint16_t stream) {
            const RequestStream requests =
                plannedRequests(estimate(plan), lifecycle(estimate(plan)));
            return std::ranges::any_of(requests.requests, [&](const AllocatorRequest &request) {
                return request.stream == stream;
            });
        };
        QVERIFY(usesStream(shardedPlan(8, Strategy::Fsdp1), 1));
        QVERIFY(!usesStream(shardedPlan(8, Strategy::Fsdp1), 2));
        QVERIFY(usesStream(shardedPlan(8, Strategy::Fsdp2), 1));
        QVERIFY(usesStream(shardedPlan(8, Strategy::Fsdp2), 2));
        QVERIFY(!usesStream(smallPlan(), 1));
    }

    void aPlanThatServesOrContradictsItselfAsksForNothing()
    {
        Plan serving = smallPlan();
        serving.workload = Workload::Inference;
        QVERIFY(plannedRequests(estimate(serving), lifecycle(estimate(serving))).requests.empty());
        Plan impossible = smallPlan();
        impossible.model.preset = "no such model";
        QVERIFY(plannedRequests(estimate(impossible), lifecycle(estimate(impossible)))
                    .requests.empty());
    }
};

VRAMSCOPE_TEST(TestPlannedRequests)
#include "tst_planned_requests.moc"
