// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/redaction.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope::cli {

/// A file for a command to open: named by the user, or found in a folder that was.
struct Source
{
    std::string file;
    std::string folder; ///< empty if the user named the file itself
};

/// The files for the operands of a command, in order: a file itself, a folder as the files in it. A
/// folder that cannot be listed, or has no file, is left out with a complaint; `status` is then
/// that of an unusable file. `redact`: complaints name it by redactedFile().
[[nodiscard]] std::vector<Source> sourcesOf(std::span<const std::string> operands, bool redact,
                                            int &status);

/// The name of a file or folder without names of users and machines.
[[nodiscard]] std::string redactedFile(const std::string &file);
/// Reports that a file is unusable; with `redact`, both texts without names. Gives the exit status.
int complainOf(const std::string &file, const std::string &text, bool redact);

/// Collects the files of a folder that are not recordings, and the folders next to files that were
/// not read, and reports them in one line when the folder ends.
class SkippedFiles
{
public:
    /// `redact`: prints folder and files without the user names that any of them shows.
    explicit SkippedFiles(bool redact)
        : m_redact(redact)
    {
    }
    /// Call this for each source in order, skipped or not.
    void count(const Source &source, bool skipped);
    /// Reports what is left, and returns the status: not success if a folder had nothing to report.
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
