// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Which texts a trace and a series hold, and of what kind each is; redaction.cpp has the rules.
#include "core/trace/redaction.h"

#include <set>

namespace vramscope {

namespace {

/// A setting as one text, whose key shows what the value is: "hostname: …".
std::string pairOf(std::string_view name, std::string_view value)
{
    return std::string(name).append(": ").append(value);
}

/// Calls visit(text) for each text of a series that is not in its pool: files may name their
/// columns and devices freely.
template<class Devices, class Descriptions, class Problems, class Visit>
void forEachName(Devices &devices, Descriptions &descriptions, Problems &problems, Visit visit)
{
    for (auto &device : devices) {
        for (auto *name : {&device.label, &device.name, &device.identity})
            visit(*name);
        for (auto &curve : device.bytes) // of processes, among others
            visit(curve.name);
        for (auto &curve : device.numbers) {
            visit(curve.name);
            visit(curve.unit);
        }
    }
    for (auto &description : descriptions)
        visit(description.name);
    for (auto &problem : problems)
        visit(problem.kind);
}

} // namespace

void Redaction::gatherValue(std::string_view key, std::string_view value)
{
    gather(pairOf(key, value), Kind::Prose);
}

std::string Redaction::value(std::string_view key, std::string_view value) const
{
    // In a rewritten key its hint about the value is lost.
    const std::string front = pairOf(key, {});
    const std::string pair = text(pairOf(key, value), Kind::Prose);
    return pair.starts_with(front) ? pair.substr(front.size()) : text(value, Kind::Prose);
}

/// Keys that became equal are numbered: none may hide another.
void Redaction::rewrite(std::vector<Setting> &settings) const
{
    std::set<std::string> taken;
    for (const Setting &setting : settings)
        taken.insert(setting.name);
    for (Setting &setting : settings) {
        const std::string name = text(setting.name, Kind::Prose);
        setting.value = value(setting.name, setting.value);
        if (name == setting.name)
            continue;
        std::string free = name;
        for (int number = 2; !taken.insert(free).second; ++number)
            free = name + " " + std::to_string(number);
        setting.name = std::move(free);
    }
}

void Redaction::gather(const Trace &trace)
{
    const std::vector<Kind> kinds = kindsOf(trace);
    for (std::size_t id = 0; id < kinds.size(); ++id)
        gather(trace.text(static_cast<StringId>(id)), kinds[id]);
    for (const auto &settings : {trace.settings(), trace.extras()}) {
        for (const Setting &setting : settings)
            gatherValue(setting.name, setting.value);
    }
    for (const Problem &problem : trace.problems())
        gather(problem.kind, Kind::Prose);
}

std::vector<Redaction::Kind> Redaction::kindsOf(const Trace &trace)
{
    std::vector<Kind> kinds(trace.m_strings.size(), Kind::Prose);
    for (const Frame &frame : trace.m_frames)
        kinds[static_cast<std::size_t>(frame.file)] = Kind::Path;
    for (const SourceFile &source : trace.m_sources)
        kinds[static_cast<std::size_t>(source.path)] = Kind::Path;
    return kinds;
}

std::shared_ptr<const Trace> Redaction::applied(const Trace &trace) const
{
    const std::vector<Kind> kinds = kindsOf(trace);
    const std::shared_ptr<Trace> result(new Trace(trace));
    result->m_strings = trace.m_strings.mapped([&](StringId id, std::string_view each) {
        return text(each, kinds[static_cast<std::size_t>(id)]);
    });
    rewrite(result->m_settings);
    rewrite(result->m_extras);
    for (Problem &problem : result->m_problems)
        problem.kind = text(problem.kind, Kind::Prose);
    return result;
}

std::vector<Redaction::Change> Redaction::changes(const Trace &trace) const
{
    std::vector<Change> result;
    const std::vector<Kind> kinds = kindsOf(trace);
    for (std::size_t id = 0; id < kinds.size(); ++id) {
        const std::string_view before = trace.text(static_cast<StringId>(id));
        if (std::string after = text(before, kinds[id]); after != before)
            result.emplace_back(before, std::move(after));
    }
    for (const std::vector<Setting> *settings : {&trace.m_settings, &trace.m_extras}) {
        std::vector<Setting> rewritten = *settings;
        rewrite(rewritten);
        for (std::size_t at = 0; at < rewritten.size(); ++at) {
            const Setting &before = (*settings)[at];
            const Setting &after = rewritten[at];
            if (before.name != after.name || before.value != after.value)
                result.emplace_back(pairOf(before.name, before.value),
                                    pairOf(after.name, after.value));
        }
    }
    return result;
}

void Redaction::gather(const Series &series)
{
    for (std::size_t id = 0; id < series.m_strings.size(); ++id)
        gather(series.text(static_cast<StringId>(id)), Kind::Prose);
    forEachName(series.m_devices, series.m_descriptions, series.m_problems,
                [this](const std::string &name) { gather(name, Kind::Prose); });
    for (const Setting &fact : series.facts())
        gatherValue(fact.name, fact.value);
}

std::shared_ptr<const Series> Redaction::applied(const Series &series) const
{
    const std::shared_ptr<Series> result(new Series(series));
    result->m_strings = series.m_strings.mapped(
        [&](StringId, std::string_view each) { return text(each, Kind::Prose); });
    forEachName(result->m_devices, result->m_descriptions, result->m_problems,
                [this](std::string &name) { name = text(name, Kind::Prose); });
    rewrite(result->m_facts);
    std::map<std::string, int> taken; // so that devices stay apart
    for (SeriesDevice &device : result->m_devices) {
        if (const int before = taken[device.identity]++; before > 0 && !device.identity.empty())
            device.identity += " " + std::to_string(before + 1);
    }
    return result;
}

} // namespace vramscope
