// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/towers/tower_reader.h"

#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

std::optional<std::int64_t> wholeOf(const FieldValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return *whole;
    const auto *number = std::get_if<double>(&value);
    if (number && std::floor(*number) == *number && std::abs(*number) < 1e15)
        return static_cast<std::int64_t>(*number);
    return std::nullopt;
}

std::optional<std::int64_t> wholeOf(const std::string &text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

TowerReader::TowerReader(const ConfigReader &config, std::string place)
    : m_config(config)
    , m_place(std::move(place))
{
}

const FieldValue *TowerReader::find(std::string_view key) const
{
    return m_config.find(m_place + std::string(key));
}

void TowerReader::fail(std::string_view key, std::string_view text)
{
    if (!m_error)
        m_error = Error{ErrorCode::Invalid,
                        "model.config." + m_place + std::string(key) + ' ' + std::string(text)};
}

std::int64_t TowerReader::checked(std::string_view key, std::int64_t value, std::int64_t maximum)
{
    if (value >= 1 && value <= maximum)
        return value;
    fail(key, "must be a whole number from 1 to " + std::to_string(maximum) + ".");
    return 1;
}

std::int64_t TowerReader::count(ConfigKeys keys, std::int64_t fallback, std::int64_t maximum)
{
    for (const std::string_view key : keys) {
        if (const FieldValue *value = find(key))
            return checked(key, wholeOf(*value).value_or(0), maximum);
    }
    return fallback;
}

std::int64_t TowerReader::side(std::string_view key, std::int64_t fallback, std::int64_t maximum)
{
    const FieldValue *value = find(key);
    const auto *list = value ? std::get_if<TextList>(value) : nullptr;
    if (!list)
        return count({key}, fallback, maximum);
    if (list->empty() || list->front() != list->back())
        fail(key, "must be the same on both sides.");
    return list->empty() ? 1 : checked(key, element(key, 0, fallback), maximum);
}

std::int64_t TowerReader::listed(std::string_view key, std::int64_t fallback)
{
    const FieldValue *value = find(key);
    if (!value)
        return fallback;
    const auto *list = std::get_if<TextList>(value);
    if (!list)
        return 1;
    return list->empty() ? 0
                         : checked(key, static_cast<std::int64_t>(list->size()), kMaxTowerLayers);
}

std::int64_t TowerReader::element(std::string_view key, std::size_t index, std::int64_t fallback,
                                  std::int64_t maximum)
{
    const FieldValue *value = find(key);
    if (!value)
        return fallback;
    const auto *list = std::get_if<TextList>(value);
    if (!list || index >= list->size()) {
        fail(key, "must be a list of whole numbers.");
        return 1;
    }
    return checked(key, wholeOf((*list)[index]).value_or(0), maximum);
}

std::string TowerReader::textElement(std::string_view key, std::size_t index) const
{
    const FieldValue *value = find(key);
    const auto *list = value ? std::get_if<TextList>(value) : nullptr;
    return list && index < list->size() ? (*list)[index] : std::string();
}

std::int64_t TowerReader::negative(std::string_view key, std::int64_t fallback)
{
    const FieldValue *value = find(key);
    if (!value)
        return fallback;
    const std::int64_t whole = wholeOf(*value).value_or(0);
    return whole < 0 && whole >= -kMaxTowerLayers ? whole : 0;
}

std::int64_t TowerReader::inverse(std::string_view key, double fallback)
{
    const FieldValue *value = find(key);
    const auto *number = value ? std::get_if<double>(value) : nullptr;
    const double ratio = number ? *number : fallback;
    if (value && !number)
        return count({key}, 1, kMaxTowerMerge);
    const double inverted = ratio > 0 ? 1 / ratio : 0;
    return checked(key,
                   inverted <= 1e6 && std::round(inverted) == inverted
                       ? static_cast<std::int64_t>(inverted)
                       : 0,
                   kMaxTowerMerge);
}

bool TowerReader::flag(std::string_view key, bool fallback)
{
    const FieldValue *value = find(key);
    if (!value)
        return fallback;
    const auto *set = std::get_if<bool>(value);
    if (!set)
        fail(key, "must be true or false.");
    return set ? *set : fallback;
}

std::string TowerReader::text(std::string_view key) const
{
    const FieldValue *value = find(key);
    const auto *stated = value ? std::get_if<std::string>(value) : nullptr;
    return stated ? *stated : std::string();
}

} // namespace vramscope
