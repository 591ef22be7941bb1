// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/split_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <algorithm>

namespace vramscope {

namespace {

std::int64_t layersOn(const LlamaSplit &split, std::int64_t device)
{
    return std::ranges::count(split.layerDevice, device);
}

Json shareJson(const LlamaShare &share, const std::optional<Bytes> &free, std::int64_t layers)
{
    const auto termOf = [](const LlamaTerm &term) -> Json {
        return {{"name", term.name}, {"bytes", term.bytes}, {"formula", term.formula}};
    };
    return {{"name", share.name},
            {"free", orNull(free)},
            {"model", share.model},
            {"cache", share.cache},
            {"compute", share.compute},
            {"output", share.output},
            {"projector", share.projector},
            {"draft", share.draft},
            {"total", share.total()},
            {"fits", free ? Json(share.total() <= *free) : Json()},
            {"layers", layers},
            {"terms", listJson(share.terms, termOf)}};
}

std::vector<std::string> shareRow(const LlamaShare &share, const std::optional<Bytes> &free,
                                  std::int64_t layers)
{
    const auto size = [](Bytes bytes) { return bytes > 0 ? formatBytes(bytes) : std::string("–"); };
    return {share.name,
            formatCount(layers),
            size(share.model),
            size(share.cache),
            size(share.compute + share.output),
            size(share.projector + share.draft),
            size(share.total()),
            free ? formatBytes(*free) : std::string("not stated"),
            free ? fitWords(share.total(), *free) : std::string()};
}

} // namespace

std::string fitWords(Bytes total, Bytes free)
{
    return total <= free ? "fits, " + formatBytes(free - total) + " left"
                         : "does not fit: " + formatBytes(total - free) + " too much";
}

Json splitJson(const LlamaSplit &split, const LlamaSettings &settings, const LlamaMachine &machine)
{
    Json devices = Json::array();
    for (std::size_t i = 0; i < split.devices.size(); ++i)
        devices.push_back(shareJson(split.devices[i], machine.devices[i].free,
                                    layersOn(split, static_cast<std::int64_t>(i))));
    return {{"context", split.context},
            {"window_cells", split.windowCells},
            {"flags", llamaFlags(settings)},
            {"devices", std::move(devices)},
            {"host", shareJson(split.host, machine.host, layersOn(split, -1))},
            {"layer_devices", split.layerDevice},
            {"notes", split.notes}};
}

std::string splitText(const LlamaSplit &split, const LlamaSettings &settings,
                      const LlamaMachine &machine)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"device", "layers", "model", "cache", "compute*", "others", "total", "free", ""});
    for (std::size_t i = 0; i < split.devices.size(); ++i)
        table.addRow(shareRow(split.devices[i], machine.devices[i].free,
                              layersOn(split, static_cast<std::int64_t>(i))));
    table.addRow(shareRow(split.host, machine.host, layersOn(split, -1)));
    const std::string flags = printable(llamaFlags(settings));
    std::string text = "llama.cpp" + (flags.empty() ? std::string(" by default") : ' ' + flags) +
                       ": " + counted(split.context, "cell") + " of context, " +
                       counted(std::ssize(split.layerDevice) - 1, "layer") + " and the output\n" +
                       table.text();
    if (split.windowCells > 0)
        text += "Layers with a sliding window keep " + counted(split.windowCells, "cell") + ".\n";
    text += "* An estimate, where model and cache are exact: the mask, and the largest of what "
            "takes turns beside it.\n";
    const auto terms = [&text](const LlamaShare &share) {
        for (const LlamaTerm &term : share.terms)
            text += "    " + share.name + ": " + term.name + ", " + term.formula + " = " +
                    formatBytes(term.bytes) + '\n';
    };
    for (const LlamaShare &share : split.devices)
        terms(share);
    terms(split.host);
    text += "Beside it each device holds its CUDA context and the pool of cuBLAS, 300 to 700 MiB "
            "that llama.cpp calls unaccounted.\n";
    for (const std::string &note : split.notes)
        text += "Note: " + note + '\n';
    return text;
}

} // namespace vramscope
