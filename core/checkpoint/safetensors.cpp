// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include "core/base/counted.h"
#include "core/base/descriptor.h"
#include "core/base/foreign_files.h"
#include "core/base/format.h"
#include "core/base/path_text.h"
#include "core/base/text.h"
#include "core/checkpoint/byte_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Error malformed(std::string text)
{
    return {ErrorCode::Malformed, std::move(text)};
}

std::string inQuotes(std::string_view name)
{
    return '"' + excerpt(name, 120) + '"';
}

/// Listens to a document of names, each with an object or a text: builds no tree, so that reading
/// uses only the memory of the result. Unexpected content ends it.
class Listener : public nlohmann::json_sax<Json>
{
public:
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    bool null() override { return skips() || unexpected(); }
    bool boolean(bool) override { return skips() || unexpected(); }
    bool number_float(number_float_t, const string_t &) override { return skips() || unexpected(); }
    bool binary(binary_t &) override { return unexpected(); }
    bool number_integer(number_integer_t) override { return skips() || unexpected(); } // negative
    bool number_unsigned(number_unsigned_t number) override
    {
        constexpr auto kLargest = static_cast<number_unsigned_t>(INT64_MAX);
        return skips() ||
               (number <= kLargest ? count(static_cast<std::int64_t>(number)) : unexpected());
    }
    bool string(string_t &text) override { return skips() || this->text(text); }
    bool key(string_t &name) override { return skips() || this->name(name); }
    bool start_array(std::size_t) override { return ++m_depth && (skips() || openList()); }
    bool end_array() override { return leave(); }
    bool start_object(std::size_t) override { return ++m_depth && (skips() || openObject()); }
    bool end_object() override { return leave(); }
    bool parse_error(std::size_t position, const std::string &,
                     const nlohmann::detail::exception &) override
    {
        if (!m_error)
            m_error = Error{ErrorCode::Malformed, "This is not JSON; fetch the file again.",
                            static_cast<std::int64_t>(position)};
        return false;
    }

protected:
    virtual bool name(std::string &name) = 0;
    virtual bool text(std::string &text) = 0;
    virtual bool count(std::int64_t) { return unexpected(); }
    virtual bool openObject() = 0;
    virtual bool openList() { return unexpected(); }
    virtual bool closed() { return true; }

    [[nodiscard]] int depth() const { return m_depth; }
    /// Skips everything until the object or list that is open here is closed again.
    void skipWithin(bool skip) { m_skipped = skip ? m_depth + 1 : 0; }
    bool fail(Error error)
    {
        m_error = std::move(error);
        return false;
    }
    virtual bool unexpected() = 0;

private:
    [[nodiscard]] bool skips() const { return m_skipped > 0 && m_depth >= m_skipped; }
    bool leave()
    {
        const bool skipped = skips();
        if (m_depth-- == m_skipped)
            m_skipped = 0;
        return skipped || closed();
    }

    std::optional<Error> m_error;
    int m_depth = 0;
    int m_skipped = 0;
};

class HeaderListener : public Listener
{
public:
    struct Entry
    {
        StoredTensor tensor;
        std::string type;
        std::vector<std::int64_t> offsets;
        bool hasShape = false;
    };
    std::vector<Entry> entries;

protected:
    bool name(std::string &name) override
    {
        m_key = name;
        if (depth() == 1) {
            m_metadata = name == "__metadata__"; // a map of texts
            if (!m_metadata)
                entries.emplace_back().tensor.name = std::move(name);
        } else if (depth() == 2 && !m_metadata) {
            skipWithin(!isField()); // the reference reader ignores others
        }
        return true;
    }
    bool text(std::string &text) override
    {
        if (depth() == 2 && m_metadata)
            return true;
        if (depth() != 2 || m_key != "dtype")
            return unexpected();
        entries.back().type = text;
        return true;
    }
    bool count(std::int64_t number) override
    {
        if (!m_list)
            return unexpected();
        m_list->push_back(number);
        return true;
    }
    bool openObject() override
    {
        return depth() == 1 || (depth() == 2 && (m_metadata || !entries.empty())) || unexpected();
    }
    bool openList() override
    {
        if (depth() != 3 || m_metadata)
            return unexpected();
        Entry &entry = entries.back();
        if (m_key == "shape") {
            m_list = &entry.tensor.shape;
            entry.hasShape = true;
        } else if (m_key == "data_offsets") {
            m_list = &entry.offsets;
        } else {
            return unexpected();
        }
        if (!m_list->empty()) // given twice
            return unexpected();
        return true;
    }
    bool closed() override
    {
        m_list = nullptr;
        return true;
    }
    bool unexpected() override
    {
        if (m_metadata)
            return fail(malformed("The header's __metadata__ is no map of texts, which safetensors "
                                  "refuses; fetch the file again."));
        if (depth() == 2 && !entries.empty() && !isField())
            return true;
        return fail(malformed(
            entries.empty()
                ? std::string("The header is no list of tensors; fetch the file again.")
                : "The header says something else than dtype, shape and data_offsets of " +
                      inQuotes(entries.back().tensor.name) + "; fetch the file again."));
    }

private:
    [[nodiscard]] bool isField() const
    {
        return m_key == "dtype" || m_key == "shape" || m_key == "data_offsets";
    }

