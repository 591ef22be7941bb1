// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_shape.h"
#include "core/serving_logs/serving_log.h"

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

/// What a line of a shape means.
enum class LogPatternKind {
    Figures, ///< its numbers are figures, by their keys
    Setting, ///< its words are settings, by their names
    Options, ///< options follow it: name='value' or 'name': value
    Start,   ///< a server starts
    Load,    ///< llama.cpp begins to load a model
    Context, ///< llama.cpp makes a context
    Retry,   ///< llama.cpp goes on after an allocation that failed
    Refusal
};

struct LogPattern
{
    LogEngine engine = LogEngine::Vllm;
    std::string_view shape; ///< of LogShape; @ behind a key: of the device that <@> stood for
    std::string_view from;  ///< first version that writes such a line; empty: not known
    std::string_view to;    ///< last one
    LogPatternKind kind = LogPatternKind::Figures;
    LogRefusalKind refusal = LogRefusalKind::EngineFailed;
    bool isShared = false; ///< other engines write it too: it tells no engine
};

[[nodiscard]] std::span<const LogPattern> logPatterns();
[[nodiscard]] std::span<const LogQuantity> logQuantities();

/// A setting by the names that options have for it.
struct LogOption
{
    std::string_view name; ///< in the log: "tp_size"
    std::string_view setting;
};
[[nodiscard]] std::span<const LogOption> logOptions();

/// The patterns, ready to look for: which of them a line may match is told by one pass over its
/// bytes, so that lines of other programs cost little.
class LogPatterns
{
public:
    LogPatterns();

    /// Indices of the patterns whose anchor the line contains, in the order of the table.
    void candidates(std::string_view line, std::vector<std::uint16_t> &found) const;
    [[nodiscard]] const LogShape &shape(std::size_t pattern) const { return m_shapes[pattern]; }

    /// The one set of them.
    [[nodiscard]] static const LogPatterns &all();

private:
    static constexpr std::size_t kAnchorBytes = 4;
    static constexpr std::size_t kSlots = 4096;
    [[nodiscard]] static std::size_t slot(const char *bytes);

    std::vector<LogShape> m_shapes;
    std::vector<std::vector<std::uint16_t>> m_slots; ///< patterns by the hash of their anchor
    std::bitset<kSlots> m_used;                      ///< slots that hold any
};

} // namespace vramscope
