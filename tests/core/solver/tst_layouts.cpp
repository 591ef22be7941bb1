// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "core/solver/fit.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

using namespace vramscope;

namespace {

/// Llama 3 8B under FSDP on 8 GPUs of 24 GB.
Plan planToLayOut()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "rtx-4090";
    plan.hardware.gpus = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.optimizer.implementation = OptimizerImplementation::Fused;
    plan.batch.sequenceLength = 4096;
    plan.batch.accumulationSteps = 4;
    plan.activations.kernels = Kernels::Compiled;
    plan.loss = LossKind::LinearFused;
    return plan;
}

/// The same on GPUs of 80 GB.
Plan roomyPlan()
{
    Plan plan = planToLayOut();
    plan.hardware.gpu = "h100-sxm-80gb";
    return plan;
}

Plan with(Plan plan, const std::vector<FieldSetting> &fields)
{
    for (const FieldSetting &setting : fields)
        (void)setField(plan, fieldAt(setting.path), setting.value);
    return plan;
}

using Costs = std::tuple<Bytes, double, double, Bytes>;

Costs costsOf(const Estimate &it)
{
    return {it.peakDevice, it.recomputeShare, it.bubbleShare, it.communicationBytes};
}

bool beats(const Costs &a, const Costs &b)
{
    return std::get<0>(a) <= std::get<0>(b) && std::get<1>(a) <= std::get<1>(b) &&
           std::get<2>(a) <= std::get<2>(b) && std::get<3>(a) <= std::get<3>(b);
}

/// Every combination tried by estimate() itself, and what no other one beats.
std::set<Costs> paretoByHand(const Plan &base)
{
    std::vector<Costs> fitting;
    for (const std::int64_t tensor : {1, 2, 4, 8})
        for (const std::int64_t pipeline : {1, 2, 4, 8})
            for (std::size_t policy = 0; policy < choiceTexts<Checkpointing>.size(); ++policy) {
                Plan plan = base;
                if (8 % (tensor * pipeline) != 0)
                    continue;
                plan.parallel.tensor = tensor;
                plan.parallel.pipeline = pipeline;
                plan.parallel.data = 8 / (tensor * pipeline);
                plan.batch.accumulationSteps = 32 / *plan.parallel.data;
                plan.activations.checkpointing = static_cast<Checkpointing>(policy);
                const Estimate it = estimate(plan);
                if (it.computed && *it.fits)
                    fitting.push_back(costsOf(it));
            }
    std::set<Costs> best;
    for (const Costs &costs : fitting)
        if (std::ranges::none_of(
                fitting, [&](const Costs &other) { return other != costs && beats(other, costs); }))
            best.insert(costs);
    return best;
}

} // namespace

class TestLayouts : public test::Test
{
    Q_OBJECT

private slots:
    void theListIsWhatAComparisonByHandLeaves();
    void everyLayoutIsThePlanWithItsFields();
    void theCheapestComesFirstAndTheListCanBeCut();
    void aJobWithoutDegreesIsLaidOut();
    void whereNoneFitsTheNearestAreShownAndWhatWasHeld();
    void theFewestGpusFitAndTheNumberBeforeDoesNot();
    void theFewestGpusMayShareASequence();
    void moreTokensAreNotBeatenByFewerAndComeFirst();
    void moreSequencesServedAreNotBeatenByFewer();
    void oneFieldListsEachOfItsValuesThatFits();
    void moreLayoutsThanCanBeComparedAreCountedAndRefused();
    void unknownAndFixedFieldsAreRefused();
    void whatNoFieldMendsIsSaidWhateverIsVaried();
};

void TestLayouts::theListIsWhatAComparisonByHandLeaves()
{
    constexpr std::array<std::string_view, 3> kVary = {"parallel.tensor", "parallel.pipeline",
                                                       "activations.checkpointing"};
    const Plan plan = planToLayOut();
    const Result<Layouts> found = layoutsThatFit(plan, kVary, 1000);
    QVERIFY(found.ok());
    const std::set<Costs> byHand = paretoByHand(plan);
    QVERIFY(byHand.size() > 2);
    std::set<Costs> listed;
    for (const Layout &layout : found->best)
        listed.insert({layout.standing.device, layout.recomputeShare, layout.bubbleShare,
                       layout.communicationBytes});
    QVERIFY(listed == byHand);
    QCOMPARE(std::ssize(found->best), std::ssize(byHand)); // equal ones are listed once
}

