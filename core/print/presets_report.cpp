// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/presets_report.h"

#include "core/base/json_text.h"
#include "core/catalog/gpus.h"
#include "core/catalog/models.h"
#include "core/planner/parameters.h"
#include "core/print/text_table.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json knownFigure(Bytes figure)
{
    return figure > 0 ? Json(figure) : Json();
}

Json modelJson(const ModelPreset &model)
{
    const Architecture &shape = model.architecture;
    const ParameterCounts counts = countParameters(shape);
    return {{"name", model.name},
            {"title", model.title},
            {"family", model.family},
            {"parameters", {{"total", counts.total}, {"active", counts.active}}},
            {"layers", shape.layers},
            {"hidden", shape.hidden},
            {"heads", shape.heads},
            {"kv_heads", shape.kvHeads},
            {"vocabulary", shape.vocab},
            {"source", model.source}};
}

Json gpuJson(const GpuPreset &gpu)
{
    return {{"name", gpu.name},
            {"title", gpu.title},
            {"vendor", vendorName(gpu.vendor())},
            {"generation", generationName(gpu.generation)},
            {"unified", gpu.unified()},
            {"capacity", knownFigure(gpu.capacity)},
            {"driver_total", knownFigure(gpu.driverTotal)},
            {"memory_bandwidth", knownFigure(gpu.memoryBandwidth)},
            {"host_link", knownFigure(gpu.hostLink)},
            {"bf16_flops", knownFigure(gpu.bf16Flops)},
            {"source", gpu.source}};
}

// "7.62 B": billions of parameters.
std::string billions(std::int64_t count)
{
    return formatGiga(count, ByteUnit::Decimal, 2) + " B";
}

std::string modelsText()
{
    TextTable table(
        {Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"model", "", "parameters", "active", "layers", "hidden"});
    for (const ModelPreset &model : modelPresets()) {
        const ParameterCounts counts = countParameters(model.architecture);
        table.addRow({model.name, model.title, billions(counts.total),
                      counts.active == counts.total ? "" : billions(counts.active),
                      formatCount(model.architecture.layers),
                      formatCount(model.architecture.hidden)});
    }
    return table.text();
}

std::string gpusText(ByteUnit unit)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Left});
    table.addRow({"gpu", "", "capacity", "bandwidth", "memory"});
    for (const GpuPreset &gpu : gpuPresets())
        table.addRow(
            {gpu.name, gpu.title, gpu.capacity > 0 ? formatBytes(gpu.capacity, unit) : "unknown",
             gpu.memoryBandwidth > 0 ? formatBytes(gpu.memoryBandwidth, ByteUnit::Decimal) + "/s"
                                     : "",
             gpu.unified() ? "one with the host" : ""});
    return table.text();
}

} // namespace

std::string presetsJson()
{
    Json json{{"models", Json::array()}, {"gpus", Json::array()}};
    for (const ModelPreset &model : modelPresets())
        json["models"].push_back(modelJson(model));
    for (const GpuPreset &gpu : gpuPresets())
        json["gpus"].push_back(gpuJson(gpu));
    return jsonText(json);
}

std::string presetsText(ByteUnit unit)
{
    return modelsText() + "\n" + gpusText(unit);
}

} // namespace vramscope
