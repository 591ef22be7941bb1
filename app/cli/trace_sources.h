// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/redaction.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope::cli {

/// A file that a command is to open: named by the user, or found in a folder that was.
struct Source
{
    std::string file;
    std::string folder; ///< empty where the file itself was named
};

/// The files that the operands of a command stand for, in order: a file for itself, a folder for
/// the files in it. A folder that cannot be listed, or holds no file, is left out, and complained
/// about; `status` is then that of an unusable file. `redact`: it is named as redactedFile() does.
[[nodiscard]] std::vector<Source> sourcesOf(std::span<const std::string> operands, bool redact,
                                            int &status);

/// The name of a file or folder without names of users and machines.
[[nodiscard]] std::string redactedFile(const std::string &file);
/// Says what is wrong with a file; with `redact` both without names.
void complainOf(const std::string &file, const std::string &text, bool redact);

/// Tells of a folder's files, as they come, which were no recordings, and which folders beside them
/// were not read: in one line, when the folder ends.
class SkippedFiles
{
public:
    /// `redact`: folder and files are named without the names of users that any of them shows.
    explicit SkippedFiles(bool redact)
        : m_redact(redact)
    {
    }
    /// To be called for each source in order, skipped or not.
    void count(const Source &source, bool skipped);
    /// Says what is left to say, and gives the status: not success where a folder held nothing.
    [[nodiscard]] int finish();

private:
    void tell();
    [[nodiscard]] std::string shown(const std::string &path) const;
    [[nodiscard]] std::string shownName(const std::string &path) const;

    bool m_redact;
    Redaction m_redaction;
    std::string m_folder;
    std::vector<std::string> m_skipped;
    std::size_t m_used = 0;
    int m_status = 0;
};

} // namespace vramscope::cli
