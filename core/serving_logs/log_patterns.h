// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A number of a line, and where it stood.
struct ShapeNumber
{
    std::string_view key;  ///< as the shape names it; empty: read over
    std::string_view text; ///< as printed: "396,928"
    double value = 0;
    int decimals = 0;      ///< behind the point
    std::string_view unit; ///< as printed behind it; empty where the shape asks for none
    std::size_t at = 0;    ///< in the line
};

/// A word of a line.
struct ShapeWord
{
    std::string_view name;
    std::string_view text;
};

struct ShapeMatch
{
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view device; ///< what <@> stood for
    std::vector<ShapeNumber> numbers;
    std::vector<ShapeWord> words;
};

/// The shape of a piece of a line, from a small language made for the lines of logs:
///
///     text       itself; a blank stands for one or more blanks and tabs
///     {key}      a number, with or without commas between thousands: -2.14, 396,928
///     {key?}     a number and the unit behind it: 19.9 GiB, 0 B
///     {key=MiB}  a number of that unit, whatever the line calls it
///     {}         a number that is not kept
///     <@>        the name of a device: CUDA0, CPU_Mapped
///     <=name>    words up to the text that follows in the shape, or else up to a blank or comma
///     <*>        anything
///     <|>        any blanks, bars and colons, or none
///     <^>        the beginning of the line
///     <!text>    nothing: says that the line contains the text, where no other piece of the shape
///                is long enough to look for
///
/// A match takes time that is linear in the line for each <*>: of several ways to fit, the one that
/// ends first is taken, and none is tried again.
class LogShape
{
public:
    explicit LogShape(std::string_view shape);

    /// The first match at or behind `from`.
    [[nodiscard]] std::optional<ShapeMatch> find(std::string_view line, std::size_t from) const;
    /// The longest piece of text that every line with a match contains; four bytes at least.
    [[nodiscard]] std::string_view anchor() const { return m_anchor; }

private:
    enum class Kind { Text, Blanks, Bars, Number, Device, Words };
    struct Part
    {
        Kind kind = Kind::Text;
        std::string_view text; ///< itself, or the key of a number or word
        bool hasUnit = false;
    };
    using Run = std::vector<Part>; ///< between two <*>

    static bool take(const Part &part, const Part *next, std::string_view line, std::size_t &at,
                     ShapeMatch &match);
    static bool fits(const Run &run, std::string_view line, std::size_t at, ShapeMatch &match);
    bool findRun(const Run &run, std::string_view line, std::size_t from, bool anchored,
                 ShapeMatch &match) const;

    std::vector<Run> m_runs;
    std::string_view m_anchor;
    bool m_atBegin = false;
};

/// What a line of a shape means.
enum class LogPatternKind {
    Figures, ///< its numbers are figures, by their keys
    Setting, ///< its words are settings, by their names
    Options, ///< options follow it: name='value' or 'name': value
    Command, ///< a command line: its options are settings
    Start,   ///< a server starts
    Load,    ///< llama.cpp begins to load a model
    Context, ///< llama.cpp makes a context
    Retry,   ///< llama.cpp goes on after an allocation that failed
    Sign,    ///< it only tells the engine
    Stage,   ///< a stage of the start; its number is the seconds that it took
    Refusal
};

struct LogStageMark;

struct LogPattern
{
    LogEngine engine = LogEngine::Vllm;
    std::string_view shape = {}; ///< of LogShape; @ behind a key: of the device that <@> stood for
    std::string_view from = {};  ///< first version that writes such a line; empty: not known
    std::string_view to = {};    ///< last one
    LogPatternKind kind = LogPatternKind::Figures;
    bool isShared = false; ///< other engines write it too: it tells no engine
    const LogStageMark *mark = nullptr;
    const LogRefusalRule *rule = nullptr;
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

/// The patterns, ready to look for: one pass finds which of them a line may match, over its
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
    static constexpr std::size_t kSlots = 65536;
    [[nodiscard]] static std::size_t slot(const char *bytes);

    std::vector<LogShape> m_shapes;
    std::vector<std::vector<std::uint16_t>> m_slots; ///< patterns by the hash of their anchor
    std::bitset<kSlots> m_used;                      ///< slots that hold any
};

} // namespace vramscope
