// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any words are refused in a sentence or are a plan that can be written, read, computed and shown.
// The first byte of an input says which plan they go over, 0: none.

#include "core/ask/asked.h"
#include "core/ask/asked_kind.h"
#include "core/ask/vocabulary.h"
#include "core/catalog/gpus.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "core/print/asked_report.h"
#include "core/print/plan_report.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/text_check.h"

using namespace vramscope;
using fuzz::check;

namespace {

/// Pieces are where they were written, in order and apart.
void checkPieces(const Asked &asked, std::string_view text)
{
    std::size_t end = 0;
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.end == 0)
            continue;
        check(piece.begin >= end && piece.begin < piece.end && piece.end <= text.size());
        end = piece.end;
    }
}

void checkAsked(const Asked &asked, std::string_view words)
{
    checkPieces(asked, words);
    if (!asked.understood())
        check(!askedRefusal(asked).empty());
    if (!asked.plan)
        return;
    const auto same = parsePlan(planJson(*asked.plan));
    check(same.ok() && *same == *asked.plan);
    if (!asked.understood())
        return;
    const Estimate result = estimate(*asked.plan);
    const std::string json = planEstimateJson(*asked.plan, result, "words");
    fuzz::checkJsonText(withAsked(json, asked));
    for (const std::string &text : {askedAssumptions(asked), askedText(asked)}) {
        if (!text.empty()) // nothing was asked
            fuzz::checkText(text);
    }
    fuzz::checkText(planEstimateText(*asked.plan, result, "words"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const std::vector<Plan> plans = [] {
        std::vector<Plan> all;
        for (const std::string &file : fuzz::filesOf("resources/examples", ".vramplan"))
            all.push_back(parsePlan(file).value());
        return all;
    }();
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    (void)askedKind(text);
    const std::size_t over = data[0] % (2 * plans.size() + 1);
    const auto asked = [&] {
        return over == 0       ? understand(text)
               : over % 2 == 0 ? understand(text, plans[over / 2 - 1])
                               : reworded(text, plans[over / 2]);
    };
    const Asked first = asked();
    const Asked again = asked();
    check(first.plan == again.plan && first.pieces == again.pieces);
    checkAsked(first, text);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::vector<std::string> seeds{
        std::string(1, '\0') + "Qwen3-32B full fine-tune on 8xH100, 8k, micro-batch 2",
        std::string(1, '\0') + "qlora llama 3.1 70b on 2 nodes of 8 A100 80GB with fsdp2",
        std::string(1, '\0') + "serve deepseek-v3 with vllm on 8 h200, fp8, batch 64",
        std::string(1, '\0') + "flux.1-dev lora rank 16 4090",
        "\1" + std::string("LoRA, 4 H200"),
        "\2" + std::string("batch.micro_batch=4 zero-3 offload")};
    // All that the grammar knows, so that mutation joins it.
    std::string_view task = "qwen3-8b h100, ";
    for (const AskedPhrase &phrase : askedPhrases())
        seeds.push_back(std::string(1, '\0') + std::string(task) +
                        std::string(phrase.words.substr(0, phrase.words.find('|'))));
    for (const AskedKeyword &keyword : askedKeywords())
        seeds.push_back(std::string(1, '\3') +
                        std::string(keyword.words.substr(0, keyword.words.find('|'))) + " 16k");
    std::string gpus(1, '\0');
    for (const GpuPreset &gpu : gpuPresets())
        gpus += gpu.title + ", ";
    seeds.push_back(gpus);
    return seeds;
}
