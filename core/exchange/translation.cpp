// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/translation.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/import_notes.h"
#include "core/exchange/setting_values.h"
#include "core/settings/field_text.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kMostNotes = 200;
constexpr std::string_view kOneOfNoMemory = "does not bear on memory.";
constexpr std::string_view kSeveralOfNoMemory = " settings do not bear on memory (";

/// The key in the file's spelling, which ends a place: "line 12, --lr".
std::string keyAsWritten(const ForeignSetting &setting)
{
    const std::size_t comma = setting.place.find(", ");
    return comma == std::string::npos ? setting.key : setting.place.substr(comma + 2);
}

std::optional<std::string> wordOf(std::optional<bool> on)
{
    return on ? std::optional<std::string>(*on ? "true" : "false") : std::nullopt;
}

/// Every spelling with every prefix.
std::string prefixed(std::string_view keys, std::string_view prefixes)
{
    std::string all;
    for (const std::string_view key : partsOf(keys, ' '))
        for (const std::string_view prefix : partsOf(prefixes, ' '))
            all.append(prefix).append(key).append(" ");
    return all;
}

} // namespace

const WordPair *pairOfTheirs(std::span<const WordPair> words, std::string_view word)
{
    const std::string low = lowered(word);
    const auto found = std::ranges::find_if(words, [&](const WordPair &pair) {
        const std::string theirs = lowered(pair.theirs);
        return isOneOf(low, partsOf(theirs, ' '));
    });
    return found == words.end() ? nullptr : &*found;
}

const WordPair *pairOfOurs(std::span<const WordPair> words, std::string_view word)
{
    const auto found = std::ranges::find_if(
        words, [word](const WordPair &pair) { return pair.ours == word && !pair.readOnly; });
    return found == words.end() ? nullptr : &*found;
}

const CsvRow *rowOfKey(const CsvTable &table, std::string_view tool, std::string_view key)
{
    const auto row = std::ranges::find_if(table.rows, [&](const CsvRow &each) {
        const std::string_view word = each.cells[1];
        return each.cells[0] == tool &&
               (word.ends_with('*') ? key.starts_with(word.substr(0, word.size() - 1))
                                    : key == word);
    });
    return row == table.rows.end() ? nullptr : &*row;
}

Translation::Translation(Plan base, std::vector<ForeignSetting> settings)
    : m_plan(std::move(base))
    , m_settings(std::move(settings))
{
}

bool Translation::has(std::string_view key) const
{
    return std::ranges::any_of(m_settings, [key](const ForeignSetting &setting) {
        return setting.key == key && !std::holds_alternative<std::monostate>(setting.value);
    });
}

bool Translation::hasWithin(std::string_view prefix) const
{
    return std::ranges::any_of(m_settings, [prefix](const ForeignSetting &setting) {
        return setting.key.starts_with(prefix) &&
               !std::holds_alternative<std::monostate>(setting.value);
    });
}

const ForeignSetting *Translation::take(Keys keys)
{
    const ForeignSetting *found = nullptr;
    for (const std::string_view key : partsOf(keys, ' ')) {
        const ForeignSetting *last = nullptr;
        for (ForeignSetting &setting : m_settings) {
            if (setting.key != key)
                continue;
            setting.taken = true;
            last = &setting;
        }
        if (!found && last && !std::holds_alternative<std::monostate>(last->value))
            found = last;
    }
    if (found)
        m_place = found->place;
    return found;
}

std::vector<const ForeignSetting *> Translation::takeWithin(std::string_view prefix)
{
    std::vector<const ForeignSetting *> found;
    for (ForeignSetting &setting : m_settings) {
        if (!setting.key.starts_with(prefix))
            continue;
        setting.taken = true;
        m_place = setting.place;
        found.push_back(&setting);
    }
    return found;
}

bool Translation::takeAll(std::string_view prefix)
{
    return !takeWithin(prefix).empty();
}

