// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_redaction.h"

namespace vramscope {

void gatherNames(Redaction &names, const Profile &profile)
{
    for (std::size_t id = 0; id < profile.textCount(); ++id)
        names.gather(profile.text(static_cast<StringId>(id)), Redaction::Kind::Code);
    for (const ProfileThread &thread : profile.threads())
        names.gather(thread.name, Redaction::Kind::Prose);
    names.gather(*profile.curves());
}

std::shared_ptr<const Profile> redacted(const Profile &profile, const Redaction &names)
{
    const std::shared_ptr<Profile> result(new Profile(profile));
    result->m_strings = profile.m_strings.mapped(
        [&](StringId, std::string_view each) { return names.text(each, Redaction::Kind::Code); });
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

void gatherNames(Redaction &names, const ProfilerTables &tables)
{
    for (const CellTable &table : tables.tables) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            for (std::size_t row = 0; !table.columns[column].isNumber && row < table.rowCount();
                 ++row)
                names.gather(table.cell(row, column), Redaction::Kind::Code);
        }
    }
}

std::shared_ptr<const ProfilerTables> redacted(const ProfilerTables &tables, const Redaction &names)
{
    auto result = std::make_shared<ProfilerTables>();
    result->tool = tables.tool;
    result->problems = tables.problems;
    result->launches = tables.launches;
    for (CounterLaunch &launch : result->launches)
        launch.name = names.text(launch.name, Redaction::Kind::Code);
    for (const CellTable &table : tables.tables) {
        CellTable &made = result->tables.emplace_back();
        made.title = names.text(table.title, Redaction::Kind::Code);
        made.columns = table.columns;
        for (std::size_t row = 0; row < table.rowCount(); ++row) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const std::string_view cell = table.cell(row, column);
                const bool isHost = table.columns[column].name == "Host Name" && !cell.empty();
                made.add(isHost ? "host"
                         : table.columns[column].isNumber
                             ? std::string(cell)
                             : names.text(cell, Redaction::Kind::Code));
            }
        }
    }
    return result;
}

} // namespace vramscope
