// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_files.h"

#include "core/base/counted.h"
#include "core/base/folder.h"
#include "core/base/format.h"
#include "core/base/path_text.h"
#include "core/base/text.h"
#include "core/base/text_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

namespace vramscope {

namespace {

using Path = std::filesystem::path;

constexpr std::string_view kFileEnd = ".safetensors";
constexpr std::string_view kIndexEnd = ".safetensors.index.json";
constexpr std::string_view kGgufEnd = ".gguf";
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

/// False if more could not be counted.
bool addFile(CheckpointTable &table, Bytes bytes)
{
    table.files += 1;
    table.fileBytes += bytes;
    table.largestFileBytes = std::max(table.largestFileBytes, bytes);
    return table.fileBytes < kMostTensorBytes;
}

Error uncountable()
{
    return {ErrorCode::Malformed, "The tensors of the files are larger than can be counted."};
}

/// The tensors of several files, each in only one of them.
class Shards
{
public:
    /// An error begins with the name of the file, unless it is the only one.
    Result<void> add(const Path &file, bool only)
    {
        Result<SafetensorsFile> read = readSafetensors(file);
        if (!read)
            return only ? read.error() : of(file, read.error());
        if (!addFile(m_table, read->bytes))
            return uncountable();
        for (Finding &finding : read->findings) {
            if (!only)
                finding.sentence = shown(file) + ": " + finding.sentence;
            m_findings.push_back(std::move(finding));
        }
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
    Result<Checkpoint> checkpoint();

private:
    CheckpointTable m_table;
    std::vector<StoredTensor> m_tensors;
    std::vector<Finding> m_findings;
    std::set<std::string> m_names;
};

/// Groups them; some tools store tensors by size, an order that is hard to read.
Result<void> group(CheckpointTable &table, std::vector<StoredTensor> &tensors)
{
    std::ranges::stable_sort(tensors, naturallyBefore, &StoredTensor::name);
    auto groups = groupTensors(tensors);
    if (!groups)
        return groups.error();
    table.groups = std::move(groups).value();
    return {};
}

Result<Checkpoint> Shards::checkpoint()
{
    if (m_tensors.empty())
        return Error{ErrorCode::Empty, "There is no tensor in it; choose another file."};
    if (const auto grouped = group(m_table, m_tensors); !grouped)
        return grouped.error();
    Checkpoint checkpoint;
    checkpoint.kind = "safetensors, " + counted(m_table.files, "file");
    checkpoint.table = std::move(m_table);
    checkpoint.tensors = std::move(m_tensors);
    checkpoint.findings = std::move(m_findings);
    return checkpoint;
}

/// The parts of "PREFIX-00002-of-00005.gguf" (llama_split_path() of llama.cpp, src/llama.cpp).
struct PartName
{
    std::string prefix;
    std::int64_t part = 0; ///< from 1
    std::int64_t of = 0;
};

std::optional<PartName> partName(const std::string &name)
{
    constexpr std::size_t kEnd = std::string_view("-00002-of-00005.gguf").size();
    if (name.size() <= kEnd)
        return std::nullopt;
    const std::string_view end = std::string_view(name).substr(name.size() - kEnd);
    const auto number = [](std::string_view digits) {
        std::int64_t value = 0;
        for (const char digit : digits)
            value = isDigit(digit) && value >= 0 ? value * 10 + (digit - '0') : -1;
        return value;
    };
    PartName found{name.substr(0, name.size() - kEnd), number(end.substr(1, 5)),
                   number(end.substr(10, 5))};
    const bool shaped = end[0] == '-' && end.substr(6, 4) == "-of-" && end.substr(15) == kGgufEnd;
    if (!shaped || found.part < 1 || found.of < found.part)
        return std::nullopt;
    return found;
}

std::string nameOf(const PartName &name, std::int64_t part)
{
    const auto digits = [](std::int64_t number) {
        const std::string text = std::to_string(number);
        return std::string(5 - text.size(), '0') + text;
    };
    return name.prefix + '-' + digits(part) + "-of-" + digits(name.of) + std::string(kGgufEnd);
}

/// The parts of a GGUF model; the first has its keys.
class GgufParts
{
public:
    /// `part` counts from 0.
    Result<void> add(const Path &file, std::int64_t part, std::int64_t of)
    {
        Result<GgufFile> read = readGguf(file);
        if (!read)
            return of > 1 ? Result<void>(vramscope::Error{read.error().code,
                                                          shown(file) + ": " + read.error().detail,
                                                          read.error().offset})
                          : read.error();
        const Bytes whole = std::max(read->bytes, read->dataAt + read->dataBytes);
        if (!addFile(m_table, whole))
            return uncountable();
        for (Finding &finding : read->findings)
            note(finding.isBad(), (of > 1 ? shown(file) + ": " : std::string()) + finding.sentence);
        checkSplit(file, *read, part, of);
        for (StoredTensor &tensor : read->tensors) {
            if (of > 1 && !m_names.insert(tensor.name).second)
                note(true, shown(file) + ": the tensor \"" + excerpt(tensor.name, 120) +
                               "\" is in another part too; both are counted. llama.cpp refuses "
                               "the model.");
            m_checkpoint.tensors.push_back(std::move(tensor));
        }
        read->tensors.clear();
        if (!m_checkpoint.gguf)
            m_checkpoint.gguf = std::move(read).value();
        return {};
    }
    void addMissing(std::string name) { m_checkpoint.missing.push_back(std::move(name)); }
    Result<Checkpoint> checkpoint();

private:
    void note(bool refused, std::string text)
    {
        constexpr std::size_t kMost = 40;
        if (m_checkpoint.findings.size() < kMost)
            m_checkpoint.findings.push_back(fileFinding(refused, std::move(text)));
    }
    void checkSplit(const Path &file, const GgufFile &read, std::int64_t part, std::int64_t of);

