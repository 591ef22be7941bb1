// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_redaction.h"

#include <algorithm>

namespace vramscope {

void gatherNames(Redaction &names, const Profile &profile)
{
    for (std::size_t id = 0; id < profile.textCount(); ++id)
        names.gather(profile.text(static_cast<StringId>(id)), Redaction::Kind::Prose);
    for (const ProfileThread &thread : profile.threads()) {
        for (const std::string *text : {&thread.process, &thread.thread, &thread.name})
            names.gather(*text, Redaction::Kind::Prose);
    }
    for (const ProfileGpu &gpu : profile.gpus())
        names.gather(gpu.name.value_or(""), Redaction::Kind::Prose);
    names.gather(*profile.curves());
}

std::shared_ptr<const Profile> redacted(const Profile &profile, const Redaction &names)
{
    const std::shared_ptr<Profile> result(new Profile(profile));
    result->m_strings = profile.m_strings.mapped(
        [&](StringId, std::string_view each) { return names.text(each, Redaction::Kind::Prose); });
    for (ProfileThread &thread : result->m_threads) {
        for (std::string *text : {&thread.process, &thread.thread, &thread.name})
            *text = names.text(*text, Redaction::Kind::Prose);
    }
    for (ProfileGpu &gpu : result->m_gpus) {
        if (gpu.name)
            gpu.name = names.text(*gpu.name, Redaction::Kind::Prose);
    }
    result->m_curves = names.applied(*profile.curves());
    return result;
}

namespace {

/// "Host Name" as a key, host_name.
std::string keyOf(const TableColumn &column)
{
    std::string key = column.name;
    std::ranges::replace(key, ' ', '_');
    return key;
}

/// Of Nsight Compute, the name of a file that a person chose.
bool isProgram(const TableColumn &column)
{
    return column.name == "Process Name";
}

} // namespace

void gatherNames(Redaction &names, const ProfilerTables &tables)
{
    for (const CellTable &table : tables.tables) {
        names.gather(table.title, Redaction::Kind::Prose);
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const std::string key = keyOf(table.columns[column]);
            names.gather(table.columns[column].name, Redaction::Kind::Prose);
            for (std::size_t row = 0; !table.columns[column].isNumber && row < table.rowCount();
                 ++row) {
                if (isProgram(table.columns[column]))
                    names.gatherFileName(table.cell(row, column));
                else
                    names.gatherValue(key, table.cell(row, column));
            }
        }
    }
}

std::shared_ptr<const ProfilerTables> redacted(const ProfilerTables &tables, const Redaction &names)
{
    auto result = std::make_shared<ProfilerTables>();
    result->tool = tables.tool;
    result->problems = tables.problems;
    for (std::string &problem : result->problems)
        problem = names.sentence(problem);
    result->launches = tables.launches;
    for (CounterLaunch &launch : result->launches)
        launch.name = names.text(launch.name, Redaction::Kind::Prose);
    for (const CellTable &table : tables.tables) {
        CellTable &made = result->tables.emplace_back();
        made.title = names.text(table.title, Redaction::Kind::Prose);
        made.columns = table.columns;
        for (TableColumn &column : made.columns)
            column.name = names.text(column.name, Redaction::Kind::Prose);
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            for (std::size_t at = 0; at < table.columns.size(); ++at) {
                const TableColumn &column = table.columns[at];
                const std::string_view cell = table.cell(row, at);
                made.add(column.isNumber     ? std::string(cell)
                         : isProgram(column) ? names.fileName(cell)
                                             : names.value(keyOf(column), cell));
            }
        }
    }
    return result;
}

} // namespace vramscope
