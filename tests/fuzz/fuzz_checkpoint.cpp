// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_table.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "tests/fuzz/fuzzer.h"

using namespace vramscope;

namespace {

constexpr Bytes kData = 4'959'108; // of the seeds' largest file

/// A table that can be used is written as it was read, and computed with any model.
void checkTable(const std::string &json)
{
    const auto table = parseCheckpoint(json);
    if (!table)
        return;
    const auto again = parseCheckpoint(checkpointJson(*table));
    fuzz::check(again.ok() && *again == *table);
    for (const char *preset : {"llama-3.1-8b", "deepseek-v3", "qwen3-next-80b-a3b"}) {
        Plan plan;
        plan.workload = Workload::Inference;
        plan.model.preset = preset;
        plan.model.checkpoint = json;
        plan.inference.engine = Engine::Hf;
        plan.parallel.tensor = 2;
        plan.hardware.gpus = 2;
        fuzz::check(parsePlan(planJson(plan)).ok());
        (void)estimate(plan);
    }
}

} // namespace

/// Any bytes are an error, or the header, the index or the table of a checkpoint.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char *>(data), size);
    if (const auto index = parseSafetensorsIndex(text); index.ok())
        fuzz::check(index->tensors > 0 && index->files.size() <= index->tensors);
    checkTable(text);
    const auto tensors = parseSafetensorsHeader(text, kData);
    if (!tensors)
        return 0;
    Bytes sum = 0;
    for (const StoredTensor &tensor : *tensors)
        sum += tensor.bytes;
    fuzz::check(sum == kData);
    const auto groups = groupTensors(*tensors);
    if (!groups || groups->empty())
        return 0;
    const CheckpointTable table{1, kData, kData, *groups};
    fuzz::check(table.bytes() == kData &&
                table.tensors() == static_cast<std::int64_t>(tensors->size()));
    checkTable(checkpointJson(table));
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::vector<std::string> seeds = fuzz::filesOf("tests/data/checkpoints", ".json");
    seeds.emplace_back(
        R"({"files":1,"file_bytes":900,"largest_file_bytes":900,"tensors":[)"
        R"({"name":"model.layers.*.mlp.experts.*.w1.weight","dtype":"F4","shape":[4,4],)"
        R"("layers":[[0,3]],"each":8},{"name":"lm_head.weight","dtype":"F32","shape":[4,4]}]})");
    return seeds;
}
