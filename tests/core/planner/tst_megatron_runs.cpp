// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "tests/support/test.h"

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

// Runs of Megatron-LM's functional tests (tests/functional_tests/test_cases at d98e8a64, golden
// values of H100 where there are any): a GPT of 12 layers, 4 sequences of 1,024 tokens, 8 GPUs.
// Every figure is within 3 %.

namespace {

constexpr const char *kGpt = R"({"vramscope": 1, "workload": "training",
    "model": {"config": {"model_type": "gpt", "num_hidden_layers": 12, "hidden_size": 512,
            "num_attention_heads": 8, "num_key_value_heads": 8, "head_dim": 64,
            "intermediate_size": 2048, "vocab_size": 50257, "tie_word_embeddings": true,
            "max_position_embeddings": 1024 EXPERTS},
        "norm": "layernorm", "gated_mlp": false, "bias": [BIAS], "learned_positions": 1024,
        "vocab_size_padded": PADDED, "qk_norm": QKNORM},
    "hardware": {"gpu": "GPU", "gpus": 8, "gpus_per_node": 8},
    "precision": {"regime": "megatron-bf16" GRADIENTS},
    "optimizer": {"name": "adam", "implementation": "fused"},
    "activations": {"checkpointing": "none", "dropout": 0.1, "attention_dropout": 0.1, KERNELS},
    "loss": "vocab-parallel", "parallel": {"strategy": "STRATEGY", LAYOUT},
    "batch": {"micro_batch": 4, "sequence_length": 1024, "accumulation_steps": STEPS}})";

constexpr const char *kMuonExperts =
    R"(, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 1024)";
constexpr const char *kExperts =
    R"(, "num_experts": 4, "num_experts_per_tok": 1, "moe_intermediate_size": 2048)";
constexpr const char *kTransformerEngine = R"("attention": "flash", "kernels": "megatron-te")";
constexpr const char *kLocal = R"("attention": "eager", "kernels": "megatron-local")";

struct Run
{
    const char *kernels = kTransformerEngine;
    const char *strategy = "megatron-distributed-optimizer";
    const char *layout;
    const char *steps = "1";
    const char *experts = "";
    const char *padded = "50304";
    bool queryKeyNorm = false;
    const char *gradients = "";
    const char *gpu = "h100-sxm-80gb";
};

Plan planOf(const Run &run)
{
    QString text = QString::fromLatin1(kGpt);
    const bool experts = *run.experts != '\0';
    text.replace("EXPERTS"_L1, QLatin1StringView(run.experts))
        .replace("BIAS"_L1, experts ? ""_L1 : R"("qkv", "o", "mlp")"_L1)
        .replace("PADDED"_L1, QLatin1StringView(run.padded))
        .replace("QKNORM"_L1, run.queryKeyNorm ? "true"_L1 : "false"_L1)
        .replace("\"GPU\""_L1, u"\"%1\""_s.arg(QLatin1StringView(run.gpu)))
        .replace("GRADIENTS"_L1, QLatin1StringView(run.gradients))
        .replace("KERNELS"_L1, QLatin1StringView(run.kernels))
        .replace("STRATEGY"_L1, QLatin1StringView(run.strategy))
        .replace("LAYOUT"_L1, QLatin1StringView(run.layout))
        .replace("STEPS"_L1, QLatin1StringView(run.steps));
    const auto plan = parsePlan(text.toStdString());
    return plan.ok() ? *plan : Plan();
}

struct Golden
{
    Bytes rest, firstStep, peak;
};

bool within(Bytes predicted, Bytes measured)
{
    return std::abs(static_cast<double>(predicted) / static_cast<double>(measured) - 1) < 0.03;
}

void compare(const Plan &plan, const Golden &golden)
{
    const Estimate result = estimate(plan);
    QVERIFY(result.computed);
    const auto rest = std::ranges::find(result.moments, "at rest", &Moment::name);
    QVERIFY(rest != result.moments.end());
    QVERIFY(within(rest->allocated, golden.rest));
    QVERIFY(within(result.firstStepAllocated, golden.firstStep));
    QVERIFY(within(result.peakAllocated, golden.peak));
}

} // namespace

