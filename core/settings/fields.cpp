// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/field.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/catalog/tools.h"
#include "core/settings/field_tables.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::size_t kLongestText = 1000;
constexpr std::size_t kLongestList = 10'000;

std::string inQuotes(std::string_view text)
{
    return '"' + excerpt(text, 60) + '"';
}

/// The value as a message shows it.
std::string shown(const FieldValue &value)
{
    struct Show
    {
        std::string operator()(std::monostate) const { return "nothing"; }
        std::string operator()(bool set) const { return set ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return formatNumber(number); }
        std::string operator()(const std::string &text) const { return inQuotes(text); }
        std::string operator()(const TextList &) const { return "a list"; }
        std::string operator()(const CountList &) const { return "a list of numbers"; }
    };
    return std::visit(Show(), value);
}

std::string bound(const Field &field, double value)
{
    return field.kind == FieldKind::Number ? formatNumber(value)
                                           : formatCount(static_cast<std::int64_t>(value));
}

std::string listed(std::span<const std::string_view> words)
{
    std::string text;
    for (const std::string_view word : words)
        text.append(text.empty() ? "" : ", ").append(word);
    return text;
}

/// What the field may be, as the end of a sentence that begins with "it must be".
std::string allowed(const Field &field)
{
    const std::string range = " from " + bound(field, field.minimum) + " to " +
                              bound(field, field.maximum) + (field.minimum < 0 ? ", not 0" : "");
    switch (field.kind) {
    case FieldKind::Switch:
        return "true or false";
    case FieldKind::Count:
        return "a whole number" + range;
    case FieldKind::Size:
        return "a whole number of bytes" + range;
    case FieldKind::Number:
        return "a number" + range;
    case FieldKind::Choice:
        return "one of " + listed(field.choices);
    case FieldKind::Choices:
        return "a list out of " + listed(field.choices);
    case FieldKind::Counts:
        return "a list of whole numbers" + range;
    case FieldKind::Texts:
        return "a list of texts of at most " + formatCount(kLongestText) + " bytes each";
    case FieldKind::Text:
        return "a text of at most " + formatCount(kLongestText) + " bytes";
    case FieldKind::Object:
        return field.path == "model.checkpoint" ? "an object, the table that an import writes"
                                                : "an object, the content of a config.json";
    }
    return {};
}

bool among(const Field &field, const std::string &word)
{
    return std::ranges::find(field.choices, word) != field.choices.end();
}

/// Whether the value is one that the field may take. A whole number also counts as a Number.
bool fits(const Field &field, const FieldValue &value)
{
    const auto *whole = std::get_if<std::int64_t>(&value);
    const auto *text = std::get_if<std::string>(&value);
    switch (field.kind) {
    case FieldKind::Switch:
        return std::holds_alternative<bool>(value);
    case FieldKind::Count:
    case FieldKind::Size:
        return whole && field.allows(static_cast<double>(*whole));
    case FieldKind::Number:
        return whole
                   ? field.allows(static_cast<double>(*whole))
                   : std::holds_alternative<double>(value) && field.allows(std::get<double>(value));
    case FieldKind::Choice:
        return text && among(field, *text);
    case FieldKind::Choices:
        return std::holds_alternative<TextList>(value) &&
               std::ranges::all_of(std::get<TextList>(value),
                                   [&](const std::string &word) { return among(field, word); });
    case FieldKind::Counts: {
        const auto *counts = std::get_if<CountList>(&value);
        return counts && counts->size() <= kLongestList &&
               std::ranges::all_of(*counts, [&](std::int64_t count) {
                   return field.allows(static_cast<double>(count));
               });
    }
    case FieldKind::Texts: {
        const auto *texts = std::get_if<TextList>(&value);
        return texts && texts->size() <= kLongestList &&
               std::ranges::all_of(
                   *texts, [](const std::string &each) { return each.size() <= kLongestText; });
    }
    case FieldKind::Text:
        return text && text->size() <= kLongestText;
    case FieldKind::Object:
        return text && compactObject(*text).ok();
    }
    return false;
}

std::string suggestion(const Field &field, const FieldValue &value)
{
    const auto *text = std::get_if<std::string>(&value);
    return text ? didYouMean(*text, field.choices) : std::string();
}