    Checkpoint m_checkpoint;
    CheckpointTable m_table;
    std::set<std::string> m_names;
    std::int64_t m_stated = -1; ///< split.tensors.count
};

void GgufParts::checkSplit(const Path &file, const GgufFile &read, std::int64_t part,
                           std::int64_t of)
{
    const std::int64_t number = read.number("split.no").value_or(0);
    const std::int64_t count = read.number("split.count").value_or(0);
    const std::string name = shown(file);
    if (const auto stated = read.number("split.tensors.count"); stated && *stated < 0)
        note(true, name + " states " + counted(*stated, "tensor") +
                       " of all parts. llama.cpp refuses the model.");
    else if (stated && count > 0)
        m_stated = *stated;
    if (count > 1 && of == 1) {
        note(true, name + " is part " + formatCount(number + 1) + " of " + formatCount(count) +
                       ", but its name does not say so: the others cannot be found. llama.cpp "
                       "refuses the model.");
        m_checkpoint.missing.emplace_back("parts of other names");
    } else if (of > 1 && (number != part || count != of)) {
        note(true, name + " says of itself that it is part " + formatCount(number + 1) + " of " +
                       formatCount(count) + ". llama.cpp refuses the model.");
    }
}

Result<Checkpoint> GgufParts::checkpoint()
{
    const GgufFile &first = *m_checkpoint.gguf;
    const std::string architecture = first.text("general.architecture");
    const std::int64_t count = std::ssize(m_checkpoint.tensors);
    if (m_stated >= 0 && m_checkpoint.missing.empty() && m_stated != count)
        note(true, "The parts state " + counted(m_stated, "tensor") + " and hold " +
                       formatCount(count) + ". llama.cpp refuses the model.");
    if (architecture.empty() && first.number("split.no").value_or(0) == 0)
        note(true, "general.architecture is missing: what the model is, is not known. llama.cpp "
                   "refuses the file.");
    if (first.number("split.no").value_or(0) > 0)
        note(false, "Part 1, which has the model's keys, is not there: of the others only the "
                    "bytes are known.");
    const bool hasVocabulary = first.countOf("tokenizer.ggml.tokens") > 0;
    m_checkpoint.kind = "GGUF";
    if (architecture == "clip")
        m_checkpoint.kind += ", projector (mmproj)";
    else if (count == 0)
        m_checkpoint.kind += hasVocabulary ? ", vocabulary only" : ", no tensors";
    m_checkpoint.kind += ", " + counted(m_table.files, "file");
    if (count == 0)
        note(false, hasVocabulary ? "The file has a vocabulary only: its weights take 0 B."
                                  : std::string("The file has no tensors: its weights take 0 B."));
    else if (const auto grouped = group(m_table, m_checkpoint.tensors); !grouped)
        return grouped.error();
    else
        m_checkpoint.table = std::move(m_table);
    return std::move(m_checkpoint);
}

Result<Checkpoint> readGgufModel(const Path &path)
{
    GgufParts parts;
    const std::optional<PartName> name = partName(path.filename().string());
    if (!name || name->of == 1) {
        if (const auto added = parts.add(path, 0, 1); !added)
            return added.error();
        return parts.checkpoint();
    }
    for (std::int64_t part = 1; part <= name->of; ++part) {
        std::error_code none;
        const std::string file = nameOf(*name, part);
        const Path place = path.parent_path() / pathOf(file);
        if (part != name->part && !std::filesystem::exists(place, none))
            parts.addMissing(file);
        else if (const auto added = parts.add(place, part - 1, name->of); !added)
            return added.error();
    }
    return parts.checkpoint();
}

/// The model in the GGUF files of one folder: one file, or the parts of one.
Result<Checkpoint> readGgufFolder(const std::vector<Path> &files)
{
    std::vector<Path> models;
    std::string before;
    for (const Path &file : files) {
        const std::string name = file.filename().string();
        const auto part = partName(name);
        const std::string prefix = part ? part->prefix : name;
        if (name.starts_with("mmproj") || prefix == before)
            continue;
        before = prefix;
        models.push_back(file);
    }
    if (models.size() > 1)
        return Error{ErrorCode::Unsupported, "The folder holds " +
                                                 counted(std::ssize(models), "GGUF model") + ", " +
                                                 shown(models[0]) + " and " + shown(models[1]) +
                                                 " among them: choose one of the files."};
    return readGgufModel(models.empty() ? files.front() : models.front());
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
        files.push_back(path.parent_path() / pathOf(name));
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
    auto checkpoint = shards.checkpoint();
    if (!checkpoint)
        return checkpoint;
    if (index->totalIsOdd)
        checkpoint->findings.push_back(
            fileFinding(false, "The index states metadata.total_size as something "
                               "else than a whole number: the headers count."));
    if (index->totalBytes >= 0 && index->totalBytes != checkpoint->table->bytes())
        checkpoint->findings.push_back(fileFinding(
            false, "The index states " + counted(index->totalBytes, "byte") +
                       " (metadata.total_size), the headers hold " +
                       formatCount(checkpoint->table->bytes()) + ": the headers count."));
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
    std::vector<Path> ggufs;
    for (const Path &file : *files) {
        if (folder / file.filename() != file)
            continue; // of a folder within
        const std::string name = file.filename().string();
        if (name.ends_with(kIndexEnd) && (index.empty() || name.starts_with("model.")))
            index = file;
        if (name.ends_with(kFileEnd))
            found.push_back(file);
        if (name.ends_with(kGgufEnd))
            ggufs.push_back(file);
    }
    if (!index.empty())
        return readByIndex(index);
    if (found.empty() && !ggufs.empty())
        return readGgufFolder(ggufs);
    if (found.empty())
        return Error{ErrorCode::NotFound, "The folder holds no .safetensors or .gguf file; choose "
                                          "one with a checkpoint."};
    for (const Path &file : found)
        if (const auto added = shards.add(file, false); !added)
            return added.error();
    return shards.checkpoint();
}

} // namespace

bool isCheckpointPath(const Path &path)
{
    std::error_code none;
    const std::string name = path.filename().string();
    return name.ends_with(kFileEnd) || name.ends_with(kIndexEnd) || name.ends_with(kGgufEnd) ||
           std::filesystem::is_directory(path, none);
}

bool holdsCheckpoint(const Path &path)
{
    std::error_code none;
    if (!std::filesystem::is_directory(path, none))
        return isCheckpointPath(path);
    for (std::filesystem::directory_iterator each(path, none), end; !none && each != end;
         each.increment(none)) {
        const std::string name(utf8(each->path().filename()));
        if (name.ends_with(kFileEnd) || name.ends_with(kIndexEnd) || name.ends_with(kGgufEnd))
            return true;
    }
    return false;
}

std::optional<std::int64_t> layerOf(const StoredTensor &tensor)
{
    constexpr auto kLists =
        std::to_array<std::string_view>({"blk", "layers", "layer", "h", "blocks", "block"});
    std::string_view rest = tensor.name;
    std::string_view before;
    while (true) {
        const std::size_t end = std::min(rest.find('.'), rest.size());
        const std::string_view word = rest.substr(0, end);
        const bool number = !word.empty() && word.size() <= 6 && std::ranges::all_of(word, isDigit);
        if (number && isOneOf(before, kLists) && end < rest.size()) {
            std::int64_t layer = 0;
            for (const char digit : word)
                layer = layer * 10 + (digit - '0');
            return layer;
        }
        if (end == rest.size())
            return std::nullopt;
        before = word;
        rest.remove_prefix(end + 1);
    }
}

LayerBytes bytesByLayer(std::span<const StoredTensor> tensors)
{
    LayerBytes sum;
    for (const StoredTensor &tensor : tensors) {
        if (const auto layer = layerOf(tensor))
            sum.layers[*layer] += tensor.bytes;
        else
            sum.others += tensor.bytes;
    }
    return sum;
}

Result<Checkpoint> readCheckpoint(const Path &path)
{
    std::error_code none;
    const bool folder = std::filesystem::is_directory(path, none);
    if (!folder && path.filename().string().ends_with(kFileEnd)) {
        Shards shards;
        if (const auto added = shards.add(path, true); !added)
            return added.error();
        return shards.checkpoint();
    }
    if (!folder && path.filename().string().ends_with(kGgufEnd))
        return readGgufModel(path);
    const Path place = folder ? path : path.parent_path();
    Result<Checkpoint> checkpoint = folder ? readFolder(path) : readByIndex(path);
    const Path config = place / "config.json";
    if (checkpoint && checkpoint->table && std::filesystem::is_regular_file(config, none))
        checkpoint->config = config;
    return checkpoint;
}

Result<Checkpoint> readWeights(const Path &path)
{
    if (isCheckpointPath(path))
        return readCheckpoint(path);
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none))
        return readGgufModel(path); // reports what the file is
    std::ifstream in(path, std::ios::binary);
    std::array<char, 4> start{};
    in.read(start.data(), start.size());
    if (startsAsGguf({start.data(), static_cast<std::size_t>(in.gcount())}))
        return readGgufModel(path);
    Shards shards;
    if (const auto added = shards.add(path, true); !added)
        return added.error();
    return shards.checkpoint();
}

} // namespace vramscope
