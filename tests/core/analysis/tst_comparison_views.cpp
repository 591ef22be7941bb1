// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/alignment.h"
#include "core/analysis/comparison/difference_tree.h"
#include "core/analysis/costs/call_tree.h"
#include "core/analysis/replayed/event_curve.h"
#include "core/analysis/study/study.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <random>
#include <set>

using namespace vramscope;

namespace {

Bytes magnitude(Bytes bytes)
{
    return bytes < 0 ? -bytes : bytes;
}

std::string nameOf(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    return std::string(trace.text(frame.name)) + "@" + std::string(trace.text(frame.file)) + ":" +
           std::to_string(frame.line);
}

/// What the calls of a site are called, outermost first, hidden frames and repeats left out.
std::vector<std::string> pathOf(const Trace &trace, StackId stack)
{
    const std::vector<bool> shown = shownFrames(trace, defaultFrameFilter());
    std::vector<std::string> path;
    std::string last;
    const auto frames = trace.stack(stack);
    for (std::size_t at = frames.size(); at-- > 0;) {
        const std::string name = nameOf(trace, frames[at]);
        const std::string function = name.substr(0, name.rfind(':'));
        if (!shown[static_cast<std::size_t>(frames[at])] || function == last)
            continue;
        last = function;
        path.push_back(name);
    }
    return path;
}

/// A, B and |Δ| of a path, added up site by site.
struct Sums
{
    Bytes a = 0;
    Bytes b = 0;
    Bytes apart = 0;
    std::int64_t differing = 0;
    auto operator<=>(const Sums &) const = default;
};

std::map<std::vector<std::string>, Sums> naiveTree(const std::vector<ComparedSite> &sites,
                                                   const Trace &a, const Trace &b)
{
    std::map<std::vector<std::string>, Sums> tree;
    for (const ComparedSite &site : sites) {
        auto path = site.countA > 0 ? pathOf(a, site.stackA) : pathOf(b, site.stackB);
        for (;; path.pop_back()) {
            Sums &sums = tree[path];
            sums.a += site.bytesA;
            sums.b += site.bytesB;
            sums.apart += magnitude(site.delta());
            sums.differing += site.delta() != 0;
            if (path.empty())
                break;
        }
    }
    return tree;
}

AlignedHistory historyOf(std::span<const std::int64_t> times, EventIndex anchor)
{
    return {static_cast<EventIndex>(times.size()), times, anchor};
}

} // namespace

class TestComparisonViews : public test::Test
{
    Q_OBJECT

private slots:
    void anchorsFallTogetherByEvent();
    void anchorsFallTogetherByTime();
    void everyMomentOfRandomHistoriesIsOnTheAxis();
    void stepsBeginWithTheFirstWholeOne();
    void onlyNamesThatAllHaveAlign();
    void theTreeOfDifferencesIsThatOfANaiveWalk();
    void theTreeOfDifferencesAddsUpToTheDifference();
    void anOutlineMissesNoValue();
};

void TestComparisonViews::anchorsFallTogetherByEvent()
{
    const std::vector<AlignedHistory> histories{{10, {}, 2}, {20, {}, 7}, {4, {}, 0}};
    const Alignment alignment = alignedByEvent(histories);
    QCOMPARE(alignment.anchor, 7);
    QCOMPARE(alignment.shifts, (std::vector<std::int64_t>{5, 0, 7}));
    QCOMPARE(alignment.count, 20);
    QVERIFY(alignment.moments.empty());
    // The one that begins last may end last.
    QCOMPARE(alignedByEvent(std::vector<AlignedHistory>{{10, {}, 2}, {8, {}, 7}}).count, 15);
}

void TestComparisonViews::anchorsFallTogetherByTime()
{
    const std::vector<std::int64_t> a{1000, 1010, 1050};
    const std::vector<std::int64_t> b{500, 500, 530, 570};
    const std::vector<AlignedHistory> histories{historyOf(a, 1), historyOf(b, 2)};
    const Alignment alignment = alignedByTime(histories);
    QCOMPARE(alignment.anchor, 30);
    QCOMPARE(alignment.shifts, (std::vector<std::int64_t>{20, 0}));
    QCOMPARE(alignment.moments, (std::vector<std::int64_t>{0, 20, 30, 70}));
    QCOMPARE(alignment.count, 4);
}

void TestComparisonViews::everyMomentOfRandomHistoriesIsOnTheAxis()
{
    std::mt19937 random(7);
    const auto below = [&random](unsigned bound) { return static_cast<int>(random() % bound); };
    for (int round = 0; round < 40; ++round) {
        std::vector<std::vector<std::int64_t>> times(2 + random() % 7);
        std::vector<AlignedHistory> histories;
        for (auto &each : times) {
            std::int64_t now = below(1000);
            for (std::size_t event = 1 + random() % 30; event > 0; --event)
                each.push_back(now += below(4));
            histories.push_back(historyOf(each, static_cast<EventIndex>(random() % each.size())));
        }
        const Alignment alignment = alignedByTime(histories);
        std::set<std::int64_t> expected;
        for (std::size_t at = 0; at < times.size(); ++at) {
            QVERIFY(alignment.shifts[at] >= 0);
            for (const std::int64_t time : times[at])
                expected.insert(time - times[at].front() + alignment.shifts[at]);
            const auto anchor = static_cast<std::size_t>(histories[at].anchor);
            QCOMPARE(times[at][anchor] - times[at].front() + alignment.shifts[at],
                     alignment.anchor);
        }
        QCOMPARE(alignment.moments.front(), 0);
        QVERIFY(std::ranges::equal(alignment.moments, expected));
    }
}

