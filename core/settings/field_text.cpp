// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_text.h"

#include "core/base/format.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/base/written_size.h"
#include "core/catalog/formats.h"
#include "core/catalog/tools.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace vramscope {

namespace {

std::vector<std::string_view> listParts(std::string_view list)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t comma = list.find(',');
        parts.push_back(trimmed(list.substr(0, comma)));
        if (comma == list.npos)
            return parts;
        list.remove_prefix(comma + 1);
    }
}

std::optional<FieldValue> writtenSwitch(std::string_view text)
{
    const std::string word = lowered(text);
    if (word == "true" || word == "on" || word == "yes")
        return true;
    if (word == "false" || word == "off" || word == "no")
        return false;
    return std::nullopt;
}

std::optional<FieldValue> writtenNumber(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    return isNumber ? std::optional<FieldValue>(number) : std::nullopt;
}

/// "-1" of a field whose number stands for nothing, or a count. Lengths and batches are written in
/// powers of two, the tokens of a run in powers of ten.
std::optional<std::int64_t> signedCount(const Field &field, std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    const std::string_view digits = text.substr(isNegative ? 1 : 0);
    const auto count = field.path == "run.tokens" ? writtenAmount(digits) : writtenCount(digits);
    return count && isNegative ? std::optional(-*count) : count;
}

std::optional<FieldValue> writtenCounts(const Field &field, std::string_view text)
{
    CountList counts;
    for (const std::string_view part : listParts(text)) {
        const auto count = signedCount(field, part);
        if (!count)
            return std::nullopt;
        counts.push_back(*count);
    }
    return counts;
}

template<class Number>
std::optional<FieldValue> asValue(std::optional<Number> number)
{
    return number ? std::optional<FieldValue>(*number) : std::nullopt;
}

std::optional<FieldValue> typedValue(const Field &field, std::string_view text)
{
    switch (field.kind) {
    case FieldKind::Switch:
        return writtenSwitch(text);
    case FieldKind::Count:
        return asValue(signedCount(field, text));
    case FieldKind::Size:
        return asValue(writtenBytes(text));
    case FieldKind::Number:
        return writtenNumber(text);
    case FieldKind::Counts:
        return writtenCounts(field, text);
    case FieldKind::Choices:
    case FieldKind::Texts: {
        const std::vector<std::string_view> parts = listParts(text);
        return TextList(parts.begin(), parts.end());
    }
    default:
        return std::nullopt; // the text itself
    }
}

} // namespace

FieldValue writtenValue(const Field &field, std::string_view text)
{
    text = trimmed(text);
    return typedValue(field, text).value_or(std::string(text));
}

Result<void> setWritten(Plan &plan, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    const std::string_view path = trimmed(assignment.substr(0, equals));
    const Field *field = findField(path);
    if (!field) {
        const std::vector<std::string_view> known(kFieldPaths.begin(), kFieldPaths.end());
        return invalid(excerpt(path, 100) + " is not a field of a plan" + didYouMean(path, known) +
                       '.');
    }
    if (equals == assignment.npos)
        return invalid(std::string(path) + " is given no value; write " + std::string(path) +
                       "=VALUE.");
    return setField(plan, *field, writtenValue(*field, assignment.substr(equals + 1)));
}

std::string labelInSentence(const Field &field)
{
    std::string label(field.label);
    const bool isName = label.size() > 1 && label[1] >= 'A' && label[1] <= 'Z';
    return isName || label.empty() ? label : lowered(label.substr(0, 1)) + label.substr(1);
}

std::string choiceTitle(const Field &field, std::string_view choice)
{
    const auto place = std::ranges::find(field.choices, choice) - field.choices.begin();
    if (const auto at = static_cast<std::size_t>(place);
        at < field.titles.size() && !field.titles[at].empty())
        return std::string(field.titles[at]);
    if (const Tool *tool = field.path == "trainer" ? toolNamed(choice) : nullptr)
        return tool->title;
    const WeightStorage *storage = findWeightStorage(choice);
    const bool isOfGguf = storage && storage->gguf; // in capitals, as files of llama.cpp are named
    std::string title(choice);
    for (char &c : title) {
        if (isOfGguf && c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
        else if (!isOfGguf && (c == '-' || c == '_'))
            c = ' ';
    }
    return title;
}

std::string fieldWords(const FieldValue &value)
{
    struct Words
    {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(bool set) const { return set ? "on" : "off"; }
        std::string operator()(std::int64_t count) const { return formatCount(count); }
        std::string operator()(double number) const { return formatNumber(number); }
        std::string operator()(const std::string &text) const { return excerpt(text, 60); }
        std::string operator()(const TextList &list) const
        {
            std::string text;
            for (const std::string &word : list)
                text += (text.empty() ? "" : ", ") + excerpt(word, 60);
            return text;
        }
        std::string operator()(const CountList &list) const
        {
            std::string text;
            for (const std::int64_t count : list)
                text += (text.empty() ? "" : ", ") + formatCount(count);
            return text;
        }
    };
    return std::visit(Words(), value);
}

} // namespace vramscope