void Translation::wrongValue(const ForeignSetting &setting, std::string_view wanted)
{
    const auto *text = std::get_if<std::string>(&setting.value);
    if (text && text->starts_with('$'))
        note(setting.place,
             "is " + excerpt(*text, 60) + ", which this text does not define; it is left out.");
    else if (text && *text == "auto")
        note(setting.place, "is \"auto\", which is decided elsewhere; set it in the plan.");
    else
        note(setting.place, "is " + shownSetting(setting.value) + ", which is not " +
                                std::string(wanted) + "; it is left out.");
}

std::optional<std::int64_t> Translation::count(Keys keys)
{
    const ForeignSetting *setting = take(keys);
    if (!setting)
        return std::nullopt;
    const auto value = asCount(setting->value);
    if (!value)
        wrongValue(*setting, "a whole number");
    return value;
}

std::optional<double> Translation::number(Keys keys)
{
    const ForeignSetting *setting = take(keys);
    if (!setting)
        return std::nullopt;
    const auto value = asNumber(setting->value);
    if (!value)
        wrongValue(*setting, "a number");
    return value;
}

std::optional<bool> Translation::flag(Keys keys)
{
    const ForeignSetting *setting = take(keys);
    if (!setting)
        return std::nullopt;
    const auto value = asFlag(setting->value);
    if (!value)
        wrongValue(*setting, "true or false");
    return value;
}

std::optional<std::string> Translation::text(Keys keys)
{
    const ForeignSetting *setting = take(keys);
    if (!setting)
        return std::nullopt;
    if (const auto *text = std::get_if<std::string>(&setting->value)) {
        if (!text->starts_with('$'))
            return *text;
    } else if (!std::holds_alternative<TextList>(setting->value)) {
        const std::string plain = shownSetting(setting->value);
        return plain;
    }
    wrongValue(*setting, "a text");
    return std::nullopt;
}

void Translation::set(FieldPath field, const FieldValue &value)
{
    if (const Result<void> done = setField(m_plan, fieldAt(field), value); !done)
        note("cannot be carried over: " + done.error().detail);
}

void Translation::clear(std::string_view group)
{
    for (const Field &field : planFields()) {
        if (isOfGroup(field.path, group))
            field.set(m_plan, {});
    }
}

void Translation::absorb(Imported imported)
{
    m_plan = std::move(imported.plan);
    for (ImportNote &noted : imported.notes) {
        if (!namesNoMemory(noted))
            note(m_place, noted.place + ' ' + noted.text);
    }
}

bool Translation::setFrom(const SettingRow &row, Keys keys)
{
    const auto store = [&](const auto &value) {
        if (value)
            set(row.ours, *value);
        return value.has_value();
    };
    if (!row.words.empty()) {
        const bool isSwitch = asFlag(std::string(row.words.front().theirs)).has_value();
        const std::optional<std::string> word = isSwitch ? wordOf(flag(keys)) : text(keys);
        if (!word)
            return !isSwitch && take(keys) != nullptr;
        if (const WordPair *pair = pairOfTheirs(row.words, *word)) {
            set(row.ours, writtenValue(fieldAt(row.ours), pair->ours));
            return true;
        }
        if (isSwitch)
            return false; // it changes nothing
        std::string known;
        for (const WordPair &pair : row.words)
            for (const std::string_view each : partsOf(pair.theirs, ' '))
                known.append(known.empty() ? "" : ", ").append(lowered(each));
        noteWord(*word, "; known are " + known + ". It is left out.", 60);
        return true;
    }
    switch (fieldAt(row.ours).kind) {
    case FieldKind::Switch:
        return store(flag(keys));
    case FieldKind::Count:
    case FieldKind::Size:
        return store(count(keys));
    case FieldKind::Number:
        return store(number(keys));
    default:
        return store(text(keys));
    }
}

void Translation::read(std::span<const SettingRow> rows, Keys prefixes)
{
    for (const SettingRow &row : rows) {
        const std::string keys =
            prefixes.empty() ? std::string(row.theirs) : prefixed(row.theirs, prefixes);
        if (!setFrom(row, keys) && !row.usual.empty())
            set(row.ours, writtenValue(fieldAt(row.ours), row.usual));
    }
}

