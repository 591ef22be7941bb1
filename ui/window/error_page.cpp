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
    return lines.join(u'\n');
}

} // namespace

ErrorPage::ErrorPage(QWidget *parent)
    : QWidget(parent)
{
    auto *content = new QFrame(this);
    content->setProperty("role", u"card"_s);
    content->setFixedWidth(600);
    m_title = textLabel({}, u"heading"_s);
    m_sentence = textLabel();
    m_place = new ElidedLabel(Qt::ElideMiddle, content);
    m_place->setProperty("role", u"dim"_s);
    m_details = textLabel({}, u"dim"_s);

    QHBoxLayout *buttons = row({}, kStyleSpacing);
    const auto addButton = [&](const QString &text, const char *role, auto signal) {
        auto *button = new QPushButton(text, content);
        button->setProperty("role", QString::fromLatin1(role));
        connect(button, &QPushButton::clicked, this, signal);
        buttons->addWidget(button);
    };
    addButton(u"Choose another file…"_s, "primary", &ErrorPage::otherFileWanted);
    addButton(u"Try again"_s, "", &ErrorPage::retryWanted);
    buttons->addStretch();
    addButton(u"Close"_s, "", &ErrorPage::closeWanted);

    content->setLayout(
        column({m_title, m_sentence, m_place, m_details, Gap{6}, buttons}, 12, {28, 24, 28, 24}));

    // Stretches, not an alignment, centre the card: an aligned widget's height ignores its wrapped
    // text.
    QHBoxLayout *middle = row({EmptyRoom{0}, content, EmptyRoom{0}}, kStyleSpacing);
    auto *outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addLayout(middle);
    outer->addStretch(3);
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
