// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/text_controls.h"

#include "core/settings/field_text.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// What an object of the document is called where it is shown and written.
struct ObjectWords
{
    QString toolTip, title, accessible, placeholder, help;
    QString stated; ///< with its number of keys
};

ObjectWords wordsOf(const Field &field)
{
    if (field.path == "model.checkpoint")
        return {u"Drop the folder of a checkpoint on the page, or import it"_s,
                u"The table of a checkpoint"_s,
                u"Text of the table"_s,
                u"{ \"files\": 1, … }"_s,
                u"The tensors of the model's files, as an import of their folder writes them. An "
                "empty text takes the table away."_s,
                u"a table…"_s};
    return {u"Drop a config.json on the page, paste one, or write it here"_s,
            u"The model's config.json"_s,
            u"Text of the config.json"_s,
            u"{ \"hidden_size\": 4096, … }"_s,
            u"The keys of a Hugging Face config.json. It takes the place of the "
            u"preset; an empty text takes it away."_s,
            u"own, %1 keys…"_s};
}

QString indented(const std::string &json)
{
    return QString::fromUtf8(
        QJsonDocument::fromJson(QByteArray::fromStdString(json)).toJson(QJsonDocument::Indented));
}

/// A line that is written. What the user writes stays while it has the focus.
class LineControl : public FieldControl
{
public:
    LineControl(const Field &field, QWidget *parent)
        : FieldControl(parent)
        , m_box(new QLineEdit(this))
    {
        setBox(m_box);
        m_box->setAccessibleName(toQString(field.label));
        connect(m_box, &QLineEdit::textEdited, this, [this](const QString &text) { take(text); });
        connect(m_box, &QLineEdit::editingFinished, this, &FieldControl::gestureEnded);
    }

protected:
    virtual void take(const QString &text) = 0;

    [[nodiscard]] bool isBeingWritten() const { return m_box->hasFocus() && m_box->isModified(); }
    void showText(const QString &text)
    {
        m_box->setText(text);
        m_box->setCursorPosition(0); // long ones show their beginning
    }

    QLineEdit *const m_box;
};

/// Free text.
class TextControl : public LineControl
{
public:
    using LineControl::LineControl;

    void showValue(const FieldValue &stated, const FieldValue &) override
    {
        const auto *value = std::get_if<std::string>(&stated);
        const QString text = value ? toQString(*value) : QString();
        if (m_box->text() != text) // or the cursor stays where it is
            showText(text);
    }

protected:
    void take(const QString &text) override
    {
        Q_EMIT edited(text.isEmpty() ? FieldValue() : FieldValue(text.toStdString()));
    }
};

/// Several texts, written with semicolons between them: names of files may hold commas.
class TextsControl : public LineControl
{
public:
    using LineControl::LineControl;

    void showValue(const FieldValue &stated, const FieldValue &) override
    {
        if (isBeingWritten())
            return;
        QStringList texts;
        if (const auto *list = std::get_if<TextList>(&stated)) {
            for (const std::string &text : *list)
                texts.append(toQString(text));
        }
        showText(texts.join(u"; "_s));
        const QString all = texts.join(u'\n');
        m_box->setToolTip(Qt::mightBeRichText(all) ? tipHtml(all) : all);
    }

protected:
    void take(const QString &text) override
    {
        TextList texts;
        for (const QString &each : text.split(u';', Qt::SkipEmptyParts)) {
            if (const QString trimmed = each.trimmed(); !trimmed.isEmpty())
                texts.push_back(trimmed.toStdString());
        }
        Q_EMIT edited(texts.empty() ? FieldValue() : FieldValue(texts));
    }
};

/// Several whole numbers, written with commas between them.
class CountsControl : public LineControl
{
public:
    CountsControl(const Field &field, QWidget *parent)
        : LineControl(field, parent)
        , m_field(field)
    {
    }

