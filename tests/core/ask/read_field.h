// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"
#include "core/settings/field_text.h"

#include <QString>

namespace vramscope::test {

/// The value that a sentence gives a field, without the commas of thousands; why not, if the
/// sentence is not understood.
inline QString readField(const QString &sentence, const QString &field)
{
    const Asked asked = understand(sentence.toStdString());
    if (!asked.understood())
        return QStringLiteral("not understood: ") + QString::fromStdString(asked.whyNot);
    const FieldValue read = findField(field.toStdString())->get(*asked.plan);
    return QString::fromStdString(fieldWords(read)).remove(u',');
}

} // namespace vramscope::test
