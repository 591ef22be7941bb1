// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_reader.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace vramscope {

namespace {

/// Where multimodal models keep the config of their language model.
constexpr std::array<std::string_view, 4> kTextParts = {
    "text_config.", "llm_config.", "language_config.", "thinker_config.text_config."};
constexpr std::array<std::string_view, 5> kWidths = {"hidden_size", "n_embd", "d_model", "n_embed",
                                                     "dim"};

std::string shownInConfig(const FieldValue &value)
{
    if (const auto *set = std::get_if<bool>(&value))
        return *set ? "true" : "false";
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return std::to_string(*whole);
    if (const auto *number = std::get_if<double>(&value))
        return std::to_string(*number).substr(0, 40);
    if (const auto *text = std::get_if<std::string>(&value))
        return '"' + excerpt(*text, 40) + '"';
    return "a list";
}

} // namespace

std::span<const std::string_view> configTextParts()
{
    return kTextParts;
}

ConfigReader::ConfigReader(std::vector<FlatValue> values)
    : m_values(std::move(values))
{
    std::ranges::stable_sort(m_values, {}, &FlatValue::path);
    if (std::ranges::any_of(kWidths, [this](std::string_view key) { return at(key) != nullptr; }))
        return;
    for (const std::string_view part : kTextParts) {
        const auto first = std::ranges::lower_bound(m_values, part, {}, &FlatValue::path);
        if (first != m_values.end() && first->path.starts_with(part)) {
            m_part = part;
            return;
        }
    }
}

const FieldValue *ConfigReader::at(std::string_view path) const
{
    const auto found = std::ranges::lower_bound(m_values, path, {}, &FlatValue::path);
    if (found == m_values.end() || found->path != path ||
        std::holds_alternative<std::monostate>(found->value))
        return nullptr;
    return &found->value;
}

namespace {

/// A whole number, or a list with the same number for every layer.
std::optional<std::int64_t> countOf(const FieldValue &value)
{
    if (const auto *number = std::get_if<std::int64_t>(&value))
        return *number;
    const auto *list = std::get_if<TextList>(&value);
    if (!list || list->empty() || std::ranges::count(*list, list->front()) != std::ssize(*list))
        return std::nullopt;
    const std::string &text = list->front();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

} // namespace

const FieldValue *ConfigReader::find(std::string_view key) const
{
    if (key.empty())
        return nullptr;
    if (m_asked)
        m_asked->emplace_back(key);
    if (!m_part.empty()) {
        if (const FieldValue *inner = at(m_part + std::string(key)))
            return inner;
    }
    return at(key);
}

std::vector<const FlatValue *> ConfigReader::matching(std::string_view key) const
{
    const bool prefix = key.ends_with('*');
    if (m_asked && !prefix)
        m_asked->emplace_back(key);
    key.remove_suffix(prefix ? 1 : 0);
    std::vector<const FlatValue *> found;
    for (const FlatValue &value : m_values) {
        std::string_view path = value.path;
        if (!m_part.empty() && path.starts_with(m_part))
            path.remove_prefix(m_part.size());
        if (prefix ? path.starts_with(key) : path == key)
            found.push_back(&value);
    }
    return found;
}

void ConfigReader::fail(std::string_view key, const std::string &text)
{
    failAt(m_part + std::string(key), text);
}

void ConfigReader::failAt(std::string_view path, const std::string &text)
{
    if (!m_error)
        m_error = Error{ErrorCode::Invalid, "model.config." + std::string(path) + ' ' + text};
}

std::int64_t ConfigReader::count(ConfigKeys keys, std::int64_t minimum, std::int64_t maximum,
                                 std::int64_t fallback)
{
    for (const std::string_view key : keys) {
        const FieldValue *value = find(key);
        if (!value)
            continue;
        const std::optional<std::int64_t> number = countOf(*value);
        if (number && *number >= minimum && *number <= maximum)
            return *number;
        fail(key, "is " + shownInConfig(*value) + "; it must be a whole number from " +
                      std::to_string(minimum) + " to " + std::to_string(maximum) + ".");
        return fallback;
    }
    return fallback;
}

std::int64_t ConfigReader::required(ConfigKeys keys, std::int64_t maximum, std::int64_t fallback)
{
    if (fallback == 0 &&
        std::ranges::none_of(keys, [this](std::string_view key) { return has(key); }))
        fail(*keys.begin(), "is missing: the model's shape is not complete without it.");
    return count(keys, 1, maximum, std::max<std::int64_t>(fallback, 1));
}

bool ConfigReader::flag(std::string_view key, bool fallback)
{
    const FieldValue *value = find(key);
    if (!value)
        return fallback;
    if (const auto *set = std::get_if<bool>(value))
        return *set;
    fail(key, "is " + shownInConfig(*value) + "; it must be true or false.");
    return fallback;
}

bool ConfigReader::flagOfWhole(std::string_view key, bool fallback)
{
    const std::size_t dot = nested() ? m_part.rfind('.', m_part.size() - 2) : m_part.npos;
    const std::string whole = dot == m_part.npos ? std::string() : m_part.substr(0, dot + 1);
    const FieldValue *value = nested() ? at(whole + std::string(key)) : nullptr;
    const auto *set = value ? std::get_if<bool>(value) : nullptr;
    return set ? *set : fallback;
}

std::string ConfigReader::text(std::string_view key)
{
    const FieldValue *value = find(key);
    if (!value)
        return {};
    if (const auto *stated = std::get_if<std::string>(value))
        return *stated;
    fail(key, "is " + shownInConfig(*value) + "; it must be a text.");
    return {};
}

} // namespace vramscope
