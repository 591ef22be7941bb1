// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/own_document.h"
#include "core/session/session_json.h"
#include "tests/fuzz/fuzzer.h"

using namespace vramscope;

/// Any bytes are an error or a session, which survives being written and read, is known by its
/// beginning, and merges with itself to itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const auto session = parseSession(text);
    if (!session)
        return 0;
    const std::string json = sessionJson(*session);
    const auto again = parseSession(json);
    fuzz::check(again.ok() && *again == *session);
    fuzz::check(ownDocument(json) == OwnDocument::Session);
    const auto &all = session->bookmarks;
    fuzz::check(merged(all, all, all) == all);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    Session session;
    session.recording = "rank0.pickle";
    session.recordingBytes = 123'456;
    session.other = {{"theme", "\"dark\""}};
    Bookmark full;
    full.name = "Peak · 71.3 GiB";
    full.note = "two\nlines";
    full.from = 5;
    full.to = 50;
    full.bytesTo = kGiB;
    full.selected = 7;
    full.filter = "size>10MiB";
    full.other = {{"stars", "5"}};
    const std::string empty = sessionJson(session);
    session.bookmarks = {full, Bookmark{}};
    return {empty, sessionJson(session)};
}
