// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/detect_format.h"

#include "core/base/foreign_files.h"

#include <algorithm>
#include <string_view>

using namespace std::string_view_literals;

namespace vramscope {

namespace {

constexpr int kOldestProtocol = 2;
constexpr int kNewestProtocol = 5;

/// A pickle that is known but not read, by how it begins.
struct Signature
{
    std::string_view start;
    ErrorCode code;
    const char *detail;
};

constexpr Signature kSignatures[] = {
    {"(dp"sv, ErrorCode::Unsupported,
     "This is a pickle of protocol 0, which no PyTorch writes; write it again with protocol 2 to "
     "5."},
    {"(lp"sv, ErrorCode::Unsupported,
     "This is a pickle of protocol 0, which no PyTorch writes; write it again with protocol 2 to "
     "5."},
    {"}q\0"sv, ErrorCode::Unsupported,
     "This is a pickle of protocol 1, which no PyTorch writes; write it again with protocol 2 to "
     "5."},
    {"]q\0"sv, ErrorCode::Unsupported,
     "This is a pickle of protocol 1, which no PyTorch writes; write it again with protocol 2 to "
     "5."},
};

/// Kinds of text, by the first character that is not white space.
constexpr Signature kTexts[] = {
    {"<"sv, ErrorCode::Unsupported,
     "This is an HTML page, such as PyTorch's memory viewer writes; open the snapshot that it was "
     "made from."},
    {"{"sv, ErrorCode::Unsupported,
     "This is JSON, which is not read as a trace; open a snapshot that "
     "torch.cuda.memory._dump_snapshot() wrote."},
    {"["sv, ErrorCode::Unsupported,
     "This is JSON, which is not read as a trace; open a snapshot that "
     "torch.cuda.memory._dump_snapshot() wrote."},
};

bool isText(std::string_view start)
{
    return std::ranges::none_of(start, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 32 && c != '\n' && c != '\r' && c != '\t';
    });
}

Result<TraceFormat> detectPickle(int protocol)
{
    if (protocol >= kOldestProtocol && protocol <= kNewestProtocol)
        return TraceFormat::SnapshotPickle;
    return Error{ErrorCode::Unsupported, "This looks like a pickle of protocol " +
                                             std::to_string(protocol) +
                                             "; write it again with protocol 2 to 5."};
}

} // namespace

Result<TraceFormat> detectFormat(std::span<const std::uint8_t> start)
{
    if (start.empty())
        return Error{ErrorCode::Empty, "The file is empty: the program that wrote it stopped "
                                       "before the first byte; record the snapshot again."};
    if (start[0] == 0x80 && start.size() > 1)
        return detectPickle(start[1]);
    std::string_view text(reinterpret_cast<const char *>(start.data()), start.size());
    if (auto foreign = foreignFile(
            text, "open a memory snapshot from torch.cuda.memory._dump_snapshot() instead"))
        return Error{ErrorCode::Unsupported, std::move(*foreign)};
    for (const Signature &signature : kSignatures) {
        if (text.starts_with(signature.start))
            return Error{signature.code, signature.detail};
    }
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::string_view trimmed =
        text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    for (const Signature &signature : kTexts) {
        if (trimmed.starts_with(signature.start))
            return Error{signature.code, signature.detail};
    }
    if (isText(text))
        return Error{ErrorCode::NotRecognized,
                     "This is a text file, not a trace; open a snapshot that "
                     "torch.cuda.memory._dump_snapshot() wrote."};
    return Error{ErrorCode::NotRecognized,
                 "This is none of the known formats; open a snapshot that "
                 "torch.cuda.memory._dump_snapshot() wrote."};
}

} // namespace vramscope