Error refusal(const Field &field, const FieldValue &value)
{
    const std::string path(field.path);
    if (const auto *list = std::get_if<TextList>(&value);
        list && field.kind == FieldKind::Choices) {
        const auto unknown = std::ranges::find_if_not(
            *list, [&](const std::string &word) { return among(field, word); });
        return {ErrorCode::Invalid, path + " holds " + inQuotes(*unknown) + "; it must be " +
                                        allowed(field) + didYouMean(*unknown, field.choices) + '.'};
    }
    return {ErrorCode::Invalid, path + " is " + shown(value) + "; it must be " + allowed(field) +
                                    suggestion(field, value) + '.'};
}

/// The value in the type that the field stores.
FieldValue normalised(const Field &field, const FieldValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value);
        whole && field.kind == FieldKind::Number)
        return static_cast<double>(*whole);
    if (field.kind == FieldKind::Object)
        return compactObject(std::get<std::string>(value)).value();
    return value;
}

/// The rows of all tables, in the order of the form.
std::vector<Field> rowsOfTables()
{
    std::vector<Field> all;
    for (const auto tables : {modelTables(), parallelTables(), trainingTables(), servingTables()}) {
        for (const FieldTable &table : tables) {
            for (const Field &row : table.rows)
                all.emplace_back(row).group = table.group;
        }
    }
    std::ranges::find(all, FieldPath("trainer"), &Field::path)->choices = trainerNames();
    return all;
}

} // namespace

bool Field::allows(double number) const
{
    return std::isfinite(number) && number >= minimum && number <= maximum &&
           !(minimum < 0 && number == 0);
}

std::span<const Field> planFields()
{
    static const std::vector<Field> fields = [] {
        std::vector<Field> all = rowsOfTables();
        std::ranges::sort(all, {}, [](const Field &field) { return field.path.index(); });
        return all;
    }();
    return fields;
}

std::span<const Field *const> formFields()
{
    static const std::vector<const Field *> fields = [] {
        std::vector<const Field *> all;
        for (const Field &row : rowsOfTables())
            all.push_back(&fieldAt(row.path));
        return all;
    }();
    return fields;
}

const Field *findField(std::string_view path)
{
    static const std::unordered_map<std::string_view, const Field *> index = [] {
        std::unordered_map<std::string_view, const Field *> all;
        for (const Field &field : planFields())
            all.emplace(field.path, &field);
        return all;
    }();
    const auto found = index.find(path);
    return found == index.end() ? nullptr : found->second;
}

Result<void> checkValue(const Field &field, const FieldValue &value)
{
    if (!fits(field, value))
        return refusal(field, value);
    // A machine may have several GPUs of one kind.
    const auto *list = std::get_if<TextList>(&value);
    if (list && field.path != "hardware.gpu_list") {
        if (std::set<std::string_view>(list->begin(), list->end()).size() != list->size())
            return Error{ErrorCode::Invalid,
                         std::string(field.path) + " names the same word twice."};
    }
    return {};
}

Result<void> setField(Plan &plan, const Field &field, const FieldValue &value)
{
    if (std::holds_alternative<std::monostate>(value)) {
        field.set(plan, value);
        return {};
    }
    // One word stands for a list of it, as "all-linear" does in PEFT's own settings.
    if (const auto *word = std::get_if<std::string>(&value);
        word && field.kind == FieldKind::Choices && among(field, *word))
        return setField(plan, field, TextList{*word});
    if (Result<void> checked = checkValue(field, value); !checked)
        return checked;
    field.set(plan, normalised(field, value));
    return {};
}

FieldValue effectiveValue(const Plan &plan, const Field &field)
{
    return effectiveValue(plan, resolve(plan).settings, field);
}

FieldValue effectiveValue(const Plan &plan, const Settings &settings, const Field &field)
{
    const FieldValue own = field.get(plan);
    const bool isStated = !std::holds_alternative<std::monostate>(own);
    const bool ofEngine = settings.rollout && field.path.text().starts_with("inference.");
    return isStated || !field.inForce ? own
                                      : field.inForce(ofEngine ? *settings.rollout : settings);
}

} // namespace vramscope
