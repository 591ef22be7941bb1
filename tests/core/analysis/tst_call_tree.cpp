// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/groups.h"
#include "core/analysis/costs/call_tree.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <algorithm>
#include <map>
#include <random>

using namespace vramscope;

namespace {

using Path = std::vector<std::string>;

// Costs by path, each stack taken frame by frame.
struct NaiveTree
{
    std::map<Path, Costs> total;
    std::map<Path, Costs> self;
};

std::string key(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    return std::string(trace.text(frame.name)) + "@" + std::string(trace.text(frame.file)) + ":" +
           std::to_string(frame.line);
}

NaiveTree naive(const Trace &trace, const std::vector<Costs> &byStack, bool topDown,
                const std::vector<bool> &shown)
{
    NaiveTree tree;
    for (std::size_t stack = 0; stack < byStack.size(); ++stack) {
        if (byStack[stack] == Costs{})
            continue;
        const auto span = trace.stack(static_cast<StackId>(stack));
        std::vector<FrameId> frames(span.begin(), span.end());
        if (topDown)
            std::ranges::reverse(frames);
        Path path;
        std::string last;
        tree.total[path] += byStack[stack];
        for (const FrameId frame : frames) {
            const std::string text = key(trace, frame);
            const std::string function = text.substr(0, text.rfind(':'));
            if (!shown[static_cast<std::size_t>(frame)] || function == last)
                continue;
            last = function;
            path.push_back(text);
            tree.total[path] += byStack[stack];
        }
        tree.self[path] += byStack[stack];
    }
    return tree;
}

void compare(const Trace &trace, const CallTree &tree, const NaiveTree &expected)
{
    QCOMPARE(tree.size(), expected.total.size());
    std::vector<Path> paths(tree.size());
    for (CallTree::NodeIndex node = 0; node < tree.size(); ++node) {
        if (node != CallTree::kRoot) {
            paths[node] = paths[tree.node(node).parent];
            paths[node].push_back(key(trace, tree.node(node).frame));
        }
        const auto total = expected.total.find(paths[node]);
        QVERIFY(total != expected.total.end());
        QVERIFY(tree.total(node) == total->second);
        const auto self = expected.self.find(paths[node]);
        QVERIFY(tree.self(node) == (self == expected.self.end() ? Costs{} : self->second));
        Costs sum = tree.self(node);
        std::string before;
        for (const CallTree::NodeIndex child : tree.children(node)) {
            QCOMPARE(tree.node(child).parent, node);
            sum += tree.total(child);
            const std::string text(trace.text(trace.frame(tree.node(child).frame).name));
            QVERIFY(before <= text);
            before = text;
        }
        QVERIFY(sum == tree.total(node));
    }
}

Costs costOf(Bytes bytes)
{
    Costs costs;
    costs.peak = {bytes, 1};
    return costs;
}

} // namespace

class TestCallTree : public test::Test
{
    Q_OBJECT

private slots:
    void everyNodeHasTheCostsOfTheStacksThroughIt();
    void everyNodeKnowsItsStacks();
    void aFocusedTreeIsTheSubtreeUnderARoot();
    void aCancelledTreeHasItsRootAlone();
    void rulesHideByOriginTextAndRegularExpression();
    void aFunctionThatCallsItselfIsOneFrame();
    void whatHasNoStackIsTheRootsOwn();
    void aMillionFramesDeepIsNoDeeperThanTheHeap();
    void wrongRulesAreRefusedWithAReason();
    void patternsThatWouldExhaustTheStackAreRefused();
    void ambiguousRulesAreMatchedWithoutTryingEveryWay();
};

void TestCallTree::everyNodeHasTheCostsOfTheStacksThroughIt()
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        const auto trace = test::traceOf(test::randomTrace(seed, {}));
        const DeviceTrace &device = trace->devices().front();
        const Allocations all(device);
        const std::vector<Costs> costs = costsByStack(*trace, CostMeter(device, all, 50, 100));
        const std::vector<bool> shown = shownFrames(*trace, defaultFrameFilter());
        for (const bool topDown : {true, false}) {
            const CallTree tree(*trace, costs,
                                topDown ? CallTree::Direction::TopDown
                                        : CallTree::Direction::BottomUp);
            compare(*trace, tree, naive(*trace, costs, topDown, shown));
        }
    }
}

void TestCallTree::everyNodeKnowsItsStacks()
{
    const auto trace = test::traceOf(test::randomTrace(3, {}));
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const std::vector<Costs> costs = costsByStack(*trace, CostMeter(device, all, 50, 100));
    const CallTree tree(*trace, costs, CallTree::Direction::BottomUp);
    for (CallTree::NodeIndex node = 0; node < tree.size(); ++node) {
        Costs sum;
        for (const StackId stack : tree.stacks(node))
            sum += costs[static_cast<std::size_t>(stack)];
        QVERIFY(sum == tree.total(node));
    }
}

