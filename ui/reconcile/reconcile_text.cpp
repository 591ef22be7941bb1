// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reconcile/reconcile_text.h"

#include "core/print/plan_report.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <QStringList>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

QString momentTitle(const MatchedMoment &moment)
{
    QString phrase = toQString(momentPhrase(moment.name));
    phrase[0] = phrase[0].toUpper();
    return phrase;
}

QString stepLine(const Reconciliation &held)
{
    QStringList sentences;
    for (const std::string &part : {held.step, held.whyThisStep}) {
        QString sentence = toQString(part).trimmed();
        if (sentence.isEmpty())
            continue;
        sentence[0] = sentence[0].toUpper();
        sentences += sentence.endsWith(u'.') ? sentence : sentence + u'.';
    }
    return sentences.join(u' ');
}

QString failedText(const Reconciliation &held, ByteUnit unit)
{
    if (!held.failed)
        return {};
    const FailedRequest &failed = *held.failed;
    QString text = u"The allocation that failed, %1"_s.arg(bytesText(failed.bytes, unit));
    if (!failed.place.empty())
        text += u" in %1"_s.arg(toQString(failed.place).simplified());
    if (failed.names.empty())
        return text + u", is of a size that the plan does not have."_s;
    text += u", is: %1"_s.arg(toQString(failed.names.front().text));
    if (failed.names.size() > 1)
        text += u" (or %1)"_s.arg(toQString(failed.names[1].text));
    return text + u'.';
}

QString answerToolTip(const Reconciliation &held, ByteUnit unit)
{
    const MatchedMoment &moment = held.comparedMoment();
    QStringList lines{u"predicted %1"_s.arg(exactBytesText(moment.predicted.total(), unit))};
    if (moment.found)
        lines += {u"recorded %1"_s.arg(exactBytesText(moment.recorded.total(), unit)),
                  u"unexplained %1"_s.arg(signedExactBytesText(held.unexplained, unit))};
    return lines.join(u'\n');
}

QString failedToolTip(const Reconciliation &held, ByteUnit unit)
{
    if (!held.failed)
        return {};
    QStringList lines{u"asked for: %1"_s.arg(exactBytesText(held.failed->bytes, unit))};
    for (const SizeName &name : held.failed->names)
        lines += u"%1: %2 = %3"_s.arg(toQString(name.text), toQString(name.formula),
                                      countedText(name.bytes, "byte"));
    return lines.join(u'\n');
}

} // namespace vramscope
