// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_report.h"
#include "core/profile/profile_study.h"
#include "core/readers/formats.h"
#include "tests/fuzz/profile_check.h"
#include "tests/fuzz/series_check.h"
#include "tests/support/nsight_export.h"

using namespace vramscope;
using fuzz::check;

// Any bytes give an error or a profile that can be shown, of no more rows than the file has room
// for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto source = memorySource(std::as_bytes(std::span(data, size)));
    const auto profile = readNsightExport(*source, {});
    if (!profile.ok()) {
        check(!profile.error().detail.empty());
        return 0;
    }
    fuzz::checkProfile(**profile);
    fuzz::checkSeries(*(*profile)->curves());
    check(static_cast<std::size_t>((*profile)->eventCount()) <= size);
    const ProfileStudy study(*profile);
    check(profileJson(study, {"file"}).size() > 2);
    check(!profileText(study, {"file"}).empty());
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    return {test::sampleNsightExport(), test::NsightExport().bytes()};
}
