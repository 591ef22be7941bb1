// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/site_id.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

__extension__ using Hash128 = unsigned __int128;

constexpr Hash128 kOffset128 = (Hash128(0x6c62272e07bb0142U) << 64) | 0x62b821756295c58dU;
constexpr Hash128 kPrime128 = (Hash128(1) << 88) | 0x13bU;

void addByte(Hash128 &hash, unsigned char byte)
{
    hash = (hash ^ byte) * kPrime128;
}

void addText(Hash128 &hash, std::string_view text)
{
    for (std::size_t shift = 0; shift < 64; shift += 8)
        addByte(hash, static_cast<unsigned char>(text.size() >> shift & 0xffU));
    for (const char byte : text)
        addByte(hash, static_cast<unsigned char>(byte));
}

/// What stands behind the last `marker` of a path; nothing where it has none.
std::optional<std::string_view> behind(std::string_view path, std::string_view marker)
{
    const std::size_t at = path.rfind(marker);
    if (at == path.npos)
        return {};
    return path.substr(at + marker.size());
}

std::string lastTwoParts(std::string_view path)
{
    const std::size_t last = path.rfind('/');
    if (last == path.npos || last == 0)
        return std::string(path.substr(last == 0 ? 1 : 0));
    const std::size_t before = path.rfind('/', last - 1);
    return std::string(before == path.npos ? path : path.substr(before + 1));
}

/// Without the numbers that follow a text: "<eval_with_key>" of "<eval_with_key>.17".
std::string withoutCounter(std::string_view text)
{
    const std::size_t end = text.rfind('>');
    return std::string(text.substr(0, end == text.npos ? text.size() : end + 1));
}

bool isHex(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

} // namespace

std::string siteFile(std::string_view file)
{
    std::string path(lastBytes(file, 8 * kLongestSiteText));
    std::ranges::replace(path, '\\', '/');
    if (path.starts_with('<'))
        return printable(withoutCounter(firstBytes(path, kLongestSiteText)));
    std::string site;
    if (path.find("torchinductor") != path.npos) {
        site = "torchinductor/" + std::string(path.ends_with(".py") ? "compiled.py" : "compiled");
    } else if (const auto package = behind(path, "site-packages/")) {
        site = "site-packages/" + std::string(*package);
    } else if (const auto debian = behind(path, "dist-packages/")) {
        site = "site-packages/" + std::string(*debian);
    } else if (const auto python = behind(path, "/lib/python"); python && python->find('/') != 0) {
        const std::size_t slash = python->find('/'); // behind the version
        site = slash == python->npos ? lastTwoParts(path)
                                     : "lib/python" + std::string(python->substr(slash));
    } else {
        constexpr std::array<std::string_view, 4> kSources{"/torch/csrc/", "/torch/include/",
                                                           "/aten/src/", "/c10/"};
        for (const std::string_view folder : kSources) {
            if (const auto source = behind(path, folder); source && site.empty())
                site = std::string(folder.substr(1)) + std::string(*source);
        }
        if (site.empty())
            site = lastTwoParts(path);
    }
    return printable(lastBytes(site, kLongestSiteText));
}

std::string siteName(std::string_view name)
{
    if (name.starts_with("<eval_with_key>"))
        return printable(withoutCounter(firstBytes(name, kLongestSiteText)));
    std::string site;
    name = firstBytes(name, kLongestSiteText);
    for (std::size_t at = 0; at < name.size(); ++at) {
        site += name[at];
        const bool isAddress = site.ends_with("0x") && at + 1 < name.size() && isHex(name[at + 1]);
        while (isAddress && at + 1 < name.size() && isHex(name[at + 1]))
            ++at;
    }
    return printable(site);
}

std::vector<SiteFrame> siteFrames(const Trace &trace, StackId stack)
{
    std::vector<SiteFrame> frames;
    for (const FrameId id : trace.stack(stack)) {
        if (frames.size() == kMostSiteFrames)
            break;
        const Frame &frame = trace.frame(id);
        frames.push_back(
            {siteName(trace.text(frame.name)), siteFile(trace.text(frame.file)), frame.line});
    }
    return frames;
}

SiteId siteIdOf(std::span<const SiteFrame> frames)
{
    Hash128 hash = kOffset128;
    for (const SiteFrame &frame : frames) {
        addText(hash, frame.name);
        addText(hash, frame.file);
        addText(hash, std::to_string(frame.line));
    }
    return {static_cast<std::uint64_t>(hash >> 64), static_cast<std::uint64_t>(hash)};
}

std::string SiteId::text() const
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    for (const std::uint64_t half : {high, low}) {
        for (int shift = 60; shift >= 0; shift -= 4)
            text += kHex[half >> shift & 15U];
    }
    return text;
}

std::optional<SiteId> SiteId::fromText(std::string_view text)
{
    if (text.size() != 32)
        return {};
    SiteId site;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (!isDigit(c) && (c < 'a' || c > 'f'))
            return {};
        std::uint64_t &half = at < 16 ? site.high : site.low;
        half = half << 4 | static_cast<std::uint64_t>(isDigit(c) ? c - '0' : c - 'a' + 10);
    }
    return site;
}

} // namespace vramscope