void TestCallTree::aFocusedTreeIsTheSubtreeUnderARoot()
{
    const auto trace = test::traceOf(test::randomTrace(2, {}));
    const DeviceTrace &device = trace->devices().front();
    const Allocations all(device);
    const std::vector<Costs> costs = costsByStack(*trace, CostMeter(device, all, 50, 100));
    const CallTree tree(*trace, costs, CallTree::Direction::TopDown);
    QVERIFY(tree.size() > 5);
    for (CallTree::NodeIndex node = 1; node < tree.size(); ++node) {
        const CallTree focused = tree.focusedOn(node);
        QCOMPARE(focused.size(), std::size_t(tree.node(node).end - node + 1));
        QVERIFY(focused.total(CallTree::kRoot) == tree.total(node));
        QVERIFY(std::ranges::equal(focused.stacks(CallTree::kRoot), tree.stacks(node)));
        for (CallTree::NodeIndex at = 1; at < focused.size(); ++at) {
            QVERIFY(focused.node(at).frame == tree.node(node + at - 1).frame);
            QVERIFY(focused.total(at) == tree.total(node + at - 1));
            QVERIFY(focused.self(at) == tree.self(node + at - 1));
        }
    }
}

void TestCallTree::rulesHideByOriginTextAndRegularExpression()
{
    TraceBuilder builder;
    const std::vector<FrameId> frames{
        builder.internFrame("c10::cuda::CUDACachingAllocator::malloc", "??", 0),
        builder.internFrame("linear", "/x/site-packages/torch/nn/functional.py", 5),
        builder.internFrame("forward", "/home/me/model.py", 7),
        builder.internFrame("main", "/home/me/train.py", 9)};
    const StackId stack = builder.internStack(frames);
    const auto trace = std::move(*builder.finish());
    std::vector<Costs> costs(2);
    costs[static_cast<std::size_t>(stack)] = costOf(100);
    const auto namesWith = [&](const FrameFilter &filter) {
        const CallTree tree(*trace, costs, CallTree::Direction::TopDown, filter);
        QStringList names;
        for (CallTree::NodeIndex node = 1; node < tree.size(); ++node) {
            const auto text = trace->text(trace->frame(tree.node(node).frame).name);
            names << QString::fromUtf8(text.data(), qsizetype(text.size()));
        }
        return names.join(' ');
    };
    QCOMPARE(namesWith({}), "main forward linear c10::cuda::CUDACachingAllocator::malloc");
    QCOMPARE(namesWith(defaultFrameFilter()), "main forward linear");
    FrameFilter filter = defaultFrameFilter();
    filter.rules.insert(filter.rules.begin(), *parseFrameRule("@framework", true));
    QCOMPARE(namesWith(filter), "main forward");
    filter.rules.insert(filter.rules.begin(), *parseFrameRule("functional.py", false));
    QCOMPARE(namesWith(filter), "main forward linear");
    filter.rules.insert(filter.rules.begin(), *parseFrameRule("/^(main|linear)$/", true));
    QCOMPARE(namesWith(filter), "forward");
}

void TestCallTree::aFunctionThatCallsItselfIsOneFrame()
{
    TraceBuilder builder;
    std::vector<FrameId> frames{builder.internFrame("leaf", "a.py", 1)};
    for (int depth = 0; depth < 5; ++depth)
        frames.push_back(builder.internFrame("walk", "a.py", 2 + depth % 2));
    frames.push_back(builder.internFrame("main", "a.py", 9));
    static_cast<void>(builder.internStack(frames));
    const auto trace = std::move(*builder.finish());
    const std::vector<Costs> costs{Costs{}, costOf(1)};
    QCOMPARE(CallTree(*trace, costs, CallTree::Direction::TopDown).size(), std::size_t(4));
    QCOMPARE(CallTree(*trace, costs, CallTree::Direction::TopDown, {{}, false}).size(),
             std::size_t(8));
}

void TestCallTree::aCancelledTreeHasItsRootAlone()
{
    DeviceTrace device;
    const auto trace = test::traceOf(device);
    std::vector<Costs> costs(trace->stackCount() + 1);
    for (Costs &each : costs)
        each.allocations = 1;
    const auto direction = CallTree::Direction::TopDown;
    const std::size_t whole = CallTree(*trace, costs, direction).size();
    QVERIFY(whole > 1);
    int most = 0;
    const auto goOn = [&](double) { return ++most > 0; };
    QCOMPARE(CallTree(*trace, costs, direction, defaultFrameFilter(), goOn).size(), whole);
    QVERIFY(most > 1);
    for (int last = 0; last < most; ++last) {
        int calls = 0;
        const auto stop = [&](double) { return calls++ < last; };
        QCOMPARE(CallTree(*trace, costs, direction, defaultFrameFilter(), stop).size(),
                 std::size_t(1));
    }
}

