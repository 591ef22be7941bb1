// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_files.h"

#include "core/base/folder.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/text_file.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

using Path = std::filesystem::path;

constexpr std::string_view kFileEnd = ".safetensors";
constexpr std::string_view kIndexEnd = ".safetensors.index.json";
constexpr std::size_t kLongestIndex = 64U << 20U;

std::string shown(const Path &file)
{
    return excerpt(file.filename().string(), 120);
}

/// An error of one of several files, with its name before it.
Error of(const Path &file, const Error &error)
{
    return {error.code, shown(file) + ": " + error.text()};
}

/// The tensors of several files, each in one of them alone.
class Shards
{
public:
    /// An error begins with the name of the file, unless it is the only one.
    Result<void> add(const Path &file, bool only)
    {
        Result<SafetensorsFile> read = readSafetensors(file);
        if (!read)
            return only ? read.error() : of(file, read.error());
        m_table.files += 1;
        m_table.fileBytes += read->bytes;
        m_table.largestFileBytes = std::max(m_table.largestFileBytes, read->bytes);
        for (StoredTensor &tensor : read->tensors) {
            if (!m_names.insert(tensor.name).second)
                return Error{ErrorCode::Malformed,
                             shown(file) + ": it holds \"" + excerpt(tensor.name, 120) +
                                 "\", which another file holds too: these are two checkpoints, or "
                                 "one stored twice. Keep one."};
            m_tensors.push_back(std::move(tensor));
        }
        return {};
    }
    [[nodiscard]] bool has(const std::string &name) const { return m_names.contains(name); }
    Result<CheckpointTable> table()
    {
        if (m_tensors.empty())
            return Error{ErrorCode::Empty, "There is no tensor in it; choose another file."};
        // Some tools store tensors by size, which is no order to read.
        std::ranges::stable_sort(m_tensors, naturallyBefore, &StoredTensor::name);
        auto groups = groupTensors(m_tensors);
        if (!groups)
            return groups.error();
        m_table.groups = std::move(groups).value();
        return std::move(m_table);
    }

private:
    CheckpointTable m_table;
    std::vector<StoredTensor> m_tensors;
    std::set<std::string> m_names;
};

std::string counted(std::int64_t count, const char *what)
{
    return formatCount(count) + ' ' + what + (count == 1 ? "" : "s");
}

Result<Checkpoint> tableOf(Shards &shards)
{
    auto table = shards.table();
    if (!table)
        return table.error();
    Checkpoint checkpoint;
    checkpoint.kind = "safetensors, " + counted(table->files, "file");
    checkpoint.table = std::move(table).value();
    return checkpoint;
}

Result<Checkpoint> readByIndex(const Path &path)
{
    const Result<std::string> text = readTextFile(path, kLongestIndex);
    if (!text)
        return of(path, text.error());
    if (text->size() > kLongestIndex)
        return of(path, {ErrorCode::Unsupported, "It is longer than 64 MiB, which no index is."});
    Result<SafetensorsIndex> index = parseSafetensorsIndex(*text);
    if (!index)
        return of(path, index.error());
    std::vector<Path> files;
    Path missing;
    bool alone = true;
    for (const auto &[name, tensors] : index->files) {
        std::error_code none;
        files.push_back(path.parent_path() / name);
        const bool there = std::filesystem::exists(files.back(), none);
        alone = alone && !there;
        if (!there && missing.empty())
            missing = files.back();
    }
    if (alone) {
        Checkpoint checkpoint;
        checkpoint.kind = "an index alone";
        checkpoint.index = std::move(index).value();
        return checkpoint;
    }
    if (!missing.empty())
        return Error{ErrorCode::NotFound,
                     shown(missing) + " is missing, which the index names for " +
                         counted(std::ssize(index->files[missing.filename().string()]), "tensor") +
                         ": fetch it."};
    Shards shards;
    for (const Path &file : files) {
        if (const auto added = shards.add(file, false); !added)
            return added.error();
        for (const std::string &name : index->files[file.filename().string()])
            if (!shards.has(name))
                return Error{ErrorCode::Malformed,
                             shown(file) + " does not hold \"" + excerpt(name, 120) +
                                 "\", which the index says: fetch both again."};
    }
    auto checkpoint = tableOf(shards);
    if (checkpoint)
        checkpoint->index = std::move(index).value();
    return checkpoint;
}

Result<Checkpoint> readFolder(const Path &folder)
{
    const auto files = filesOfFolder(folder);
    if (!files)
        return files.error();
    Path index;
    Shards shards;
    std::vector<Path> found;
    for (const Path &file : *files) {
        if (folder / file.filename() != file)
            continue; // of a folder within
        const std::string name = file.filename().string();
        if (name.ends_with(kIndexEnd) && (index.empty() || name.starts_with("model.")))
            index = file;
        if (name.ends_with(kFileEnd))
            found.push_back(file);
    }
    if (!index.empty())
        return readByIndex(index);
    if (found.empty())
        return Error{ErrorCode::NotFound, "The folder holds no .safetensors file; choose one with "
                                          "a checkpoint."};
    for (const Path &file : found)
        if (const auto added = shards.add(file, false); !added)
            return added.error();
    return tableOf(shards);
}

} // namespace

bool isCheckpointPath(const Path &path)
{
    std::error_code none;
    const std::string name = path.filename().string();
    return name.ends_with(kFileEnd) || name.ends_with(kIndexEnd) ||
           std::filesystem::is_directory(path, none);
}

bool holdsCheckpoint(const Path &path)
{
    std::error_code none;
    if (!std::filesystem::is_directory(path, none))
        return isCheckpointPath(path);
    for (std::filesystem::directory_iterator each(path, none), end; !none && each != end;
         each.increment(none)) {
        const std::string name = each->path().filename().string();
        if (name.ends_with(kFileEnd) || name.ends_with(kIndexEnd))
            return true;
    }
    return false;
}

Result<Checkpoint> readCheckpoint(const Path &path)
{
    std::error_code none;
    const bool folder = std::filesystem::is_directory(path, none);
    if (!folder && path.filename().string().ends_with(kFileEnd)) {
        Shards shards;
        if (const auto added = shards.add(path, true); !added)
            return added.error();
        return tableOf(shards);
    }
    const Path place = folder ? path : path.parent_path();
    Result<Checkpoint> checkpoint = folder ? readFolder(path) : readByIndex(path);
    const Path config = place / "config.json";
    if (checkpoint && checkpoint->table && std::filesystem::is_regular_file(config, none))
        checkpoint->config = config;
    return checkpoint;
}

} // namespace vramscope
