// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trace_sources.h"

#include "app/cli/command.h"
#include "core/base/folder.h"
#include "core/base/format.h"
#include "core/base/path_text.h"
#include "core/session/session_json.h"
#include "core/trace/redaction.h"

#include <algorithm>

namespace vramscope::cli {

namespace {

/// "a, b and 3 more"
std::string listed(const std::vector<std::string> &names)
{
    constexpr std::size_t kNamed = 5;
    std::string text;
    for (std::size_t at = 0; at < std::min(names.size(), kNamed); ++at)
        text += (at == 0 ? "" : ", ") + names[at];
    if (names.size() > kNamed)
        text += " and " + formatCount(static_cast<std::int64_t>(names.size() - kNamed)) + " more";
    return text;
}

} // namespace

std::vector<Source> sourcesOf(std::span<const std::string> operands, bool redact, int &status)
{
    std::vector<Source> sources;
    for (const std::string &operand : operands) {
        std::error_code ignored; // opening reports files that do not exist
        if (!std::filesystem::is_directory(pathOf(operand), ignored)) {
            sources.push_back({operand, {}});
            continue;
        }
        const auto files = filesOfFolder(pathOf(operand));
        if (files.ok()) {
            for (const std::filesystem::path &file : *files) {
                if (recordingPath(file).empty()) // skips the bookmarks next to a recording
                    sources.push_back({file.string(), operand});
            }
        }
        if (!files.ok() || files->empty()) {
            complainOf(operand,
                       files.ok() ? "The folder holds no file; name one with recordings."
                                  : files.error().text(),
                       redact);
            status = kUnusableFile;
        }
    }
    return sources;
}

std::string redactedFile(const std::string &file)
{
    Redaction redaction;
    redaction.gatherFileName(file);
    return redaction.fileName(file);
}

int complainOf(const std::string &file, const std::string &text, bool redact)
{
    Redaction redaction;
    redaction.gatherFileName(file);
    return unusable(redact ? redaction.fileName(file) : file,
                    redact ? redaction.sentence(text) : text);
}

void SkippedFiles::count(const Source &source, bool skipped)
{
    if (source.folder != m_folder)
        tell();
    m_folder = source.folder;
    if (m_redact)
        m_redaction.gatherFileName(source.file);
    if (skipped)
        m_skipped.push_back(source.file);
    else
        ++m_used;
}

std::string SkippedFiles::shown(const std::string &path) const
{
    return m_redact ? m_redaction.fileName(path) : path;
}

std::string SkippedFiles::shownName(const std::string &path) const
{
    return pathOf(shown(path)).filename().string();
}

void SkippedFiles::tell()
{
    const std::vector<std::filesystem::path> folders = unreadFolders(pathOf(m_folder));
    for (const std::filesystem::path &folder : folders) {
        if (m_redact)
            m_redaction.gatherFileName(folder.string());
    }
    std::vector<std::string> unread;
    unread.reserve(folders.size());
    for (const std::filesystem::path &folder : folders)
        unread.push_back(shownName(folder.string()));
    for (std::string &file : m_skipped)
        file = shownName(file);
    std::string text;
    if (!m_folder.empty() && m_used == 0) {
        text = unread.empty() ? "The folder holds no recording; name the one that the snapshots "
                                "were written to."
                              : "The folder holds no recording beside its folders, which are not "
                                "read; name the one with the snapshots: " +
                                    listed(unread);
        m_status = kUnusableFile;
    } else {
        if (!m_skipped.empty())
            text = "no recordings, skipped: " + listed(m_skipped);
        if (!unread.empty())
            text += std::string(text.empty() ? "" : "; ") +
                    "folders beside files are not read, name them too: " + listed(unread);
    }
    if (!text.empty())
        complain(shown(m_folder), text);
    m_skipped.clear();
    m_used = 0;
}

int SkippedFiles::finish()
{
    tell();
    m_folder.clear();
    return m_status;
}

} // namespace vramscope::cli
