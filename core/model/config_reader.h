// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/flat_json.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

// Far above every real model, and low enough that no product of two of them leaves 64 bits.
inline constexpr std::int64_t kMaxLayers = 10'000;
inline constexpr std::int64_t kMaxWidth = 1'000'000;
inline constexpr std::int64_t kMaxFfn = 10'000'000;
inline constexpr std::int64_t kMaxHeads = 100'000;
inline constexpr std::int64_t kMaxVocabulary = 100'000'000;
inline constexpr std::int64_t kMaxPositions = 1'000'000'000;

/// One meaning under the keys of different model classes; the first key present counts.
using ConfigKeys = std::initializer_list<std::string_view>;

/// Reads keys of a config.json. The first failure sticks, and later reads give their fallback. In a
/// config of several parts (text and vision) it reads the keys of the text part.
class ConfigReader
{
public:
    explicit ConfigReader(std::vector<FlatValue> values);

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    /// Whether the model is in a part of the config. A part leaves out values equal to the class's
    /// defaults, the whole never does.
    [[nodiscard]] bool nested() const { return !m_part.empty(); }
    /// "text_config." or nothing.
    [[nodiscard]] const std::string &part() const { return m_part; }

    void fail(std::string_view key, const std::string &text);
    /// The same for a path from the top of the config.
    void failAt(std::string_view path, const std::string &text);

    /// The value of a key that is present and not null, first in the part, then in the whole
    /// config; else nullptr.
    [[nodiscard]] const FieldValue *find(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    /// The values under a key, or under all keys with the prefix before a final '*', in the part
    /// and in the whole config. Valid as long as the reader.
    [[nodiscard]] std::vector<const FlatValue *> matching(std::string_view key) const;
    /// From now on every requested key is added to `keys`.
    void listTo(std::vector<std::string> *keys) { m_asked = keys; }

    /// A list with the same value for every layer counts as one number.
    [[nodiscard]] std::int64_t count(ConfigKeys keys, std::int64_t minimum, std::int64_t maximum,
                                     std::int64_t fallback);
    /// The same, at least 1, where `fallback` 0 means that the key is required.
    [[nodiscard]] std::int64_t required(ConfigKeys keys, std::int64_t maximum,
                                        std::int64_t fallback = 0);
    [[nodiscard]] bool flag(std::string_view key, bool fallback);
    /// The same for a key next to the part of the config that has the model.
    [[nodiscard]] bool flagOfWhole(std::string_view key, bool fallback);
    [[nodiscard]] std::string text(std::string_view key);

private:
    [[nodiscard]] const FieldValue *at(std::string_view path) const;

    std::vector<FlatValue> m_values; ///< sorted by path
    std::string m_part;
    std::optional<Error> m_error;
    std::vector<std::string> *m_asked = nullptr;
};

/// Where configs of several parts keep their text part: "text_config.", …
[[nodiscard]] std::span<const std::string_view> configTextParts();

} // namespace vramscope