void TestComparisonViews::stepsBeginWithTheFirstWholeOne()
{
    Steps steps;
    QVERIFY(!firstCompleteStep(steps));
    steps.steps.resize(3);
    steps.steps[0].complete = false;
    QCOMPARE(firstCompleteStep(steps), std::optional<std::size_t>(1));
    steps.steps[1].complete = steps.steps[2].complete = false;
    QVERIFY(!firstCompleteStep(steps));
}

void TestComparisonViews::onlyNamesThatAllHaveAlign()
{
    const auto withNames = [](const std::vector<std::pair<std::string, EventIndex>> &names,
                              std::vector<AnnotationRange> &ranges) {
        TraceBuilder builder;
        builder.internStream(0);
        builder.addEvent(0, {.action = Action::Alloc, .address = 512, .size = 1});
        for (const auto &[name, first] : names)
            ranges.push_back({builder.internText(name), first, first + 1, 0});
        return builder.finish().value();
    };
    std::vector<AnnotationRange> rangesA;
    std::vector<AnnotationRange> rangesB;
    const auto a = withNames(
        {{"begun before", -1}, {"forward", 3}, {"mine", 4}, {"forward", 9}, {"backward", 11}},
        rangesA);
    const auto b =
        withNames({{"backward", 1}, {"begun before", 2}, {"forward", 5}, {"theirs", 7}}, rangesB);
    const std::vector<AnnotatedHistory> histories{{*a, rangesA}, {*b, rangesB}};
    const std::vector<CommonAnnotation> common = commonAnnotations(histories);
    QCOMPARE(common.size(), std::size_t(2));
    QCOMPARE(common[0].name, std::string("forward"));
    QCOMPARE(common[0].starts, (std::vector<EventIndex>{3, 5}));
    QCOMPARE(common[1].name, std::string("backward"));
    QCOMPARE(common[1].starts, (std::vector<EventIndex>{11, 1}));
    QVERIFY(commonAnnotations({}).empty());
}

void TestComparisonViews::theTreeOfDifferencesIsThatOfANaiveWalk()
{
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const auto a = test::traceOf(test::randomTrace(seed, {}), 8);
        const auto b = test::traceOf(test::randomTrace(seed + 100, {}), 11);
        const Study studyA(a, a->devices().front());
        const Study studyB(b, b->devices().front());
        const auto sites = compareSites({studyA, 120}, {studyB, 180});
        const SiteStacks stacks = stacksOfSites(sites, *a, *b);
        const CallTree tree(*stacks.trace, stacks.byStack, CallTree::Direction::TopDown);
        const auto expected = naiveTree(sites, *a, *b);
        QCOMPARE(tree.size(), expected.size());
        std::vector<std::vector<std::string>> paths(tree.size());
        for (CallTree::NodeIndex node = 0; node < tree.size(); ++node) {
            if (node != CallTree::kRoot) {
                paths[node] = paths[tree.node(node).parent];
                paths[node].push_back(nameOf(*stacks.trace, tree.node(node).frame));
            }
            const auto found = expected.find(paths[node]);
            QVERIFY(found != expected.end());
            const Costs costs = tree.total(node);
            const Sums sums{costs.live.bytes, costs.peak.bytes, costs.total.bytes,
                            costs.total.count};
            QVERIFY(sums == found->second);
            QCOMPARE(differenceOf(costs), sums.b - sums.a);
        }
    }
}

void TestComparisonViews::theTreeOfDifferencesAddsUpToTheDifference()
{
    const auto a = test::traceOf(test::randomTrace(11, {.events = 500}));
    const auto b = test::traceOf(test::randomTrace(12, {.events = 500}));
    const Study studyA(a, a->devices().front());
    const Study studyB(b, b->devices().front());
    const RecordedMoment peakA = peakMoment(studyA);
    const RecordedMoment peakB = peakMoment(studyB);
    const Comparison comparison = compareTraces(peakA, peakB);
    const SiteStacks stacks = stacksOfSites(comparison.sites, *a, *b);
    const Costs all =
        CallTree(*stacks.trace, stacks.byStack, CallTree::Direction::TopDown).total(0);
    QCOMPARE(all.live.bytes, comparison.a.active);
    QCOMPARE(all.peak.bytes, comparison.b.active);
    QCOMPARE(differenceOf(all), comparison.b.active - comparison.a.active);
    const auto sites = compareSites(peakA, peakB);
    QCOMPARE(sites.size(), comparison.sites.size());
    QVERIFY(stacksOfSites({}, *a, *b).byStack.empty());
}

void TestComparisonViews::anOutlineMissesNoValue()
{
    std::mt19937 random(3);
    for (const std::size_t states : {1U, 2U, 5U, 63U, 64U, 65U, 1000U}) {
        std::vector<Bytes> values(states);
        for (Bytes &value : values)
            value = static_cast<Bytes>(random() % 5000);
        const CurveOutline outline = outlineOf(EventCurve(values), 64);
        const std::size_t columns = std::min<std::size_t>(64, states);
        QCOMPARE(outline.lowest.size(), columns);
        QCOMPARE(outline.highest.size(), columns);
        QCOMPARE(outline.events, static_cast<EventIndex>(states) - 1);
        std::size_t state = 0;
        for (std::size_t column = 0; column < columns; ++column) {
            Bytes low = values[state];
            Bytes high = low;
            for (; state < states && state < (column + 1) * states / columns; ++state) {
                low = std::min(low, values[state]);
                high = std::max(high, values[state]);
            }
            QCOMPARE(outline.lowest[column], low);
            QCOMPARE(outline.highest[column], high);
        }
        QCOMPARE(state, states);
    }
}

VRAMSCOPE_TEST(TestComparisonViews)
#include "tst_comparison_views.moc"
