// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/error_page.h"

#include "ui/offscreen/examples.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString detailsOf(const FileFacts &facts, const Error &error)
{
    QStringList lines;
    if (facts.isFile)
        lines += exactBytesText(facts.size);
    if (error.offset >= 0)
        lines += u"at byte %1"_s.arg(countText(error.offset));
    return lines.join(u" · "_s);
}

} // namespace

ErrorPage::ErrorPage(QWidget *parent)
    : QWidget(parent)
{
    m_title = headlineLabel();
    m_sentence = textLabel();
    m_sentence->setFont(typeFont(Type::Lead));
    m_place = elidedLabel(Qt::ElideMiddle);
    m_details = textLabel({}, u"dim"_s);

    QHBoxLayout *buttons = row({}, 8);
    const auto addButton = [&](const QString &text, const char *role, auto signal) {
        auto *button = new QPushButton(text);
        button->setProperty("role", QString::fromLatin1(role));
        connect(button, &QPushButton::clicked, this, signal);
        buttons->addWidget(button);
    };
    addButton(u"Choose another file…"_s, "primary", &ErrorPage::otherFileWanted);
    addButton(u"Try again"_s, "", &ErrorPage::retryWanted);
    addButton(u"Close"_s, "", &ErrorPage::closeWanted);
    buttons->addStretch();

    QVBoxLayout *parts =
        column({m_title, m_sentence, Gap{8}, m_place, m_details, Gap{16}, buttons}, 4);
    setLayout(centred(panel(parts)));
}

void ErrorPage::showError(const QString &path, const Error &error)
{
    m_title->setText(path.isEmpty() ? u"These cannot be compared"_s
                                    : u"%1 cannot be shown"_s.arg(documentTitle(path)));
    m_place->setVisible(!path.isEmpty());
    m_sentence->setText(toQString(error.detail));
    m_place->setFullText(shownPath(absolutePath(path)));
    m_details->setText(detailsOf(factsOf(path), error));
    m_details->setVisible(!m_details->text().isEmpty());
}

QString ErrorPage::sentence() const
{
    return m_sentence->text();
}

} // namespace vramscope
