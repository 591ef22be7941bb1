// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf.h"

#include "core/base/counted.h"
#include "core/base/descriptor.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/checkpoint/byte_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

namespace vramscope {

namespace {

constexpr std::size_t kLongestKey = 65'536;
constexpr std::size_t kLongestKeptText = 65'536; ///< a chat template has up to some 20,000
constexpr std::size_t kKeptNumbers = 4'096;      ///< of an array: one per layer
constexpr std::size_t kKeptTexts = 4;
constexpr std::size_t kLongestTensorName = 63;   ///< GGML_MAX_NAME - 1
constexpr std::uint32_t kMostGgufDimensions = 4; ///< GGML_MAX_DIMS
constexpr std::size_t kMostFindings = 20;
constexpr std::int64_t kLeastPair = 14; ///< length, a letter, type, a byte
constexpr std::int64_t kLeastInfo = 24; ///< length, dimensions, type, offset
constexpr std::string_view kRefused = " llama.cpp refuses the file.";

/// Types of values (enum gguf_type).
enum class ValueType : std::int32_t {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64
};

std::string named(std::string_view name)
{
    return '"' + excerpt(name, 120) + '"';
}

/// Bytes of a value in the file; 0 for texts, arrays and invalid types.
std::size_t widthOf(ValueType type)
{
    switch (type) {
    case ValueType::U8:
    case ValueType::I8:
    case ValueType::Bool:
        return 1;
    case ValueType::U16:
    case ValueType::I16:
        return 2;
    case ValueType::U32:
    case ValueType::I32:
    case ValueType::F32:
        return 4;
    case ValueType::U64:
    case ValueType::I64:
    case ValueType::F64:
        return 8;
    case ValueType::String:
    case ValueType::Array:
        break;
    }
    return 0;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

/// Reads a header from its first byte to the beginning of the data. A failure sets the error.
class HeaderReader
{
public:
    HeaderReader(int file, Bytes size)
        : m_in(file, size)
    {
        m_file.bytes = size;
    }

    Result<GgufFile> read()
    {
        if (readStart() && readKeys() && readTensors()) {
            placeData();
            return std::move(m_file);
        }
        if (m_in.failed() != 0)
            return m_in.failure();
        return std::move(*m_error);
    }

private:
    bool readStart();
    bool readKeys();
    bool readPair();
    bool readTensors();
    bool readTensor();
    void placeData();

    bool readValue(ValueType type, GgufScalar &value, std::size_t keep);
    bool readArray(const std::string &key, GgufValue &value);
    /// Keeps at most `keep` bytes of it.
    bool readText(std::string &text, std::uint64_t longest, std::size_t keep);
    bool takeAlignment(const GgufValue &value);
    template<class Number>
    bool readNumber(Number &number)
    {
        std::array<char, sizeof(Number)> bytes{};
        if (!m_in.read(bytes.data(), bytes.size()))
            return cut();
        if (m_file.bigEndian != (std::endian::native == std::endian::big))
            std::ranges::reverse(bytes);
        std::memcpy(&number, bytes.data(), sizeof(Number));
        return true;
    }

    bool fail(ErrorCode code, std::string text)
    {
        if (!m_error)
            m_error = Error{code, std::move(text), m_at};
        return false;
    }
    bool malformedAt(std::string text)
    {
        return fail(ErrorCode::Malformed, std::move(text) + " Fetch the file again.");
    }
    bool cut()
    {
        return fail(ErrorCode::Truncated, "The file ends within its header; fetch the rest of it.");
    }
    bool withinHeader()
    {
        return m_in.at() <= kLongestGgufHeader ||
               fail(ErrorCode::Unsupported,
                    "The header is longer than 1 GiB, which no model's is.");
    }
    /// Whether the rest of the file can hold `count` of at least `least` bytes each.
    [[nodiscard]] bool holds(std::uint64_t count, std::int64_t least) const
    {
        return count <= static_cast<std::uint64_t>(m_in.left() / least);
    }
    void note(bool refused, std::string text)
    {
        ++m_noted;
        if (m_file.findings.size() < kMostFindings)
            m_file.findings.push_back(fileFinding(refused, std::move(text)));
        else
            m_refusedMore = m_refusedMore || refused;
    }

    GgufFile m_file;
    ByteReader m_in;
    std::optional<Error> m_error;
    Bytes m_at = 0; ///< of what is being read
    std::int64_t m_tensorCount = 0;
    std::int64_t m_keyCount = 0;
    std::vector<std::uint64_t> m_offsets;
    std::unordered_set<std::string> m_names;
    std::size_t m_noted = 0;
    bool m_refusedMore = false;
    Exact m_sum;
    std::string_view m_fork; ///< a type that ik_llama.cpp alone has
};

bool HeaderReader::readStart()
{
    std::array<char, 4> magic{};
    if (!m_in.read(magic.data(), magic.size()))
        return cut();
    std::uint32_t version = 0;
    m_at = m_in.at();
    if (!readNumber(version))
        return false;
    // Numbers of the other byte order have their small values in the upper half.
    if ((version & 0xFFFFU) == 0 && version != 0) {
        version = (version >> 24U) | ((version >> 8U) & 0xFF00U);
        m_file.bigEndian = true;
        note(false, "The file is big-endian: llama.cpp reads it on such machines alone.");
    }
    m_file.version = version;
    if (version == 1)
        return fail(ErrorCode::Unsupported,
                    "This is a GGUF file of version 1, which llama.cpp no longer reads; fetch or "
                    "convert the model anew.");
    if (version != 2 && version != 3)
        return fail(ErrorCode::Unsupported, "This is a GGUF file of version " +
                                                formatCount(version) +
                                                "; 2 and 3 are read. A newer VRAMscope may know "
                                                "it.");
    m_at = m_in.at();
    if (!readNumber(m_tensorCount))
        return false;
    if (m_tensorCount < 0 || !holds(static_cast<std::uint64_t>(m_tensorCount), kLeastInfo))
        return malformedAt("The header announces " + counted(m_tensorCount, "tensor") +
                           ", which a file of " + formatBytes(m_file.bytes) + " cannot hold.");
    m_at = m_in.at();
    if (!readNumber(m_keyCount))
        return false;
    if (m_keyCount < 0 || !holds(static_cast<std::uint64_t>(m_keyCount), kLeastPair))
        return malformedAt("The header announces " + counted(m_keyCount, "key") +
                           ", which a file of " + formatBytes(m_file.bytes) + " cannot hold.");
    if (m_tensorCount > kMostGgufTensors || m_keyCount > kMostGgufKeys)
        return fail(ErrorCode::Unsupported, "The header announces " + counted(m_keyCount, "key") +
                                                " and " + counted(m_tensorCount, "tensor") +
                                                ", more than any model has.");
    return true;
}

bool HeaderReader::readText(std::string &text, std::uint64_t longest, std::size_t keep)
{
    std::uint64_t length = 0;
    if (!readNumber(length))
        return false;
    if (!holds(length, 1))
        return fail(ErrorCode::Truncated,
                    "A text of " +
                        (length > INT64_MAX ? std::string("more than 2^63")
                                            : formatCount(static_cast<std::int64_t>(length))) +
                        " bytes is announced, more than are left of the "
                        "file; fetch it again.");
    if (length > longest)
        return malformedAt("A name has " + counted(static_cast<std::int64_t>(length), "byte") +
                           ", which no name has.");
    text.resize(std::min<std::size_t>(length, keep));
    return (m_in.read(text.data(), text.size()) &&
            m_in.skip(static_cast<Bytes>(length - text.size()))) ||
           cut();
}

bool HeaderReader::readValue(ValueType type, GgufScalar &value, std::size_t keep)
{
    const auto whole = [&]<class Number>(Number number) {
        if (!readNumber(number))
            return false;
        value = static_cast<std::int64_t>(number);
        return true;
    };
    switch (type) {
    case ValueType::U8:
        return whole(std::uint8_t());
    case ValueType::I8:
        return whole(std::int8_t());
    case ValueType::U16:
        return whole(std::uint16_t());
    case ValueType::I16:
        return whole(std::int16_t());
    case ValueType::U32:
        return whole(std::uint32_t());
    case ValueType::I32:
        return whole(std::int32_t());
    case ValueType::I64:
        return whole(std::int64_t());
    case ValueType::U64: {
        std::uint64_t number = 0;
        if (!readNumber(number))
            return false;
        if (number <= INT64_MAX)
            value = static_cast<std::int64_t>(number);
        else
            value = static_cast<double>(number); // no count of anything
        return true;
    }
    case ValueType::F32: {
        float number = 0;
        if (!readNumber(number))
            return false;
        value = static_cast<double>(number);
        return true;
    }
    case ValueType::F64: {
        double number = 0;
        if (!readNumber(number))
            return false;
        value = number;
        return true;
    }
    case ValueType::Bool: {
        std::uint8_t byte = 0;
        if (!readNumber(byte))
            return false;
        value = byte != 0;
        return true;
    }
    case ValueType::String: {
        std::string text;
        if (!readText(text, UINT64_MAX, keep))
            return false;
        value = std::move(text);
        return true;
    }
    case ValueType::Array:
        break;
    }
    return malformedAt("A value has the type " + formatCount(static_cast<std::int32_t>(type)) +
                       ", which GGUF does not have.");
}

bool HeaderReader::readArray(const std::string &key, GgufValue &value)
{
    std::int32_t number = 0;
    std::uint64_t count = 0;
    if (!readNumber(number) || !readNumber(count))
        return false;
    const auto type = static_cast<ValueType>(number);
    if (type == ValueType::Array)
        return malformedAt("The key " + named(key) +
                           " holds an array of arrays, which llama.cpp refuses.");
    const std::size_t width = widthOf(type);
    if (width == 0 && type != ValueType::String)
        return malformedAt("The key " + named(key) + " holds an array of type " +
                           formatCount(number) + ", which GGUF does not have.");
    constexpr std::size_t kLeastText = 8;
    if (!holds(count, static_cast<std::int64_t>(std::max(width, kLeastText * (width == 0)))))
        return fail(ErrorCode::Truncated, "The key " + named(key) +
                                              " announces an array that is longer than the rest "
                                              "of the file; fetch it again.");
    value.isArray = true;
    value.count = static_cast<std::int64_t>(count);
    const std::size_t kept =
        std::min<std::size_t>(count, type == ValueType::String ? kKeptTexts : kKeptNumbers);
    value.first.resize(kept);
    for (GgufScalar &each : value.first)
        if (!readValue(type, each, 256))
            return false;
    if (type != ValueType::String) // checked above: the product is within the file
        return m_in.skip(static_cast<Bytes>((count - kept) * width)) || cut();
    std::string none;
    for (std::uint64_t i = kept; i < count; ++i)
        if (!withinHeader() || !readText(none, UINT64_MAX, 0))
            return false;
    return true;
}

bool HeaderReader::takeAlignment(const GgufValue &value)
{
    const auto *number = value.isArray ? nullptr : std::get_if<std::int64_t>(&value.first.front());
    if (number && *number > 0 && std::has_single_bit(static_cast<std::uint64_t>(*number)) &&
        *number <= UINT32_MAX)
        m_file.alignment = *number;
    else
        note(true, "general.alignment is no power of two that 32 bits hold; offsets are checked "
                   "with 32." +
                       std::string(kRefused));
    return true;
}

bool HeaderReader::readPair()
{
    std::string key;
    std::int32_t number = 0;
    m_at = m_in.at();
    if (!readText(key, kLongestKey, kLongestKey) || !readNumber(number))
        return false;
    if (!withinHeader())
        return false;
    GgufValue value;
    const auto type = static_cast<ValueType>(number);
    if (type == ValueType::Array) {
        if (!readArray(key, value))
            return false;
    } else {
        value.first.resize(1);
        if (!readValue(type, value.first.front(), kLongestKeptText))
            return false;
    }
    if (key.empty())
        note(true, "A key has no name." + std::string(kRefused));
    else if (!isUtf8(key))
        note(false, "The key " + named(key) + " is no UTF-8.");
    if (key == "general.alignment") {
        if (!value.isArray && type != ValueType::U32)
            note(true, "general.alignment is no number of 32 bits." + std::string(kRefused));
        takeAlignment(value);
    }
    if (!m_file.keys.try_emplace(key, std::move(value)).second)
        note(true, "The key " + named(key) + " is there twice; the first one counts." +
                       std::string(kRefused));
    return true;
}

bool HeaderReader::readKeys()
{
    for (std::int64_t i = 0; i < m_keyCount; ++i)
        if (!readPair())
            return false;
    if (!holds(static_cast<std::uint64_t>(m_tensorCount), kLeastInfo))
        return fail(ErrorCode::Truncated, "The file ends within its header; fetch the rest of it.");
    return true;
}

bool HeaderReader::readTensor()
{
    StoredTensor tensor;
    std::uint32_t dimensions = 0;
    m_at = m_in.at();
    if (!withinHeader() || !readText(tensor.name, kLongestKey, kLongestKey) ||
        !readNumber(dimensions))
        return false;
    const std::string name = named(tensor.name);
    if (tensor.name.size() > kLongestTensorName)
        note(true, "The name of the tensor " + name + " is longer than 63 bytes." +
                       std::string(kRefused));
    if (dimensions > kMostGgufDimensions)
        return malformedAt(name + " has " + counted(dimensions, "dimension") +
                           "; GGUF has at most 4.");
    tensor.shape.resize(dimensions);
    for (std::uint32_t i = dimensions; i > 0; --i) // the file writes the row first
        if (!readNumber(tensor.shape[i - 1]))
            return false;
    std::int32_t number = 0;
    if (!readNumber(number) || !readNumber(m_offsets.emplace_back()))
        return false;
    if (std::ranges::any_of(tensor.shape, [](std::int64_t size) { return size < 0; }))
        return malformedAt(name + " has a dimension below 0.");
    const GgmlType *type = findGgmlType(number);
    if (!type)
        return fail(ErrorCode::Unsupported,
                    name + " is of type " + formatCount(number) +
                        ", which is not a type of llama.cpp or ik_llama.cpp" +
                        (number >= 0 && number < 43 ? " any more; convert the model anew."
                                                    : "; a newer VRAMscope may know it."));
    tensor.type = type->type;
    const Exact elements = elementsOf(tensor.shape);
    const std::optional<Exact> bytes = bytesOf(tensor.type, tensor.shape);
    if (!bytes)
        return malformedAt(name + " has rows of " +
                           counted(tensor.shape.empty() ? 1 : tensor.shape.back(), "element") +
                           ", which " + std::string(tensor.type.name) +
                           " cannot store: it takes blocks of " + formatCount(tensor.type.block) +
                           '.');
    m_sum += *bytes;
    if (elements.overflowed() || m_sum >= Exact(kMostTensorBytes))
        return malformedAt(name + " is larger than can be counted.");
    tensor.bytes = bytes->value();
    if (!m_names.insert(tensor.name).second)
        note(true,
             "The tensor " + name + " is there twice; both are counted." + std::string(kRefused));
    if (type->isFork)
        m_fork = type->type.name;
    m_file.tensors.push_back(std::move(tensor));
    return true;
}

bool HeaderReader::readTensors()
{
    for (std::int64_t i = 0; i < m_tensorCount; ++i)
        if (!readTensor())
            return false;
    if (!m_fork.empty())
        note(false, "Types such as " + std::string(m_fork) +
                        " are those of ik_llama.cpp: llama.cpp does not load the file.");
    return true;
}

void HeaderReader::placeData()
{
    const std::int64_t align = m_file.alignment;
    const auto padded = [align](Exact size) { return dividedUp(size, align) * align; };
    m_file.dataAt = m_file.tensors.empty() ? m_in.at() : padded(m_in.at()).value();
    Exact expected;
    Exact packed;
    Exact end;
    for (std::size_t i = 0; i < m_file.tensors.size(); ++i) {
        const StoredTensor &tensor = m_file.tensors[i];
        const std::uint64_t offset = m_offsets[i];
        const auto wanted = static_cast<std::uint64_t>(expected.value());
        if (!expected.overflowed() && offset != wanted)
            note(true, "The data of " + named(tensor.name) +
                           (offset > wanted ? " leave a hole before them" : " overlap others") +
                           (offset % static_cast<std::uint64_t>(align) == 0
                                ? std::string()
                                : ", and do not begin at a multiple of " + formatCount(align)) +
                           ": the sizes follow from the shapes all the same." +
                           std::string(kRefused));
        const Exact begin =
            offset <= INT64_MAX ? Exact(static_cast<std::int64_t>(offset)) : Exact(INT64_MAX);
        end = std::max(end, begin + tensor.bytes);
        expected = padded(expected + tensor.bytes);
        packed = padded(packed + tensor.bytes);
        // After a hole the next tensor is expected after it: one finding for one flaw.
        if (offset > wanted && offset <= INT64_MAX)
            expected = padded(begin + tensor.bytes);
    }
    const Exact fileEnd = end + m_file.dataAt;
    m_file.dataBytes = packed.value();
    if (!m_file.tensors.empty() && m_file.bytes <= m_file.dataAt)
        note(false, "The data are not there: the file ends with its header. The sizes are known "
                    "from it.");
    else if (fileEnd > Exact(m_file.bytes))
        note(true,
             "The data end early: the file has " + counted(m_file.bytes, "byte") +
                 (fileEnd.overflowed() ? std::string() : " of " + formatCount(fileEnd.value())) +
                 ". The sizes are known from the header; fetch the rest to load it.");
    if (m_noted > kMostFindings)
        m_file.findings.push_back(fileFinding(
            m_refusedMore, formatCount(static_cast<std::int64_t>(m_noted - kMostFindings)) +
                               " more of these are not listed."));
}

/// Why a file cannot be GGUF, from its first bytes.
std::optional<Error> whyNotGguf(std::string_view start, Bytes size)
{
    if (startsAsGguf(start))
        return std::nullopt;
    if (size == 0)
        return Error{ErrorCode::Empty, "The file is empty; fetch it again."};
    constexpr auto kOldMagics =
        std::to_array<std::string_view>({"tjgg", "lmgg", "fmgg", "GGML", "algg"});
    if (isOneOf(start.substr(0, 4), kOldMagics))
        return Error{ErrorCode::Unsupported,
                     "This is a file of llama.cpp from before GGUF; fetch or convert the model "
                     "anew."};
    if (auto other = otherThanWeights(start, "choose a .gguf file"))
        return other;
    return Error{ErrorCode::NotRecognized,
                 "This is no GGUF file: it does not begin with GGUF. Choose a .gguf file."};
}

} // namespace

std::optional<std::int64_t> GgufFile::number(std::string_view key) const
{
    const auto found = keys.find(key);
    if (found == keys.end() || found->second.isArray)
        return std::nullopt;
    const auto *value = std::get_if<std::int64_t>(&found->second.first.front());
    return value ? std::optional(*value) : std::nullopt;
}

std::string GgufFile::text(std::string_view key) const
{
    const auto found = keys.find(key);
    if (found == keys.end() || found->second.isArray)
        return {};
    const auto *value = std::get_if<std::string>(&found->second.first.front());
    return value ? *value : std::string();
}

std::int64_t GgufFile::countOf(std::string_view key) const
{
    const auto found = keys.find(key);
    return found != keys.end() && found->second.isArray ? found->second.count : 0;
}

bool startsAsGguf(std::string_view start)
{
    return start.starts_with("GGUF");
}

Result<GgufFile> readGguf(const std::filesystem::path &file)
{
    const Result<RegularFile> opened = openRegular(file);
    if (!opened)
        return opened.error();
    const Bytes size = opened->status.size;
    std::array<char, 300> start{};
    const auto got = static_cast<std::size_t>(std::min<Bytes>(size, std::ssize(start)));
    ByteReader in(opened->descriptor.number(), size);
    if (!in.read(start.data(), got))
        return in.failure();
    if (auto error = whyNotGguf({start.data(), got}, size))
        return std::move(*error);
    return HeaderReader(opened->descriptor.number(), size).read();
}

} // namespace vramscope