void Translation::remark(std::span<const RemarkRow> rows)
{
    for (const RemarkRow &row : rows) {
        const bool asks = row.when == Remarks::Given ? take(row.theirs) != nullptr
                          : row.when == Remarks::On  ? isOn(row.theirs)
                                                     : number(row.theirs).value_or(0) > 0;
        if (asks)
            note(std::string(row.text));
    }
}

void Translation::noteWord(std::string_view word, std::string_view text, std::size_t most)
{
    note("is \"" + excerpt(word, most) + '"' + std::string(text));
}

void Translation::note(std::string place, std::string text)
{
    if (m_notes.size() < kMostNotes)
        m_notes.push_back({std::move(place), std::move(text)});
    else
        ++m_unwritten;
}

void Translation::askForGpu(std::string text)
{
    m_notes.push_back({"", std::move(text), true});
}

Imported Translation::finish(std::string format, std::string_view tool,
                             std::span<const std::string_view> parts) &&
{
    static const CsvTable noMemory = parseCsv(shippedDocument("tools/no_memory.csv")).value();
    std::int64_t ignored = 0;
    std::string first;
    for (const ForeignSetting &setting : m_settings) {
        if (setting.taken)
            continue;
        const auto part = std::ranges::find_if(
            parts, [&](std::string_view prefix) { return setting.key.starts_with(prefix); });
        const std::string_view key =
            std::string_view(setting.key).substr(part == parts.end() ? 0 : part->size());
        if (rowOfKey(noMemory, tool, key)) {
            first = ignored++ == 0 ? keyAsWritten(setting) : first;
            continue;
        }
        note(setting.place, "is not known to the import and is left out.");
    }
    if (m_unwritten > 0)
        m_notes.push_back({"", counted(static_cast<std::int64_t>(m_unwritten), "more note") +
                                   (m_unwritten == 1 ? " is" : " are") + " not written out."});
    if (ignored == 1)
        m_notes.push_back({first, std::string(kOneOfNoMemory)});
    else if (ignored > 1)
        m_notes.push_back(
            {"", formatCount(ignored) + std::string(kSeveralOfNoMemory) + first + " and others)."});
    return {std::move(m_plan), std::move(format), std::move(m_notes)};
}

bool namesNoMemory(const ImportNote &note)
{
    return note.text == kOneOfNoMemory ||
           (note.place.empty() && note.text.find(kSeveralOfNoMemory) != std::string::npos);
}

const CatalogueModel *setModel(Translation &translation, std::string_view repository)
{
    const CatalogueModel *preset = findModelRepository(repository);
    // A config may be of this model; a preset is another one.
    if (preset || translation.plan().model.preset)
        translation.clear("model");
    if (preset)
        translation.set("model.preset", preset->name);
    else
        translation.note("names " + excerpt(repository, 80) +
                         ", which is no model that plans know by name; import its config.json.");
    return preset;
}

void importGlobalBatch(Translation &t, std::int64_t sequences)
{
    const std::int64_t one =
        t.plan().batch.microBatch.value_or(1) * t.plan().parallel.data.value_or(1);
    if (sequences > 0 && sequences % one == 0)
        t.set("batch.accumulation_steps", sequences / one);
    else
        t.note("is no multiple of the " + counted(one, "sequence") + " of one pass.");
}

std::int64_t gpusPerReplica(const Plan &plan)
{
    const PlanParallel &p = plan.parallel;
    // Each degree is at most 10^5: three of them fit.
    return p.tensor.value_or(1) * p.pipeline.value_or(1) * p.context.value_or(1);
}

void fillDataParallel(Translation &translation)
{
    const std::optional<std::int64_t> gpus = translation.plan().hardware.gpus;
    if (!gpus)
        return;
    const std::int64_t replica = gpusPerReplica(translation.plan());
    if (*gpus % replica == 0)
        translation.set("parallel.data", *gpus / replica);
    else
        translation.note("", "The " + counted(*gpus, "GPU") + (*gpus == 1 ? " does" : " do") +
                                 " not divide by the " + formatCount(replica) +
                                 " of one replica; set parallel.data and hardware.gpus.");
}

} // namespace vramscope
