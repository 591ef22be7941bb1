// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/outline.h"

#include "core/base/parts.h"
#include "core/exchange/setting_values.h"
#include "core/plan/field.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

/// isAllocConf() texts contain no quote; brackets and ">" are special to a shell.
std::string shellSetting(const std::string &conf)
{
    const bool plain = conf.find_first_of("[]> ") == conf.npos;
    return "export PYTORCH_CUDA_ALLOC_CONF=" + (plain ? conf : '\'' + conf + '\'');
}

/// A value on one line, with texts between `quote`.
std::string written(const FieldValue &value, std::string_view quote)
{
    const auto quoted = [quote](const std::string &text) {
        return std::string(quote) + text + std::string(quote);
    };
    if (const auto *text = std::get_if<std::string>(&value))
        return quoted(*text);
    if (const auto *number = std::get_if<double>(&value))
        return shortestNumber(*number);
    const auto *list = std::get_if<TextList>(&value);
    if (!list)
        return shownSetting(value);
    std::string all;
    for (const std::string &text : *list)
        all += (all.empty() ? "" : ", ") + quoted(text);
    return '[' + all + ']';
}

/// The word of a choice; for a switch whether it is on.
FieldValue valueOf(std::string_view word)
{
    if (word == "true" || word == "false")
        return word == "true";
    return std::string(word);
}

Json jsonOf(const FieldValue &value)
{
    return std::visit(
        [](const auto &each) -> Json {
            if constexpr (std::is_same_v<decltype(each), const std::monostate &>)
                return Json::object();
            else
                return each;
        },
        value);
}

} // namespace

Outline::Outline(const Plan &plan)
    : m_plan(plan)
    , m_resolved(resolve(plan))
{
    covered({"name", "workload", "model.known_as"});
}

void Outline::put(std::string_view key, FieldValue value)
{
    m_settings.push_back({std::string(key), std::move(value)});
}

void Outline::putIf(bool on, std::string_view key)
{
    if (on)
        put(key, true);
}

void Outline::write(std::span<const SettingRow> rows, std::string_view prefix)
{
    for (const SettingRow &row : rows) {
        const Field &field = fieldAt(row.ours);
        FieldValue ours = field.inForce(settings());
        if (!isStated(ours))
            ours = std::int64_t(0); // a count that the plan should have
        const WordPair *pair = pairOfOurs(row.words, written(ours, ""));
        if (!row.words.empty() && !pair)
            continue;
        const bool stated = states(row.ours);
        if ((row.writes == Writes::Stated && !stated) ||
            (row.writes == Writes::AboveOne && std::get<std::int64_t>(ours) <= 1))
            continue;
        put(std::string(prefix).append(firstWord(row.theirs)),
            pair ? valueOf(firstWord(pair->theirs)) : ours);
    }
}

void Outline::covered(std::initializer_list<FieldPath> fields, bool holds)
{
    if (holds)
        m_covered.insert(fields.begin(), fields.end());
}

bool Outline::states(FieldPath field)
{
    covered({field});
    return isStated(fieldAt(field).get(m_plan));
}

void Outline::changed(FieldPath field, std::string text)
{
    m_changed[field] = std::move(text);
}

void Outline::replaced(FieldPath field, std::string_view text)
{
    changed(field, "is " + written(fieldAt(field).inForce(settings()), "") + std::string(text));
}

std::string Outline::allocatorLine()
{
    covered({"overheads.alloc_conf"});
    const std::string &conf = settings().allocConf;
    return conf.empty() ? std::string() : shellSetting(conf);
}

std::string Outline::text(Syntax syntax) const
{
    switch (syntax) {
    case Syntax::Json:
        return m_head + asJson();
    case Syntax::Options:
        return m_head + asOptions();
    case Syntax::Toml:
    case Syntax::Yaml:
        break;
    }
    return m_head + inGroups(syntax);
}

/// Opens tables of TOML and mappings of YAML when the groups of a key differ from the previous
/// ones.
std::string Outline::inGroups(Syntax syntax) const
{
    const bool toml = syntax == Syntax::Toml;
    std::string text = {};
    std::vector<std::string_view> open;
    for (const Put &each : m_settings) {
        std::vector<std::string_view> groups = partsOf(each.key, '.');
        const bool isGroup = !isStated(each.value);
        const std::string key(groups.back());
        groups.resize(groups.size() - (isGroup ? 0 : 1));
        const auto same = std::ranges::mismatch(groups, open).in1;
        for (auto group = same; group != groups.end(); ++group) {
            if (toml)
                text +=
                    (m_head.empty() && text.empty() ? "[" : "\n[") + std::string(*group) + "]\n";
            else
                text += std::string(2 * std::size_t(group - groups.begin()), ' ') +
                        std::string(*group) + ":\n";
        }
        open = std::move(groups);
        if (!isGroup)
            text += toml ? key + " = " + written(each.value, "\"") + '\n'
                         : std::string(2 * open.size(), ' ') + key + ": " +
                               written(each.value, "") + '\n';
    }
    return text;
}

std::string Outline::asJson() const
{
    Json json;
    for (const Put &each : m_settings) {
        Json *at = &json;
        for (const std::string_view group : partsOf(each.key, '.'))
            at = &(*at)[std::string(group)];
        *at = jsonOf(each.value);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string Outline::asOptions() const
{
    std::string text;
    for (const Put &each : m_settings) {
        const auto *on = std::get_if<bool>(&each.value);
        if (on && !*on)
            continue;
        text += " \\\n    " + each.key + (on ? "" : ' ' + written(each.value, ""));
    }
    return text + '\n';
}

std::vector<ImportNote> Outline::notes(std::string_view format) const
{
    std::vector<ImportNote> notes;
    for (const Field &field : planFields()) {
        if (const auto change = m_changed.find(field.path); change != m_changed.end()) {
            notes.push_back({std::string(field.path), change->second});
            continue;
        }
        if (!isStated(field.get(m_plan)) || m_covered.contains(field.path))
            continue;
        if (field.path == "overheads.alloc_conf" && !settings().allocConf.empty())
            notes.push_back({std::string(field.path), "is an environment variable, to be set where "
                                                      "the run starts: " +
                                                          shellSetting(settings().allocConf)});
        else
            notes.push_back({std::string(field.path), "is left out: there is no word for it in " +
                                                          std::string(format) + '.'});
    }
    return notes;
}

} // namespace vramscope
