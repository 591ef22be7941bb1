// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/config_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

// Far above every real tower, and low enough that no formula leaves 64 bits.
inline constexpr std::int64_t kMaxTowerWidth = 100'000;
inline constexpr std::int64_t kMaxTowerLayers = 1'000;
inline constexpr std::int64_t kMaxTowerSide = 10'000;
inline constexpr std::int64_t kMaxTowerMerge = 16;

/// Reads the keys of one part of a config, or of the whole, with the defaults of its class. The
/// first failure sticks.
class TowerReader
{
public:
    /// `place`: "vision_config.", or nothing for the whole.
    TowerReader(const ConfigReader &config, std::string place);

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    /// A whole number of at least 1, under the first of `keys` that is present.
    [[nodiscard]] std::int64_t count(ConfigKeys keys, std::int64_t fallback,
                                     std::int64_t maximum = kMaxTowerWidth);
    [[nodiscard]] std::int64_t layers(ConfigKeys keys, std::int64_t fallback)
    {
        return count(keys, fallback, kMaxTowerLayers);
    }
    /// The same where the config may give one number or several that are equal: [14, 14].
    [[nodiscard]] std::int64_t side(std::string_view key, std::int64_t fallback,
                                    std::int64_t maximum = kMaxTowerSide);
    /// The number of values in a list; a number in its place counts as one.
    [[nodiscard]] std::int64_t listed(std::string_view key, std::int64_t fallback);
    /// The value of a list at an index.
    [[nodiscard]] std::int64_t element(std::string_view key, std::size_t index,
                                       std::int64_t fallback,
                                       std::int64_t maximum = kMaxTowerWidth);
    /// The text of a list at an index; nothing where it is missing.
    [[nodiscard]] std::string textElement(std::string_view key, std::size_t index) const;
    /// A whole number below 0, such as a layer counted from the end; else 0.
    [[nodiscard]] std::int64_t negative(std::string_view key, std::int64_t fallback);
    /// 2 of 0.5.
    [[nodiscard]] std::int64_t inverse(std::string_view key, double fallback);
    [[nodiscard]] bool flag(std::string_view key, bool fallback);
    [[nodiscard]] std::string text(std::string_view key) const;

private:
    [[nodiscard]] const FieldValue *find(std::string_view key) const;
    [[nodiscard]] std::int64_t checked(std::string_view key, std::int64_t value,
                                       std::int64_t maximum);
    void fail(std::string_view key, std::string_view text);

    const ConfigReader &m_config;
    std::string m_place;
    std::optional<Error> m_error;
};

} // namespace vramscope