    std::string m_key;
    bool m_metadata = false;
    std::vector<std::int64_t> *m_list = nullptr;
};

class IndexListener : public Listener
{
public:
    SafetensorsIndex index;
    std::vector<std::string> names;
    bool hasMap = false;

protected:
    bool name(std::string &name) override
    {
        if (depth() == 1) {
            m_part = name;
            hasMap = hasMap || name == "weight_map";
            skipWithin(name != "weight_map" && name != "metadata");
        }
        m_key = std::move(name);
        return true;
    }
    bool text(std::string &text) override
    {
        if (depth() != 2 || m_part != "weight_map")
            return unexpected(); // of metadata
        const std::filesystem::path name = pathOf(text);
        const bool plain = name == name.filename() && !name.empty() && text != "." &&
                           text != ".." && text.find('\0') == text.npos;
        if (!plain)
            return fail(malformed("The index names the file " + inQuotes(text) + " for " +
                                  inQuotes(m_key) + "; it must be a file of the same folder."));
        names.push_back(m_key);
        index.files[text].push_back(std::move(m_key));
        return true;
    }
    bool count(std::int64_t number) override
    {
        if (m_part == "weight_map")
            return unexpected();
        if (depth() == 2 && m_key == "total_size")
            index.totalBytes = number;
        return true;
    }
    bool openObject() override { return depth() < 3 || unexpected(); }
    bool openList() override { return unexpected(); }
    bool unexpected() override
    {
        index.totalIsOdd |= m_part == "metadata" && depth() == 2 && m_key == "total_size";
        return m_part == "metadata" ||
               fail(malformed("This is no index of safetensors: its weight_map must give a file "
                              "for each tensor."));
    }

private:
    std::string m_part;
    std::string m_key;
};

/// Completes an entry of the header; returns the offset of its first byte.
Result<std::int64_t> finishEntry(HeaderListener::Entry &entry)
{
    StoredTensor &tensor = entry.tensor;
    const auto wrong = [&](const std::string &what) {
        return malformed(inQuotes(tensor.name) + what);
    };
    const auto type = std::ranges::find(tensorTypes(), entry.type, &TensorType::name);
    if (type == tensorTypes().end())
        return wrong(entry.type.empty() ? std::string(" has no dtype; fetch the file again.")
                                        : " is of type " + inQuotes(entry.type) +
                                              ", which safetensors does not have; a newer "
                                              "VRAMscope may know it.");
    if (!entry.hasShape || entry.offsets.size() != 2)
        return wrong(" has no shape or no data_offsets; fetch the file again.");
    tensor.type = *type;
    const std::int64_t begin = entry.offsets.front();
    const std::int64_t end = entry.offsets.back();
    const std::optional<Exact> bytes = bytesOf(*type, tensor.shape);
    if (end < begin || !bytes || bytes->overflowed() || bytes->value() != end - begin)
        return wrong(" has " + counted(std::max<std::int64_t>(end - begin, 0), "byte") +
                     ", which its shape and type contradict; fetch the file again.");
    tensor.bytes = end - begin;
    return begin;
}

/// Why a file cannot be one of safetensors, from its first bytes.
std::optional<Error> whyNone(std::string_view start, Bytes size)
{
    if (auto other = otherThanWeights(start, "choose a .safetensors file"))
        return other;
    if (size < 10)
        return Error{size == 0 ? ErrorCode::Empty : ErrorCode::Truncated,
                     size == 0 ? "The file is empty; fetch it again."
                               : "The file ends within its first line; fetch it again."};
    return std::nullopt;
}

/// The size in a pointer of Git LFS: "size 4976698672".
std::string pointedSize(std::string_view pointer)
{
    constexpr std::string_view kLine = "\nsize ";
    const std::size_t at = pointer.find(kLine);
    Bytes size = 0;
    if (at == pointer.npos)
        return {};
    const char *const from = pointer.data() + at + kLine.size();
    const auto [end, error] = std::from_chars(from, pointer.data() + pointer.size(), size);
    return error == std::errc() && size > 0 ? " of " + formatBytes(size) : std::string();
}

} // namespace

std::optional<Error> otherThanWeights(std::string_view start, std::string_view remedy)
{
    if (start.starts_with("version https://git-lfs"))
        return Error{ErrorCode::OtherContent, "This is a pointer of Git LFS, not the file" +
                                                  pointedSize(start) +
                                                  " itself: fetch it with git lfs pull."};
    if (const std::string text = lowered(trimmed(start).substr(0, 9));
        text == "<!doctype" || text.starts_with("<html"))
        return Error{ErrorCode::NotRecognized,
                     "This is a web page, saved under the name of a file: some models are fetched "
                     "by who is logged in alone. Fetch the file itself."};
    if (auto foreign = foreignFile(start, remedy))
        return Error{ErrorCode::NotRecognized, std::move(*foreign)};
    return std::nullopt;
}

