// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/series.h"
#include "core/trace/trace.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// Gathers words that name a person or a machine and rewrites texts without them: a path keeps its
/// last folders that are all words of programs, with "~" for those before; environments and
/// installed packages lose the folders before them ("site-packages/torch/…"). Names and e-mail
/// addresses become "user", machines "host", keys of services "secret". Information about the
/// program stays: "~/project/train.py". The rules are constant, so the same words give the same
/// text every time, and a rewritten text is not changed again.
class Redaction
{
public:
    /// The kind of a text. A path may contain blanks, and is not searched for machines; prose is
    /// every other text: names of functions, kernels and ranges, sentences, values.
    enum class Kind { Path, Prose };

    /// Gathers the names in every text of a trace, and in the name of its file.
    void gather(const Trace &trace);
    void gather(const Series &series);
    void gather(std::string_view text, Kind kind);
    /// Gathers from the value of a key, such as a setting or the cell of a column: the key may show
    /// what it is.
    void gatherValue(std::string_view key, std::string_view value);
    /// Gathers the words that title() removes from a text.
    void gatherTitle(std::string_view text);
    /// Takes the names that another one has gathered.
    void gather(const Redaction &other);
    /// Gathers from the name of a recording, which some tools build from the machine's.
    void gatherFileName(std::string_view file);

    /// `text` without the gathered names and without those recognised by their form.
    [[nodiscard]] std::string text(std::string_view text, Kind kind) const;
    [[nodiscard]] std::string path(std::string_view path) const { return text(path, Kind::Path); }

    /// The value of a key without names.
    [[nodiscard]] std::string value(std::string_view key, std::string_view value) const;
    /// The name of a file or folder that a person chose, with the rest of its folders: words other
    /// than program words become "name".
    [[nodiscard]] std::string fileName(std::string_view path) const;
    /// A text that a person wrote, such as the name of a plan, without names of people.
    [[nodiscard]] std::string title(std::string_view text) const;

    /// A sentence about a file, without the names in its quotations.
    [[nodiscard]] std::string sentence(std::string_view text) const;

    /// A copy of `trace` with all its texts rewritten. Every id, and so every figure, is unchanged:
    /// frames that differed only in removed names stay apart. Takes time and memory in proportion
    /// to the trace.
    [[nodiscard]] std::shared_ptr<const Trace> applied(const Trace &trace) const;
    [[nodiscard]] std::shared_ptr<const Series> applied(const Series &series) const;

    /// A text and its replacement.
    using Change = std::pair<std::string, std::string>;
    /// The texts that applied() changes, each once: those of frames, annotations and other words,
    /// then settings as "name: value".
    [[nodiscard]] std::vector<Change> changes(const Trace &trace) const;

private:
    [[nodiscard]] static std::vector<Kind> kindsOf(const Trace &trace);
    void add(std::string_view name, std::string_view replacement);
    void addWords(std::string_view text, std::string_view except);
    void rewrite(std::vector<Setting> &settings) const;
    [[nodiscard]] std::string rewrittenOnce(std::string_view text, Kind kind) const;
    [[nodiscard]] std::string withoutNames(std::string_view text) const;
    struct Name;
    [[nodiscard]] const Name *nameAt(std::string_view text, std::size_t at, std::size_t end) const;

    struct Name
    {
        std::string lower;
        std::string_view replacement;
    };
    // By the first word of the name, in lower case; the longest name first.
    std::map<std::string, std::vector<Name>, std::less<>> m_names;
    std::size_t m_count = 0;
};

} // namespace vramscope