void TestCallTree::whatHasNoStackIsTheRootsOwn()
{
    TraceBuilder builder;
    const auto trace = std::move(*builder.finish());
    const std::vector<Costs> costs{costOf(70)};
    const CallTree tree(*trace, costs, CallTree::Direction::BottomUp);
    QCOMPARE(tree.size(), std::size_t(1));
    QVERIFY(tree.isLeaf(CallTree::kRoot));
    QCOMPARE(tree.self(CallTree::kRoot).peak.bytes, Bytes(70));
    QCOMPARE(tree.total(CallTree::kRoot).peak.bytes, Bytes(70));
    QVERIFY(CallTree().children(CallTree::kRoot).empty());
}

void TestCallTree::aMillionFramesDeepIsNoDeeperThanTheHeap()
{
    TraceBuilder builder;
    std::vector<FrameId> pair{builder.internFrame("ping", "a.py", 1),
                              builder.internFrame("pong", "b.py", 1)};
    std::vector<FrameId> frames;
    for (int depth = 0; depth < 1'000'000; ++depth)
        frames.push_back(pair[static_cast<std::size_t>(depth % 2)]);
    static_cast<void>(builder.internStack(frames));
    const auto trace = std::move(*builder.finish());
    const std::vector<Costs> costs{Costs{}, costOf(5)};
    const CallTree tree(*trace, costs, CallTree::Direction::TopDown);
    QCOMPARE(tree.size(), std::size_t(1'000'001));
    QCOMPARE(tree.self(1'000'000).peak.bytes, Bytes(5));
    QCOMPARE(tree.total(1).peak.bytes, Bytes(5));
    QCOMPARE(tree.focusedOn(500'000).size(), std::size_t(500'002));
}

void TestCallTree::wrongRulesAreRefusedWithAReason()
{
    QVERIFY(!parseFrameRule("", true).ok());
    const auto set = parseFrameRule("@vendor", true);
    QVERIFY(!set.ok());
    QVERIFY(set.error().detail.find("@framework") != std::string::npos);
    const auto rule = parseFrameRule("/(/", true);
    QVERIFY(!rule.ok());
    QVERIFY(rule.error().detail.find("regular expression") != std::string::npos);
    QVERIFY(parseFrameRule("/", true).ok()); // a text: part of a path
    QVERIFY(!parseFrameRule("/(a)\\1/", true).ok());
}

// The library takes a frame of the stack for each group, and for each way through a pattern.
void TestCallTree::patternsThatWouldExhaustTheStackAreRefused()
{
    const auto nested = [](std::size_t depth) {
        return "/" + std::string(depth, '(') + "A" + std::string(depth, ')') + "/";
    };
    const auto reason = [](const std::string &pattern) {
        const auto rule = parseFrameRule(pattern, true);
        return rule ? std::string() : rule.error().detail;
    };
    QVERIFY(reason(nested(40'000)).find("1,000 bytes") != std::string::npos);
    QVERIFY(reason(nested(40'000)).size() < 200);
    QVERIFY(reason(nested(51)).find("50 levels") != std::string::npos);
    QVERIFY(reason("/(a?){30000}/").find("braces") != std::string::npos);
    QVERIFY(reason("/((a{100}){100}){9}/").find("braces") != std::string::npos);
    QVERIFY(reason("/" + std::string(1001, 'a') + "/").find("1,000 bytes") != std::string::npos);
    for (const std::string &pattern :
         {nested(50), "/" + std::string(1000, 'a') + "/", std::string("/(a?){300}/"),
          std::string(R"(/[({]{2}\{\(\[[^\]]{3,5}/)"), std::string("/at::native::(add|mul)_?/")})
        QCOMPARE(reason(pattern), std::string());
    TraceBuilder builder;
    static_cast<void>(builder.internFrame(std::string(1000, 'a'), "x.py", 1));
    FrameFilter filter; // made by hand, and so not refused
    filter.rules.push_back({.hide = true,
                            .origin = std::nullopt,
                            .match = FrameRule::Match::Regex,
                            .pattern = nested(40'000)});
    QCOMPARE(shownFrames(*builder.finish().value(), filter), std::vector<bool>{true});
}

void TestCallTree::ambiguousRulesAreMatchedWithoutTryingEveryWay()
{
    // Tried one after the other, the ways to part forty equal letters would take days.
    const std::string letters(40, 'a');
    TraceBuilder builder;
    static_cast<void>(builder.internFrame(letters + "b", "x.py", 1));
    static_cast<void>(builder.internFrame("b" + letters, "x.py", 2));
    static_cast<void>(builder.internFrame("f", letters, 3));
    static_cast<void>(builder.internFrame(std::string(100'000, 'a'), "x.py", 4));
    // Only the first thousand characters are looked at.
    static_cast<void>(builder.internFrame(std::string(1000, 'b') + "a", "x.py", 5));
    const auto trace = std::move(*builder.finish());
    FrameFilter filter;
    filter.rules.push_back(*parseFrameRule("/(a+)+$/", true));
    QCOMPARE(shownFrames(*trace, filter), (std::vector<bool>{true, false, false, false, true}));
}

VRAMSCOPE_TEST(TestCallTree)
#include "tst_call_tree.moc"
