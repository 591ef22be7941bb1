// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/what_if_text.h"

#include "core/print/replay_report.h"
#include "ui/support/setting_text.h"
#include "ui/support/text.h"

#include <QRegularExpression>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

QString settingName(const WhatIfFindings &findings, std::size_t row)
{
    if (row == 0)
        return u"as recorded"_s;
    return configurationName(findings.row(row).configuration);
}

QString exactText(const Replay &replay)
{
    const QString reason = toQString(replay.reason);
    if (replay.end == ReplayEnd::NothingRecorded)
        return u"There is nothing to replay: %1."_s.arg(reason);
    if (replay.exact())
        return (replay.fromStart
                    ? u"Exact: simulated under the recorded settings, all %1 events come as they "
                      "were recorded."_s
                    : u"Exact: simulated under the recorded settings from the state before the "
                      "first event, all %1 events come as they were recorded."_s)
            .arg(countText(replay.events));
    if (replay.end == ReplayEnd::NoAddresses)
        return u"An estimate that nothing can be compared with, because %1."_s.arg(reason);
    if (replay.exactEvents == 0)
        return u"An estimate: the simulation leaves the recording at the first event, because "
               "%1."_s.arg(reason);
    return u"Exact up to event %1 of %2, then an estimate, because %3."_s.arg(
        countText(replay.exactEvents), countText(replay.events), reason);
}

QString basisText(const WhatIfFindings &findings, ByteUnit unit)
{
    QString text = u"Every row begins with an empty allocator and keeps the order of the "
                   "requests."_s;
    if (!findings.replay.fromStart)
        text += u' ' + u"What was held before the recording is allocated first."_s;
    const WhatIfs &whatIfs = findings.whatIfs;
    const Bytes reserved = whatIfs.recorded.result.figures.peakReserved;
    if (const Bytes other = whatIfs.peakInOtherOrder.value_or(reserved); other != reserved)
        text +=
            u' ' + (whatIfs.addresses == AddressOrder::Falling
                        ? u"At rising addresses, as under Windows, %1 would be reserved under the "
                          "recorded settings."_s
                        : u"At falling addresses, as under Linux, %1 would be reserved under the "
                          "recorded settings."_s)
                       .arg(bytesText(other, unit));
    const Bytes capacity = findings.whatIfs.capacity;
    text += u' ' + (capacity == kUnknownCapacity
                        ? u"The device has no limit: the recording does not tell one."_s
                        : u"The device has %1 for the allocator."_s.arg(bytesText(capacity, unit)));
    return text;
}

QString adviceText(const WhatIfFindings &findings, ByteUnit unit)
{
    const WhatIfs &whatIfs = findings.whatIfs;
    if (!whatIfs.best && whatIfs.recorded.result.runsOut())
        return u"The requests of the recording do not fit on this device under any setting here "
               "that the program can use."_s;
    if (!whatIfs.best && whatIfs.recorded.result.failed > 0)
        return u"What ran out of memory in the recording does so under every setting here that "
               "the program can use."_s;
    if (!whatIfs.best)
        return u"None of these settings is worth a change."_s;
    const std::size_t row = *whatIfs.best + 1;
    const SimulationResult &now = whatIfs.recorded.result;
    const SimulationResult &then = findings.row(row).result;
    const QString name = settingName(findings, row);
    const Bytes saved = now.figures.peakReserved - then.figures.peakReserved;
    const QString reserved = u"%1 at the peak instead of %2"_s.arg(
        bytesText(then.figures.peakReserved, unit), bytesText(now.figures.peakReserved, unit));
    const auto withRest = [&](const QString &text) {
        const std::string rest = untilFailureText(whatIfs, findings.row(row), unit);
        return rest.empty() ? text : text + u' ' + toQString(rest);
    };
    if (then.failed == 0 && (now.runsOut() || now.failed > 0))
        return withRest(u"Under %1 every request that the recording holds would have been "
                        "served; it would have reserved %2."_s.arg(name, reserved));
    if (now.runsOut() || now.failed > then.failed)
        return withRest(u"Under %1 fewer requests of the recording would have run out of "
                        "memory; it would have reserved %2."_s.arg(name, reserved));
    const QString less =
        u"%1 would have reserved %2 less: %3."_s.arg(name, bytesText(saved, unit), reserved);
    return now.failed == 0 ? less
                           : less + u' ' + u"What ran out of memory in the recording still does."_s;
}

std::optional<Bytes> readSize(const QString &text, ByteUnit unit)
{
    static const QRegularExpression form(u"^([0-9][0-9,]*(?:\\.[0-9]+)?)\\s*([a-z]*)$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(text.trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    struct Unit
    {
        QString name;
        double bytes;
    };
    const std::array<Unit, 8> units{{{u"b"_s, 1},
                                     {u"bytes"_s, 1},
                                     {u"mib"_s, 0x1p20},
                                     {u"mb"_s, 1e6},
                                     {u"gib"_s, 0x1p30},
                                     {u"gb"_s, 1e9},
                                     {u"tib"_s, 0x1p40},
                                     {u"tb"_s, 1e12}}};
    const QString given = match.captured(2).toLower();
    const QString wanted = given.isEmpty() ? QString::fromLatin1(gigaUnit(unit)).toLower() : given;
    const auto found = std::ranges::find(units, wanted, &Unit::name);
    if (found == units.end())
        return std::nullopt;
    const double bytes = match.captured(1).remove(u',').toDouble() * found->bytes;
    if (!(bytes >= 1) || bytes > static_cast<double>(kUnknownCapacity))
        return std::nullopt;
    return static_cast<Bytes>(std::llround(bytes));
}

} // namespace vramscope
