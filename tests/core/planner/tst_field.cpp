// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/field.h"
#include "core/settings/settings.h"
#include "tests/core/planner/field_samples.h"
#include "tests/support/test.h"

#include <cmath>
#include <set>

using namespace vramscope;
using test::otherValues;
using test::sampleValue;

class TestField : public test::Test
{
    Q_OBJECT

private slots:
    void theTableHoldsEveryFieldOfTheDocument();
    void everyFieldHasWordsForAForm();
    void everyFieldKeepsWhatItIsGiven();
    void everyFieldRefusesOtherTypesAndSaysWhatItMayBe();
    void everyRangeEndsWhereItSays();
    void aRefusedValueChangesNothing();
    void groupSizesKnowOneGroupButNotNone();
    void listsRefuseUnknownAndRepeatedWords();
    void aConfigIsKeptWithoutWhiteSpaceAndInItsOrder();
    void unstatedFieldsShowTheDefaultInForce();
    void statedFieldsShowWhatThePlanSays();
};

void TestField::theTableHoldsEveryFieldOfTheDocument()
{
    const QByteArray documented =
        "name workload objective trainer trainer_version loss loss_chunks loss_keep_logits "
        "loss_keep_outputs "
        "model: preset known_as config norm gated_mlp activation bias learned_positions qk_norm "
        "norms_per_layer "
        "attention_sinks vocab_size_padded parameters_override parameters_per_rank_override "
        "buffer_bytes text_only pipeline components checkpoint "
        "hardware: gpu gpu_list gpus gpus_per_node network_gigabits capacity_bytes "
        "host_memory_bytes "
        "system_bytes "
        "page_cache_bytes "
        "parallel: data tensor pipeline virtual_stages schedule layers_per_stage context "
        "context_exchange expert expert_tensor sequence forward_prefetch "
        "strategy sharding shard_group units use_orig_params gradient_as_bucket_view "
        "backward_prefetch limit_all_gathers "
        "stage cpu_offload head_stage "
        "parallel.bucket: reduce_bucket_size allgather_bucket_size prefetch_bucket_size "
        "max_live_parameters max_reuse_distance param_persistence_threshold sub_group_size "
        "overlap_comm "
        "precision: regime weight_bytes gradient_bytes master_weight_bytes reduce_bytes linear "
        "optimizer: name implementation state_bytes offload offload_device zero_grad "
        "batch: micro_batch sequence_length accumulation_steps no_sync attention_mask images "
        "image_width image_height vision_tower "
        "activations: checkpointing every blocks attention kernels dropout attention_dropout "
        "attention_backend softmax_input experts expanded_kv offload capacity_factor "
        "load_imbalance "
        "adapters: kind rank targets base_quantization weight_bytes dropout fused_qkv group_size "
        "modules_to_not_convert quantize_at_load upcast_unquantized "
        "overheads: context_bytes nccl_bytes cublas_workspace_bytes engine_workspace_bytes "
        "alloc_conf reserved_factor resident_bytes "
        "calibrated "
        "inference: engine engine_version weight_format moe_backend kv_bytes_per_element "
        "block_size "
        "gpu_memory_utilization "
        "max_model_len max_num_seqs max_num_batched_tokens concurrent_sequences "
        "mean_sequence_length cuda_graph_bytes embedding_parallel prefix_caching "
        "host_expert_layers group_size "
        "modules_to_not_convert quantize_at_load non_torch_bytes activation_peak_bytes "
        "kv_cache_memory_bytes max_loras max_lora_rank "
        "inference.sglang: chunked_prefill_size cuda_graph_max_bs mem_fraction_static "
        "max_total_tokens max_running_requests page_size swa_full_tokens_ratio "
        "mamba_full_memory_ratio "
        "inference.trtllm: free_gpu_memory_fraction "
        "inference.multimodal: images videos max_pixels profiled "
        "inference.speculative: method num_speculative_tokens model config weight_format "
        "diffusion: width height frames images guidance prompt_tokens transformer_format "
        "vae_format offload vae_tiling vae_slicing "
        "rl: tensor sleep_level shared_process param_offload optimizer_offload reference "
        "reference_offload critic log_prob_micro_batch sync_bucket_bytes "
        "run: tokens gpu_hour_price";
    std::set<QByteArray> expected;
    QByteArray prefix;
    for (const QByteArray &word : documented.split(' ')) {
        if (word.endsWith(':'))
            prefix = word.chopped(1) + '.';
        else
            expected.insert(prefix + word);
    }
    std::set<QByteArray> actual;
    for (const Field &field : planFields()) {
        const std::string_view path = field.path;
        QVERIFY(actual.insert(QByteArray(path.data(), qsizetype(path.size()))).second);
        QCOMPARE(findField(field.path), &field);
    }
    QVERIFY(actual == expected);
    QCOMPARE(findField("batch"), nullptr);
}

void TestField::everyFieldHasWordsForAForm()
{
    for (const Field &field : planFields()) {
        const std::string path(field.path);
        QVERIFY2(!field.label.empty() && field.label.size() < 30, path.c_str());
        QVERIFY2(field.help.size() > 15 && field.help.ends_with('.'), path.c_str());
        QVERIFY2(field.maximum < 9007199254740992.0, path.c_str());
    }
}

