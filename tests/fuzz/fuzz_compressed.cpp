// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compressed bytes unfold to what was compressed, in portions of any size; damaged ones give an
// error or a trace whose ids all lead somewhere. The first byte of an input says what becomes of
// the rest, the second and third where the compressed form is changed.

#include "core/readers/byte_source.h"
#include "core/readers/read_trace.h"
#include "core/readers/sources.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/trace_check.h"
#include "tests/support/compress.h"
#include "tests/support/sample_snapshot.h"

using namespace vramscope;

namespace {

void read(const std::string &file)
{
    const auto trace = readTrace(fuzz::bytesOf(file));
    if (trace.ok())
        fuzz::checkTrace(**trace);
}

/// All that a stream unfolds to; nothing where it is damaged.
std::optional<std::string> inflated(const std::string &file, Compression form, std::size_t portion)
{
    const auto source = memorySource(fuzz::bytesOf(file));
    ByteWindow window(*source, 64);
    const auto stream = inflatingSource(window, form);
    std::vector<std::byte> into(portion);
    std::string text;
    for (;;) {
        const auto count = stream->read(into);
        if (!count.ok())
            return {};
        text.append(reinterpret_cast<const char *>(into.data()), *count);
        if (*count < portion)
            return text;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    constexpr std::size_t kHead = 3;
    if (size < kHead)
        return 0;
    const Compression form = data[0] & 1 ? Compression::Gzip : Compression::Zstd;
    const std::string text(reinterpret_cast<const char *>(data) + kHead, size - kHead);
    if (data[0] & 2) { // as it is
        (void)inflated(text, form, 7);
        read((form == Compression::Gzip ? "\x1f\x8b" : "\x28\xb5\x2f\xfd") + text);
        return 0;
    }
    const auto compress = form == Compression::Gzip ? test::gzipped : test::zstandard;
    std::string file = compress(text);
    if (data[0] & 4)
        file += compress(text);
    if (data[0] & 8) {
        const std::size_t at = (data[1] | std::size_t(data[2]) << 8) % file.size();
        file[at] = static_cast<char>(file[at] ^ (1 << (data[1] & 7)));
    } else {
        const std::string whole = data[0] & 4 ? text + text : text;
        const std::size_t portion = 1 + data[1];
        fuzz::check(inflated(file, form, portion) == whole);
    }
    read(file);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const std::string pickle = test::pickled(test::sampleSnapshot());
    std::vector<std::string> seeds;
    for (const char kind : {'\0', '\1', '\4', '\5', '\10', '\11'})
        seeds.push_back(std::string{kind, 40, 0} + pickle);
    seeds.push_back(std::string("\2\0\0", 3) + test::zstandard(pickle).substr(4));
    seeds.push_back(std::string("\3\0\0", 3) + test::gzipped(pickle).substr(2));
    return seeds;
}
