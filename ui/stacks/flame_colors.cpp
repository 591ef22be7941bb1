// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/flame_colors.h"

#include "core/analysis/comparison/difference_tree.h"
#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/costs/frame_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vramscope {

namespace {

// FNV-1a: unlike std::hash, the same in every run and on every machine.
std::uint32_t hashOf(std::string_view text)
{
    std::uint32_t hash = 2166136261U;
    for (const char byte : text)
        hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
    return hash ^ (hash >> 15U);
}

double gamma(double linear)
{
    const double value = std::clamp(linear, 0.0, 1.0);
    return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

// Oklab in polar form, where equal lightness looks equally light in every hue (B. Ottosson, 2020).
QColor fromOklch(double lightness, double chroma, double hue)
{
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return QColor::fromRgbF(
        static_cast<float>(gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
        static_cast<float>(gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
        static_cast<float>(gamma(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)));
}

std::string_view moduleOf(const Trace &trace, const Frame &frame)
{
    const std::string_view file = trace.text(frame.file);
    if (!file.empty() && file != "??")
        return shownFile(file);
    const std::string_view name = trace.text(frame.name);
    return name.substr(0, name.find("::"));
}

} // namespace

QColor frameColor(const Trace &trace, FrameId id, bool dark)
{
    static constexpr std::array kChroma = {0.105, 0.055, 0.022, 0.006}; // by FrameOrigin
    constexpr double kHues = 24;                                        // that can be distinguished
    const double hue = hashOf(moduleOf(trace, trace.frame(id))) % static_cast<unsigned>(kHues) *
                       (2 * std::numbers::pi / kHues);
    const auto origin = static_cast<std::size_t>(frameOrigin(trace, id));
    return fromOklch(dark ? 0.42 : 0.86, kChroma[origin] * (dark ? 0.9 : 0.8), hue);
}

QColor differenceColor(const Costs &costs, bool dark)
{
    constexpr double kWarm = 0.75; // orange and blue remain distinct for colour-blind people
    constexpr double kCool = 4.4;
    const double apart = static_cast<double>(costs.total.bytes);
    const double difference = static_cast<double>(differenceOf(costs));
    const double strength = apart > 0 ? std::min(1.0, std::abs(difference) / apart) : 0;
    const double chroma = 0.012 + 0.098 * strength;
    return fromOklch(dark ? 0.42 : 0.86, chroma * (dark ? 0.9 : 0.8),
                     difference < 0 ? kCool : kWarm);
}

} // namespace vramscope