void TestField::everyFieldKeepsWhatItIsGiven()
{
    for (const Field &field : planFields()) {
        const std::string path(field.path);
        Plan plan;
        QVERIFY2(field.get(plan) == FieldValue(), path.c_str());
        QVERIFY2(setField(plan, field, sampleValue(field)).ok(), path.c_str());
        QVERIFY2(field.get(plan) == sampleValue(field), path.c_str());
        QVERIFY2(!(plan == Plan()), path.c_str());
        QVERIFY(setField(plan, field, {}).ok());
        QVERIFY2(plan == Plan(), path.c_str());
    }
}

void TestField::everyFieldRefusesOtherTypesAndSaysWhatItMayBe()
{
    for (const Field &field : planFields()) {
        for (const FieldValue &value : otherValues(field)) {
            Plan plan;
            const auto result = setField(plan, field, value);
            const std::string path(field.path);
            QVERIFY2(!result.ok(), path.c_str());
            QVERIFY2(result.error().detail.starts_with(path + " is "), path.c_str());
            QVERIFY2(result.error().detail.find("it must be") != std::string::npos, path.c_str());
            QVERIFY(plan == Plan());
        }
    }
}

void TestField::everyRangeEndsWhereItSays()
{
    for (const Field &field : planFields()) {
        const bool real = field.kind == FieldKind::Number;
        if (!real && field.kind != FieldKind::Count && field.kind != FieldKind::Size)
            continue;
        const auto accepts = [&](double value) {
            Plan plan;
            const FieldValue given = real ? FieldValue(value) : FieldValue(std::int64_t(value));
            return setField(plan, field, given).ok();
        };
        const double step = real ? 0.001 : 1;
        const std::string path(field.path);
        QVERIFY2(accepts(field.minimum) && accepts(field.maximum), path.c_str());
        QVERIFY2(!accepts(field.minimum - step) && !accepts(field.maximum + step), path.c_str());
        if (real)
            QVERIFY(!accepts(std::nan("")) && !accepts(HUGE_VAL));
    }
}

void TestField::aRefusedValueChangesNothing()
{
    Plan plan;
    plan.batch.microBatch = 4;
    QVERIFY(!setField(plan, *findField("batch.micro_batch"), std::int64_t(0)).ok());
    QCOMPARE(*plan.batch.microBatch, std::int64_t(4));
}

void TestField::groupSizesKnowOneGroupButNotNone()
{
    Plan plan;
    const Field &field = *findField("inference.group_size");
    QVERIFY(setField(plan, field, std::int64_t(-1)).ok());
    QVERIFY(setField(plan, field, std::int64_t(64)).ok());
    QVERIFY(!setField(plan, field, std::int64_t(0)).ok());
}

void TestField::listsRefuseUnknownAndRepeatedWords()
{
    Plan plan;
    const Field &field = *findField("adapters.targets");
    const auto unknown = setField(plan, field, TextList{"q", "gates"});
    QCOMPARE(unknown.error().detail,
             std::string("adapters.targets holds \"gates\"; it must be a list out of q, k, v, o, "
                         "gate, up, down, head, all-linear (did you mean 'gate'?)."));
    QVERIFY(!setField(plan, field, TextList{"q", "q"}).ok());
    QVERIFY(setField(plan, field, TextList{}).ok());
    // One word is a list of it, as PEFT takes it.
    QVERIFY(setField(plan, field, std::string("all-linear")).ok());
    QCOMPARE(std::get<TextList>(field.get(plan)), TextList{"all-linear"});
    QVERIFY(!setField(plan, field, std::string("gates")).ok());
}

void TestField::aConfigIsKeptWithoutWhiteSpaceAndInItsOrder()
{
    Plan plan;
    const Field &field = *findField("model.config");
    QVERIFY(setField(plan, field, std::string("{ \"z\": 1,\n \"a\": [1, 2] }")).ok());
    QCOMPARE(*plan.model.config, std::string("{\"z\":1,\"a\":[1,2]}"));
    QVERIFY(!setField(plan, field, std::string("[1]")).ok());
    QVERIFY(!setField(plan, field, std::string("{\"a\": 1")).ok());
}

void TestField::unstatedFieldsShowTheDefaultInForce()
{
    Plan plan;
    plan.model.preset = "qwen3-8b";
    plan.parallel.data = 4;
    const auto effective = [&plan](const char *path) {
        return effectiveValue(plan, *findField(path));
    };
    QVERIFY(effective("workload") == FieldValue(std::string("training")));
    QVERIFY(effective("hardware.gpus") == FieldValue(std::int64_t(4)));
    QVERIFY(effective("hardware.gpu") == FieldValue());
    QVERIFY(effective("batch.sequence_length") == FieldValue(std::int64_t(2048)));
    QVERIFY(effective("loss") == FieldValue(std::string("hf-upcast")));
    QVERIFY(effective("model.norm") == FieldValue(std::string("rmsnorm")));
    QVERIFY(effective("model.qk_norm") == FieldValue(true));
    QVERIFY(effective("model.bias") == FieldValue(TextList{}));
    QVERIFY(effective("inference.max_model_len") == FieldValue(std::int64_t(40960)));
    QVERIFY(effective("parallel.stage") == FieldValue());
    plan.precision.regime = Regime::Fp32;
    QVERIFY(effective("loss") == FieldValue(std::string("cross-entropy-fp32")));
    plan.model.preset.reset();
    QVERIFY(effective("model.norm") == FieldValue());
}

void TestField::statedFieldsShowWhatThePlanSays()
{
    for (const Field &field : planFields()) {
        Plan plan;
        QVERIFY(setField(plan, field, sampleValue(field)).ok());
        QVERIFY2(effectiveValue(plan, field) == sampleValue(field), field.path.text().data());
    }
}

VRAMSCOPE_TEST(TestField)
#include "tst_field.moc"
