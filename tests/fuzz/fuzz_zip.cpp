// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A recording out of an archive is the recording itself; damaged archives give an error or a
// recording that can be used. The first byte of an input says what becomes of the rest, the second
// and third where the archive is changed.

#include "core/deck/zip_writer.h"
#include "core/print/tables_report.h"
#include "core/readers/read_trace.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/profile_check.h"
#include "tests/fuzz/series_check.h"
#include "tests/fuzz/text_check.h"
#include "tests/fuzz/trace_check.h"
#include "tests/support/compress.h"
#include "tests/support/sample_snapshot.h"

using namespace vramscope;
using fuzz::check;

namespace {

/// The kind of recording in a file, whose ids all lead somewhere; nothing where it has none.
std::optional<std::size_t> kindIn(const std::string &file)
{
    const auto recording = readRecording(fuzz::bytesOf(file));
    if (!recording) {
        check(!recording.error().text().empty());
        return {};
    }
    if (const auto *trace = std::get_if<0>(&*recording))
        fuzz::checkTrace(**trace);
    if (const auto *series = std::get_if<1>(&*recording))
        fuzz::checkSeries(**series);
    if (const auto *profile = std::get_if<2>(&*recording))
        fuzz::checkProfile(**profile);
    if (const auto *tables = std::get_if<3>(&*recording))
        fuzz::checkText(profilerTablesText(**tables, "file", 0));
    return recording->index();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    constexpr std::size_t kHead = 3;
    if (size < kHead)
        return 0;
    const unsigned kind = data[0];
    const std::string inside(reinterpret_cast<const char *>(data) + kHead, size - kHead);
    if (kind & 1) { // an archive as it is
        (void)kindIn("PK" + inside);
        return 0;
    }
    std::vector<ZipPart> parts{{"run/rank0", kind & 2 ? test::gzipped(inside) : inside}};
    if (kind & 4)
        parts.insert(parts.begin(), {{"run/", ""}, {"run/notes.txt", "notes"}});
    if (kind & 8)
        parts.push_back({"run/rank1", inside});
    const auto archive = zipped(parts);
    check(archive.ok());
    std::string file =
        kind & 16 ? zipped(std::vector<ZipPart>{{"inner", *archive}}).value() : *archive;
    if (kind & 32) {
        const std::size_t at = (data[1] | std::size_t(data[2]) << 8) % file.size();
        file[at] = static_cast<char>(file[at] ^ (1 << (data[1] & 7)));
        (void)kindIn(file);
    } else if (!(kind & (8 | 16))) {
        check(kindIn(file) == kindIn(parts[parts.size() - 1].bytes));
    } else {
        (void)kindIn(file);
    }
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const std::string pickle = test::pickled(test::sampleSnapshot());
    std::vector<std::string> seeds;
    for (const char kind : {'\0', '\2', '\4', '\6', '\10', '\14', '\20', '\40', '\46'})
        seeds.push_back(std::string{kind, 40, 0} + pickle);
    const std::vector<ZipPart> parts{{"a/", ""}, {"a/rank0.pickle", pickle}, {"b.txt", "text"}};
    const std::string start = std::string("\1\0\0", 3);
    seeds.push_back(start + zipped(parts).value().substr(2));
    seeds.push_back(std::string(3, '\0') + "timestamp, index, memory.used [MiB]\n1, 0, 5\n");
    seeds.push_back(std::string(3, '\0') + "Total (KB),Operations,Operation\n5,1,x\n");
    seeds.push_back(std::string(3, '\0') +
                    R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, )"
                    R"("dur": 2, "args": {"device": 0, "stream": 7}}]})");
    return seeds;
}
