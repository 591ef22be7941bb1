// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/field_text.h"

#include "core/settings/field_text.h"
#include "ui/planner/number_box.h"
#include "ui/support/text.h"

#include <QStringList>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct Show
{
    const Field &field;
    ByteUnit unit;

    QString operator()(std::monostate) const { return u"the default"_s; }
    QString operator()(bool on) const { return on ? u"on"_s : u"off"_s; }
    QString operator()(std::int64_t number) const { return numberText(number, field.kind, unit); }
    QString operator()(double number) const { return numberText(number, field.kind, unit); }
    QString operator()(const std::string &text) const { return word(text); }
    QString operator()(const TextList &list) const
    {
        QStringList words;
        for (const std::string &text : list)
            words.append(word(text));
        return words.join(u", "_s);
    }
    QString operator()(const CountList &list) const
    {
        QStringList words;
        for (const std::int64_t number : list)
            words.append(countText(number));
        return words.join(u", "_s);
    }

private:
    [[nodiscard]] QString word(const std::string &text) const
    {
        if (field.kind == FieldKind::Object)
            return field.path == "model.checkpoint" ? u"a table"_s : u"own config"_s;
        return field.choices.empty() ? toQString(text) : toQString(choiceTitle(field, text));
    }
};

} // namespace

QString fieldValueText(const Field &field, const FieldValue &value, ByteUnit unit)
{
    return std::visit(Show{field, unit}, value);
}

QString settingsText(std::span<const FieldSetting> settings, ByteUnit unit)
{
    QStringList words;
    for (const FieldSetting &setting : settings) {
        const Field &field = fieldAt(setting.path);
        words.append(toQString(field.label) + u' ' + fieldValueText(field, setting.value, unit));
    }
    return words.join(u", "_s);
}

QString refusalText(const Field &field, const Error &error)
{
    const std::string path(field.path);
    return toQString(error.detail.starts_with(path)
                         ? std::string(field.label) + error.detail.substr(path.size())
                         : error.detail);
}

} // namespace vramscope
