// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any flags of llama.cpp are an error or divide a small model, of which nothing is lost and nothing
// counted twice; as a command line they are imported. The first byte of an input says which model,
// the first line which devices; then a flag a line, with its value.

#include "core/base/json_text.h"
#include "core/exchange/import.h"
#include "core/llama_cpp/llama_cards.h"
#include "core/llama_cpp/llama_fit.h"
#include "core/llama_cpp/llama_flags.h"
#include "core/plan/plan_json.h"
#include "core/print/split_report.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/text_check.h"
#include "tests/support/gguf_writer.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

using namespace vramscope;
using fuzz::check;

namespace {

/// Four layers of fp32, with eight experts in each or none.
LlamaModel smallModel(const std::string &architecture, std::int64_t experts)
{
    test::GgufWriter file = test::smallModel(architecture, 4, 256, 4, 2);
    const auto add = [&](const std::string &name, const std::vector<std::int64_t> &shape) {
        std::uint64_t bytes = 4;
        for (const std::int64_t size : shape)
            bytes *= static_cast<std::uint64_t>(size);
        file.tensor(name + ".weight", 0, shape, bytes);
    };
    if (experts > 0)
        file.u32(architecture + ".expert_count", 8).u32(architecture + ".expert_used_count", 2);
    add("token_embd", {256, 100});
    for (int layer = 0; layer < 4; ++layer) {
        const std::string block = "blk." + std::to_string(layer) + '.';
        for (const char *matrix : {"attn_q", "attn_k", "attn_v", "attn_output"})
            add(block + matrix, {256, 256});
        for (const char *matrix : {"ffn_gate", "ffn_up", "ffn_down"}) {
            const std::string name = block + matrix;
            experts > 0 ? add(name + "_exps", {256, 768, experts}) : add(name, {256, 768});
        }
    }
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("fuzz_llama_cpp-" + std::to_string(getpid()) + ".gguf");
    file.write(path);
    const auto read = readWeights(path);
    std::filesystem::remove(path);
    return llamaModel(read.value()).value();
}

const LlamaModel &model(std::size_t number)
{
    static const std::array all{smallModel("llama", 0), smallModel("gemma2", 0),
                                smallModel("qwen3moe", 8)};
    return all[number % all.size()];
}

Bytes modelBytes(const LlamaSplit &split)
{
    Bytes sum = split.host.model;
    for (const LlamaShare &share : split.devices)
        sum += share.model;
    return sum;
}

void checkSplit(const LlamaModel &of, const LlamaSettings &settings, const LlamaMachine &machine)
{
    const LlamaSplit split = splitModel(of, settings, machine.devices);
    check(split.devices.size() == machine.devices.size());
    Bytes stored = 0;
    for (const LlamaTensor &tensor : of.tensors)
        stored += tensor.place == LlamaPlace::Skipped ? 0 : tensor.stored.bytes;
    check(modelBytes(split) >= stored);
    std::vector<const LlamaShare *> shares{&split.host};
    for (const LlamaShare &share : split.devices)
        shares.push_back(&share);
    for (const LlamaShare *share : shares) {
        for (const Bytes part : {share->model, share->cache, share->compute, share->output,
                                 share->projector, share->draft})
            check(part >= 0 && part <= share->total());
    }
    for (const std::int64_t device : split.layerDevice)
        check(device >= -1 && device < static_cast<std::int64_t>(machine.devices.size()));
    fuzz::checkText(fuzz::twice([&] { return splitText(split, settings, machine); }));
    fuzz::checkJsonText(jsonText(splitJson(split, settings, machine)));
}

void checkImport(const std::string &line)
{
    const auto imported = importInto({}, "llama-server -m Qwen3-8B-Q4_K_M.gguf " + line);
    if (!imported)
        return;
    const auto same = parsePlan(planJson(imported->plan));
    check(same.ok() && *same == imported->plan);
}

std::string_view nextLine(std::string_view &text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    const auto machine = parseMachine(nextLine(text));
    checkImport(std::string(text));
    if (!machine)
        return 0;
    LlamaSettings settings;
    while (!text.empty()) {
        const std::string_view line = nextLine(text);
        const std::size_t blank = std::min(line.find(' '), line.size());
        const std::string_view value = line.substr(std::min(blank + 1, line.size()));
        if (const auto set = setLlamaFlag(settings, line.substr(0, blank), value); !set)
            check(!set.error().text().empty());
    }
    const LlamaModel &of = model(data[0]);
    if (data[0] & 64)
        settings.draft = std::make_shared<const LlamaModel>(model(0));
    checkSplit(of, settings, *machine);
    checkImport(llamaFlags(settings));
    const LlamaFit fit = fitModel(of, settings, machine->devices, {Bytes(data[0]) << 20, 4096});
    checkSplit(of, fit.settings, *machine);
    for (const std::string &step : fit.steps)
        fuzz::checkText(step);
    for (const GpuPreset *card : cardsFor(of, settings, gpuPresets()).cards)
        check(card != nullptr);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const std::string_view flags =
        "24GiB, RTX 3090=23.4GiB, host 64GiB\n-ngl 3\n-ts 3,1\n-sm row\n-mg 1\n"
        "-ot blk\\.(1|2)\\.ffn_.*_exps=CPU,attn=CUDA1\n-c 8192\n-ub 256\n-np 4\n-ctk q8_0\n"
        "-ctv q4_0\n-fa on\n--kv-unified\n--swa-full\n--no-kv-offload\n--cpu-moe\n";
    std::vector<std::string> seeds;
    for (const char kind : {'\0', '\1', '\2', '\102'}) {
        seeds.push_back(kind + std::string(flags));
        seeds.push_back(kind + std::string("8MiB, 9MiB\n-c 4096\n--n-cpu-moe 2\n"));
        seeds.push_back(kind + std::string("1GiB\n--ctx-size 16384 -fa on --n-gpu-layers 99 "
                                           "--override-tensor \"exps=CPU\" -b 2048\n"));
    }
    return seeds;
}