class TestMegatronRuns : public Test
{
    Q_OBJECT

private slots:
    void muonsStatesAreWholeSpreadOrOfWholeTensors()
    {
        constexpr const char *kLayout = R"("data": 8, "expert": 8, "dispatcher": "allgather")";
        Plan plan = planOf({.layout = kLayout, .experts = kMuonExperts});
        // …_te_ep8_resume_torch_dist_dist_optimizer, Adam
        compare(plan, {788'519'936, 3'121'236'480, 3'284'394'496});
        plan.optimizer.name = OptimizerName::Muon; // …_dist_dist_muon_param_layout
        compare(plan, {742'158'848, 3'131'866'112, 3'239'834'624});
        plan.optimizer.partition = StatePartition::Tensors; // …_dist_dist_muon
        compare(plan, {994'063'360, 3'205'999'104, 3'490'994'688});
        plan.optimizer.partition.reset();
        plan.parallel.strategy = Strategy::Megatron; // …_dist_muon
        compare(plan, {1'096'719'872, 3'257'109'504, 3'590'822'912});
    }

    void theTokensOfAnAllGatherStayInABuffer()
    {
        Plan plan = planOf({.layout = R"("data": 8, "expert": 8)", .experts = kMuonExperts});
        const auto buffer = [&] {
            for (const Moment &moment : estimate(plan).moments)
                for (const Component &component : moment.components)
                    if (moment.name == "at rest" && component.name == "GlobalMemoryBuffer")
                        return component.bytes;
            return Bytes(0);
        };
        QCOMPARE(buffer(), Bytes(0));
        plan.parallel.dispatcher = TokenDispatcher::AllGather;
        QCOMPARE(buffer(), Bytes(2 * 512 * 8 * 4096)); // of eight ranks, in bf16
    }

    void fp16KeepsGradientsInItsOwnType()
    {
        // The figures of the last iterations: the first are skipped, because their loss overflows.
        constexpr const char *kGradients = R"(, "gradient_bytes": 2, "reduce_bytes": 2)";
        compare(planOf({.kernels = kLocal,
                        .strategy = "megatron",
                        .layout = R"("data": 4, "pipeline": 2, "stage": 1)",
                        .steps = "2",
                        .gradients = kGradients}),
                {1'041'978'880, 3'187'304'960, 3'547'033'088}); // …_tp1_pp2_resume_torch_dist
        compare(planOf({.kernels = kLocal,
                        .strategy = "megatron",
                        .layout = R"("data": 2, "tensor": 4)",
                        .steps = "4",
                        .padded = "50688",
                        .gradients = kGradients}),
                {417'037'824, 1'464'319'488, 1'598'662'656}); // …_tp4_pp1_resume_torch
    }

    void normsOfQueriesAndKeysKeepTheirInputs()
    {
        Run run = {.strategy = "megatron",
                   .layout = R"("data": 2, "tensor": 4)",
                   .steps = "4",
                   .padded = "50688",
                   .queryKeyNorm = true};
        // …_te_tp4_pp1_resume_torch_dist_qk_layernorm_test_mode
        compare(planOf(run), {398'273'024, 1'043'708'416, 1'177'314'304});
        run.gpu = "a100-sxm-80gb";
        compare(planOf(run), {368'387'584, 1'030'075'904, 1'161'062'912});
    }

    void routersOfLocalLayersTakeAWorkspace()
    {
        Plan plan = planOf({.kernels = R"("attention": "eager", "kernels": "megatron-local",
                                          "experts": "loop")",
                            .strategy = "megatron",
                            .layout = R"("data": 1, "tensor": 4, "pipeline": 2, "sequence": true,
                                         "expert": 2, "expert_tensor": 2, "stage": 1)",
                            .steps = "8",
                            .experts = kExperts,
                            .padded = "50688"});
        // …_tp2_pp2_ep2_etp2_te_4experts2parallel
        compare(plan, {491'769'856, 1'059'930'112, 1'226'082'304});
    }
};

VRAMSCOPE_TEST(TestMegatronRuns)
#include "tst_megatron_runs.moc"