    void showValue(const FieldValue &stated, const FieldValue &effective) override
    {
        m_stated = stated;
        if (isBeingWritten())
            return;
        m_before = stated;
        const bool isDefault = !isStated(stated);
        QStringList numbers;
        if (const auto *list = std::get_if<CountList>(isDefault ? &effective : &stated)) {
            for (const std::int64_t count : *list)
                numbers.append(QString::number(count));
        }
        const QString text = numbers.join(u", "_s);
        showText(isDefault ? QString() : text);
        m_box->setPlaceholderText(text);
        m_box->setToolTip(text);
    }

protected:
    void take(const QString &text) override
    {
        QString list = text.trimmed();
        while (list.endsWith(u',') || list.endsWith(u' '))
            list.chop(1); // the next is still to come
        const FieldValue value =
            list.isEmpty() ? FieldValue() : writtenValue(m_field, list.toStdString());
        // A list that cannot be read sets nothing, nor does its beginning.
        if (std::holds_alternative<std::string>(value) && m_stated != m_before)
            Q_EMIT edited(m_before);
        Q_EMIT edited(value);
    }

private:
    const Field &m_field;
    FieldValue m_stated;
    FieldValue m_before; ///< stated when typing began
};

/// A whole config.json: a button that says what is there and opens its text for editing.
class ConfigControl : public FieldControl
{
public:
    ConfigControl(const Field &field, QWidget *parent);

    void showValue(const FieldValue &stated, const FieldValue &effective) override;

private:
    void openEditor();

    const Field &m_field;
    QPushButton *m_button;
    std::string m_config;
};

ConfigControl::ConfigControl(const Field &field, QWidget *parent)
    : FieldControl(parent)
    , m_field(field)
    , m_button(new QPushButton(this))
{
    setBox(m_button);
    m_button->setAccessibleName(toQString(field.label));
    m_button->setProperty("role", u"choices"_s);
    m_button->setToolTip(wordsOf(field).toolTip);
    connect(m_button, &QPushButton::clicked, this, &ConfigControl::openEditor);
}

void ConfigControl::showValue(const FieldValue &stated, const FieldValue &)
{
    const auto *json = std::get_if<std::string>(&stated);
    if (json && *json == m_config && !m_button->text().isEmpty())
        return;
    m_config = json ? *json : std::string();
    const auto keys = QJsonDocument::fromJson(QByteArray::fromStdString(m_config)).object().size();
    const QString words = wordsOf(m_field).stated;
    const QString shown = words.contains(u"%1"_s) ? words.arg(keys) : words;
    m_button->setText(json ? shown : u"none…"_s);
}

void ConfigControl::openEditor()
{
    auto *dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const ObjectWords words = wordsOf(m_field);
    dialog->setWindowTitle(words.title);
    auto *editor = new QPlainTextEdit(indented(m_config));
    editor->setFont(monospaceFont());
    editor->setAccessibleName(words.accessible);
    editor->setPlaceholderText(words.placeholder);
    auto *trouble = new QLabel;
    trouble->setTextFormat(Qt::PlainText);
    trouble->setWordWrap(true);
    trouble->setProperty("role", u"bad"_s);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(dimLabel(words.help));
    layout->addWidget(editor, 1);
    layout->addWidget(trouble);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, editor, trouble] {
        const std::string text = editor->toPlainText().trimmed().toStdString();
        const FieldValue value = text.empty() ? FieldValue() : FieldValue(text);
        if (const auto checked = isStated(value) ? checkValue(m_field, value) : Result<void>();
            !checked)
            return trouble->setText(toQString(checked.error().detail));
        Q_EMIT edited(value);
        Q_EMIT gestureEnded();
        dialog->accept();
    });
    dialog->resize(560, 520);
    dialog->open();
}

} // namespace

FieldControl *makeTextControl(const Field &field, QWidget *parent)
{
    switch (field.kind) {
    case FieldKind::Texts:
        return new TextsControl(field, parent);
    case FieldKind::Counts:
        return new CountsControl(field, parent);
    case FieldKind::Object:
        return new ConfigControl(field, parent);
    default:
        return new TextControl(field, parent);
    }
}

} // namespace vramscope