void TestLayouts::everyLayoutIsThePlanWithItsFields()
{
    constexpr std::array<std::string_view, 3> kVary = {"parallel", "activations",
                                                       "batch.micro_batch"};
    const Plan plan = planToLayOut();
    const Result<Layouts> found = layoutsThatFit(plan, kVary, 50);
    QVERIFY(found.ok() && found->best.size() == 50 && found->evaluated > found->fitting);
    for (const Layout &layout : found->best) {
        const Plan laidOut = with(plan, layout.fields);
        const Estimate it = estimate(laidOut);
        const QByteArray json = QByteArray::fromStdString(planJson(laidOut));
        QVERIFY2(it.computed && *it.fits, json);
        QVERIFY2(it.peakDevice == layout.standing.device &&
                     *it.headroom == layout.standing.headroom && it.peakAt == layout.standing.at,
                 json);
        QVERIFY2(it.recomputeShare == layout.recomputeShare &&
                     it.bubbleShare == layout.bubbleShare &&
                     it.communicationBytes == layout.communicationBytes,
                 json);
        const auto largest = std::ranges::max(it.components(), {}, &Component::bytes);
        QVERIFY2(layout.standing.binding.component == largest.name, json);
        const std::int64_t sequences =
            *laidOut.parallel.data * *laidOut.batch.microBatch * *laidOut.batch.accumulationSteps;
        QVERIFY2(sequences >= 32 &&
                     sequences < 32 + *laidOut.parallel.data * *laidOut.batch.microBatch,
                 json);
    }
}

void TestLayouts::theCheapestComesFirstAndTheListCanBeCut()
{
    constexpr std::array<std::string_view, 2> kVary = {"parallel", "activations.checkpointing"};
    const Result<Layouts> all = layoutsThatFit(planToLayOut(), kVary, 1000);
    const Result<Layouts> some = layoutsThatFit(planToLayOut(), kVary, 3);
    QVERIFY(all.ok() && some.ok() && some->best.size() == 3);
    QCOMPARE(some->pareto, std::ssize(all->best));
    const auto lost = [](const Layout &it) { return it.recomputeShare + it.bubbleShare; };
    for (std::size_t i = 1; i < all->best.size(); ++i)
        QVERIFY(lost(all->best[i]) >= lost(all->best[i - 1]) - 0.005);
    QCOMPARE(some->best.front().standing.device, all->best.front().standing.device);
}

void TestLayouts::aJobWithoutDegreesIsLaidOut()
{
    Plan plan = planToLayOut();
    plan.parallel.data = std::nullopt; // the degrees make one GPU of eight: no figures as it is
    QVERIFY(!estimate(plan).computed);
    constexpr std::array<std::string_view, 1> kVary = {"parallel.tensor"};
    const Result<Layouts> found = layoutsThatFit(plan, kVary, 10);
    QVERIFY(found.ok() && found->evaluated == 4);
}

void TestLayouts::whereNoneFitsTheNearestAreShownAndWhatWasHeld()
{
    Plan plan = planToLayOut();
    plan.model.preset = "llama-3.1-70b";
    constexpr std::array<std::string_view, 1> kVary = {"parallel"};
    const Result<Layouts> found = layoutsThatFit(plan, kVary, 10);
    QVERIFY(found.ok() && found->fitting == 0 && found->best.empty());
    QCOMPARE(found->nearest.size(), std::size_t(5));
    QVERIFY(std::ranges::is_sorted(found->nearest, {},
                                   [](const Layout &layout) { return layout.standing.device; }));
    for (const Layout &layout : found->nearest) {
        QCOMPARE(layout.standing.device, estimate(with(plan, layout.fields)).peakDevice);
        QVERIFY(layout.standing.headroom < 0);
    }
    Plan smaller = plan; // a card that has just as much as the nearest needs
    smaller.hardware.capacity = found->nearest.front().standing.device;
    QVERIFY(layoutsThatFit(smaller, kVary, 10)->fitting > 0);
    smaller.hardware.capacity = found->nearest.front().standing.device - 1;
    QCOMPARE(layoutsThatFit(smaller, kVary, 10)->fitting, std::int64_t(0));
    for (const char *held : {"8 GPUs", "micro-batch 1", "sequence length 4,096",
                             "checkpointing none", "optimizer adamw", "Varied: tensor parallel"})
        QVERIFY2(found->held.find(held) != std::string::npos, found->held.c_str());
    QVERIFY(layoutsThatFit(roomyPlan(), kVary, 10)->nearest.empty());
}

