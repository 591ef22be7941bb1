// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_formats.h"

#include "core/base/format.h"
#include "core/plan/choice_words.h"

#include <cmath>
#include <span>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

/// A plan that comes as near as this has the log's format; others differ by more.
constexpr double kOwn = 0.12;
/// As near as this another format has to come.
constexpr double kNear = 0.02;

struct CacheFormat
{
    std::string_view name;
    double bytesPerElement;
};
constexpr CacheFormat kCacheFormats[] = {
    {"32-bit", 4}, {"16-bit", 2}, {"8-bit", 1}, {"NVFP4", 0.5625}};
// Blocks of 32 elements with scales: ggml-common.h.
constexpr CacheFormat kLlamaCacheFormats[] = {{"f32", 4},      {"f16", 2},       {"q8_0", 1.0625},
                                              {"q5_1", 0.75},  {"q5_0", 0.6875}, {"q4_1", 0.625},
                                              {"q4_0", 0.5625}};

constexpr WeightFormat kWeightFormats[] = {
    WeightFormat::Fp32,     WeightFormat::Bf16,  WeightFormat::Fp8,   WeightFormat::AwqInt4,
    WeightFormat::GptqInt4, WeightFormat::MxFp4, WeightFormat::NvFp4, WeightFormat::Nf4};

/// The plan's figure against the log's; nothing where the plan gives none.
std::optional<double> errorOf(const Plan &plan, double logged, const FigureOfPlan &figureOf)
{
    const std::optional<double> figure = figureOf(plan);
    if (!figure || *figure <= 0 || logged <= 0)
        return {};
    return std::abs(*figure / logged - 1);
}

/// The one of several plans whose figure is the log's.
struct Nearest
{
    double error = kNear;
    std::string name{};
    std::string value{}; ///< in a plan

    void weigh(std::string_view candidate, std::string inPlan, std::optional<double> other)
    {
        if (other && *other < error)
            *this = {*other, std::string(candidate), std::move(inPlan)};
    }
};

std::string sentenceOf(const Nearest &nearest, std::string_view what, const std::string &field)
{
    if (nearest.name.empty())
        return {};
    return "The figure is that of " + nearest.name + " " + std::string(what) + " within " +
           formatDecimals(100 * nearest.error, 1) + " % (" + field + " " + nearest.value +
           "); the log does not state their format.";
}

bool isLlama(const ServingLog &log)
{
    return log.engine == LogEngine::LlamaCpp || log.engine == LogEngine::Ollama;
}

} // namespace

std::string betrayedWeightFormat(const Plan &plan, const ServingLog &log, double logged,
                                 const FigureOfPlan &figureOf)
{
    const auto own = errorOf(plan, logged, figureOf);
    if (!own || *own < kOwn || !log.setting("quantization").empty() || isLlama(log))
        return {};
    Nearest nearest;
    for (const WeightFormat format : kWeightFormats) {
        Plan other = plan;
        other.inference.weightFormat = format;
        nearest.weigh(choiceText(format), std::string(choiceText(format)),
                      errorOf(other, logged, figureOf));
    }
    return sentenceOf(nearest, "weights", "inference.weight_format");
}

std::string betrayedCacheFormat(const Plan &plan, const ServingLog &log, double logged,
                                const FigureOfPlan &figureOf)
{
    const auto own = errorOf(plan, logged, figureOf);
    const std::string_view stated = log.setting("kv_cache_dtype");
    if (!own || *own < kOwn || (!stated.empty() && stated != "auto"))
        return {};
    Nearest nearest;
    const std::span<const CacheFormat> formats =
        isLlama(log) ? std::span<const CacheFormat>(kLlamaCacheFormats) : kCacheFormats;
    for (const CacheFormat &format : formats) {
        Plan other = plan;
        other.inference.kvBytesPerElement = format.bytesPerElement;
        nearest.weigh(format.name, formatNumber(format.bytesPerElement),
                      errorOf(other, logged, figureOf));
    }
    return sentenceOf(nearest, "keys and values", "inference.kv_bytes_per_element");
}

} // namespace vramscope