Result<std::vector<StoredTensor>> parseSafetensorsHeader(std::string_view header,
                                                         std::optional<Bytes> dataBytes)
{
    HeaderListener listener;
    if (!Json::sax_parse(header, &listener))
        return *listener.error();
    std::vector<std::pair<std::int64_t, StoredTensor>> placed;
    placed.reserve(listener.entries.size());
    for (HeaderListener::Entry &entry : listener.entries) {
        const Result<std::int64_t> begin = finishEntry(entry);
        if (!begin)
            return begin.error();
        placed.emplace_back(*begin, std::move(entry.tensor));
    }
    std::ranges::stable_sort(placed, {}, [](const auto &each) {
        return std::pair(each.first, each.first + each.second.bytes);
    });
    Bytes at = 0;
    for (const auto &[begin, tensor] : placed) {
        if (begin != at)
            return malformed(inQuotes(tensor.name) + " begins at byte " + formatCount(begin) +
                             " of the data, where " + formatCount(at) +
                             " follows the tensor before; fetch the file again.");
        at += tensor.bytes; // at most the last offset, which fits into 64 bits
        if (dataBytes && at > *dataBytes)
            return Error{ErrorCode::Truncated, "The file ends within " + inQuotes(tensor.name) +
                                                   "; fetch the rest of it."};
    }
    if (dataBytes && at != *dataBytes)
        return malformed("The tensors take " + counted(at, "byte") + ", but " +
                         formatCount(*dataBytes) + " follow the header; fetch the file again.");
    std::vector<StoredTensor> tensors;
    tensors.reserve(placed.size());
    for (auto &each : placed)
        tensors.push_back(std::move(each.second));
    std::vector<std::string_view> names;
    names.reserve(tensors.size());
    for (const StoredTensor &tensor : tensors)
        names.push_back(tensor.name);
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
        return malformed("The header names " + inQuotes(*twice) + " twice; fetch the file again.");
    return tensors;
}

Result<SafetensorsFile> readSafetensors(const std::filesystem::path &file)
{
    const Result<RegularFile> opened = openRegular(file);
    if (!opened)
        return opened.error();
    const Bytes size = opened->status.size;
    ByteReader in(opened->descriptor.number(), size);
    std::array<char, 300> start = {};
    const auto got = static_cast<std::size_t>(std::min<Bytes>(size, std::ssize(start)));
    if (!in.read(start.data(), got))
        return in.failure();
    std::uint64_t length = 0;
    for (int i = 7; i >= 0; --i)
        length = length << 8U | static_cast<unsigned char>(start[static_cast<std::size_t>(i)]);
    // The length may look like the beginning of other files: that of 640 bytes like a pickle.
    const bool begins =
        got > 8 && start[8] == '{' && length <= static_cast<std::uint64_t>(kLongestHeader);
    if (auto error = begins ? std::nullopt : whyNone({start.data(), got}, size))
        return std::move(*error);
    if (!begins)
        return Error{ErrorCode::NotRecognized,
                     "This is no safetensors file: it does not begin with a header of at most 100 "
                     "MB. Choose a .safetensors file."};
    const Bytes data = size - 8 - static_cast<Bytes>(length);
    if (data < 0)
        return Error{ErrorCode::Truncated,
                     "The file ends within its header; fetch the rest of it."};
    std::string header(length, '\0');
    in = ByteReader(opened->descriptor.number(), size);
    if (!in.skip(8) || !in.read(header.data(), header.size()))
        return in.failure();
    auto tensors = parseSafetensorsHeader(header, std::nullopt);
    if (!tensors)
        return tensors.error();
    SafetensorsFile read{std::move(tensors).value(), size, {}};
    Bytes wanted = 0;
    for (const StoredTensor &tensor : read.tensors)
        wanted += tensor.bytes;
    if (wanted >= kMostTensorBytes)
        return malformed("The tensors are larger than can be counted; fetch the file again.");
    if (wanted < data)
        return malformed("The tensors take " + counted(wanted, "byte") + ", but " +
                         formatCount(data) + " follow the header; fetch the file again.");
    read.bytes += wanted - data;
    if (wanted > data && data == 0)
        read.findings.push_back(
            fileFinding(false, "The data are not there: the file ends with its header. "
                               "The sizes are known from it."));
    else if (wanted > data)
        read.findings.push_back(fileFinding(
            true, "The data end early: " + formatCount(data) + " of " + counted(wanted, "byte") +
                      " are there. The sizes are known from the header; fetch the rest to "
                      "load it."));
    return read;
}

Result<SafetensorsIndex> parseSafetensorsIndex(std::string_view text)
{
    IndexListener listener;
    if (!Json::sax_parse(text, &listener))
        return *listener.error();
    if (!listener.hasMap || listener.names.empty())
        return malformed("This is no index of safetensors: it has no weight_map.");
    listener.index.tensors = listener.names.size();
    std::ranges::sort(listener.names);
    if (const auto twice = std::ranges::adjacent_find(listener.names);
        twice != listener.names.end())
        return malformed("The index names " + inQuotes(*twice) + " twice; fetch it again.");
    return std::move(listener.index);
}

} // namespace vramscope