void TestLayouts::theFewestGpusFitAndTheNumberBeforeDoesNot()
{
    Plan plan = planToLayOut();
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.activations.checkpointing = Checkpointing::Full;
    const Result<FewestGpus> found = fewestGpus(plan);
    QVERIFY(found.ok() && found->gpus && found->layout && found->before);
    QVERIFY(*found->gpus > 8 && *found->gpus <= 64);
    QCOMPARE(found->triedBefore, *found->gpus - 8);
    QVERIFY(found->layout->standing.headroom >= 0 && found->before->standing.headroom < 0);
    Plan fewer = plan;
    for (const std::int64_t tensor : {1, 2, 4, 8}) {
        fewer.hardware.gpus = found->triedBefore;
        fewer.parallel.tensor = tensor;
        fewer.parallel.data = found->triedBefore / tensor;
        const Estimate it = estimate(fewer);
        QVERIFY(!it.computed || !*it.fits);
    }
}

void TestLayouts::theFewestGpusMayShareASequence()
{
    Plan plan = roomyPlan();
    plan.batch.sequenceLength = 65'536; // too long for the activations of one GPU
    const Result<FewestGpus> found = fewestGpus(plan);
    QVERIFY(found.ok() && found->gpus && *found->gpus <= 16);
    const Plan laidOut = with(plan, found->layout->fields);
    QVERIFY(*laidOut.parallel.context > 1);
    QVERIFY(found->note.find("context") != std::string::npos);
    QVERIFY(found->note.find("checkpointing none") != std::string::npos);
    QVERIFY(found->note.find("sequence length 65,536") != std::string::npos);
}

void TestLayouts::moreTokensAreNotBeatenByFewerAndComeFirst()
{
    constexpr std::array<std::string_view, 2> kVary = {"batch.micro_batch",
                                                       "batch.sequence_length"};
    const Result<Layouts> found = layoutsThatFit(roomyPlan(), kVary, 1000);
    QVERIFY(found.ok() && found->best.size() > 5);
    std::set<std::int64_t> tokens;
    for (const Layout &layout : found->best) {
        const Plan laidOut = with(roomyPlan(), layout.fields);
        QCOMPARE(layout.tokens, *laidOut.batch.microBatch * *laidOut.batch.sequenceLength);
        tokens.insert(layout.tokens);
    }
    QCOMPARE(found->best.front().tokens, *tokens.rbegin());
    QVERIFY(std::ranges::count(found->best, *tokens.rbegin(), &Layout::tokens) > 2); // all shapes
    Plan larger = with(roomyPlan(), found->best.front().fields); // the most that fits indeed
    larger.batch.sequenceLength = 2 * *larger.batch.sequenceLength;
    const Estimate it = estimate(larger);
    QVERIFY(it.computed && !*it.fits);
}

void TestLayouts::moreSequencesServedAreNotBeatenByFewer()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.maxModelLen = 4096;
    constexpr std::array<std::string_view, 2> kVary = {"inference.concurrent_sequences",
                                                       "inference.embedding_parallel"};
    const Result<Layouts> found = layoutsThatFit(plan, kVary, 1000);
    QVERIFY(found.ok() && found->best.size() > 3);
    QVERIFY(found->best.front().tokens > found->best.back().tokens);
}

void TestLayouts::oneFieldListsEachOfItsValuesThatFits()
{
    const auto values = [](const Plan &plan, std::string_view path) {
        const Result<Layouts> found = layoutsThatFit(plan, std::span(&path, 1), 1000);
        std::set<std::string> texts;
        if (found)
            for (const Layout &layout : found->best)
                texts.insert(std::get<std::string>(layout.fields.front().value));
        return texts;
    };
    const auto fitting = [](std::string_view path) {
        std::set<std::string> texts;
        for (const std::string_view choice : findField(path)->choices) {
            Plan plan = roomyPlan();
            (void)setField(plan, *findField(path), std::string(choice));
            const Estimate it = estimate(plan);
            if (it.computed && *it.fits && choice != "none")
                texts.emplace(choice);
        }
        return texts;
    };
    for (const std::string_view path : {"loss", "optimizer.name", "precision.regime"}) {
        QVERIFY(values(roomyPlan(), path).size() > 1);
        QVERIFY(values(roomyPlan(), path) == fitting(path));
    }
    Plan stated = roomyPlan();
    stated.loss = LossKind::None; // then it is a choice of this job
    QVERIFY(values(stated, "loss").contains("none"));
}

void TestLayouts::moreLayoutsThanCanBeComparedAreCountedAndRefused()
{
    Plan plan = roomyPlan();
    plan.hardware.gpus = 1024;
    constexpr std::array<std::string_view, 2> kSome = {"parallel", "batch.micro_batch"};
    QVERIFY(layoutsThatFit(plan, kSome, 10).ok());
    constexpr std::array<std::string_view, 3> kAll = {"parallel", "activations",
                                                      "batch.micro_batch"};
    const Result<Layouts> all = layoutsThatFit(plan, kAll, 10);
    QVERIFY(!all.ok());
    QVERIFY2(all.error().detail.find("name fewer fields") != std::string::npos,
             all.error().detail.c_str());
}

void TestLayouts::whatNoFieldMendsIsSaidWhateverIsVaried()
{
    Plan draftless = roomyPlan();
    draftless.workload = Workload::Inference;
    draftless.inference.engine = Engine::Vllm;
    draftless.inference.speculative.method = SpeculativeMethod::DraftModel;
    Plan cardless = roomyPlan();
    cardless.hardware.gpu = "no such card";
    cardless.hardware.capacity = 80 * kGiB;
    Plan misspelt = roomyPlan();
    misspelt.overheads.allocConf = "max_split_size_mb=\"512\"";
    const std::string_view degrees = "parallel";
    const auto searched = fit(misspelt, std::span(&degrees, 1), 20);
    QVERIFY(!searched.ok() || std::get<Layouts>(searched->found).evaluated == 0);
    for (const Plan &plan : {draftless, cardless}) {
        const Estimate stated = estimate(plan);
        QVERIFY(!stated.computed);
        const auto barred =
            std::ranges::find(stated.issues, Issue::Severity::Blocking, &Issue::severity);
        for (const std::string_view vary :
             {"", "parallel", "hardware.gpus", "batch.micro_batch", "parallel.tensor",
              "inference.concurrent_sequences", "inference.gpu_memory_utilization"}) {
            const auto found = fit(plan, std::span(&vary, vary.empty() ? 0 : 1), 20);
            QVERIFY2(!found.ok(), vary.data());
            QVERIFY2(found.error().detail.find(barred->text) != std::string::npos,
                     found.error().detail.c_str());
        }
    }
}

void TestLayouts::unknownAndFixedFieldsAreRefused()
{
    const auto refusal = [](std::string_view path) {
        const Result<Fit> found = fit(planToLayOut(), std::span(&path, 1), 10);
        return found ? std::string() : found.error().detail;
    };
    QVERIFY(refusal("batch.mikro_batch").find("batch.micro_batch") != std::string::npos);
    QVERIFY(refusal("paralel").find("did you mean 'parallel'") != std::string::npos);
    QVERIFY(refusal("model.preset").find("model.preset") != std::string::npos);
    QVERIFY(refusal("adapters.targets").find("adapters.targets") != std::string::npos);
    QVERIFY(refusal("activations.dropout").find("whole number") != std::string::npos);
}

VRAMSCOPE_TEST(TestLayouts)
#include "tst_layouts.moc"
