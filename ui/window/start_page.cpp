// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_page.h"

#include "core/print/recipes.h"
#include "core/print/validation_report.h"
#include "core/validation/shipped.h"
#include "ui/offscreen/examples.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/ask_box.h"
#include "ui/support/help_link.h"
#include "ui/support/icons.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/window/commands.h"
#include "ui/window/recent_files.h"
#include "ui/window/row_button.h"
#include "ui/window/start_questions.h"

#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kContentWidth = 1360;
constexpr qsizetype kShownRecentFiles = 6;
constexpr int kGap = 16;
constexpr QStringView kCopied = u"Copied: run them before the model is made";

QString examplePath(QStringView name)
{
    return u":/examples/"_s + name.toString();
}

bool isFeatured(const QString &path)
{
    return std::ranges::any_of(startQuestions(), [&](const StartQuestion &each) {
        return path == examplePath(each.example);
    });
}

QLabel *label(const QString &text, const char *role)
{
    auto *made = new QLabel(text);
    made->setProperty("role", QString::fromLatin1(role));
    return made;
}

/// How accurate the figures of both kinds of document are; computed from the measured ones once.
QString accuracySentence()
{
    static const QString text =
        u"A recording is shown as it is, to the byte; a plan is an estimate. "_s +
        toQString(publishedAccuracyText(validate(shippedRows(), shippedSetup)));
    return text;
}

/// Above rows, with their indent.
QLabel *sectionOverRows(const QString &title)
{
    QLabel *made = sectionLabel(title);
    made->setContentsMargins(8, 0, 8, 2);
    return made;
}

/// An icon that follows the theme: named in a property, drawn by takeTheme().
QLabel *iconLabel(QStringView name)
{
    auto *made = new QLabel;
    made->setProperty("iconName", name.toString());
    return made;
}

/// A column of rows under a title.
QVBoxLayout *listUnder(const QString &title, QWidget *list)
{
    QVBoxLayout *rows = column({title.isEmpty() ? nullptr : sectionOverRows(title)}, 1);
    list->setLayout(rows);
    return rows;
}

void clear(QLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QScrollArea(parent)
{
    auto *content = new QWidget;
    content->setMaximumWidth(kContentWidth);
    auto *grid = new QGridLayout(content);
    grid->setContentsMargins(28, 16, 28, 16);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(kGap);
    grid->setRowStretch(0, 2);
    grid->addWidget(makeAbout(), 4, 0, 1, 3);
    for (int column = 0; column < 3; ++column) {
        grid->setColumnStretch(column, 1);
        grid->addWidget(makeQuestion(static_cast<std::size_t>(column)), 2, column);
    }
    m_ask = new AskBox;
    m_ask->setProminent();
    m_ask->setContentsMargins(8, 0, 8, 0);
    connect(m_ask, &AskBox::planWanted, this, &StartPage::planWanted);
    connect(m_ask, &AskBox::documentWanted, this, &StartPage::documentWanted);
    connect(m_ask, &AskBox::settingsWanted, this, &StartPage::settingsWanted);
    grid->addWidget(m_ask, 1, 0, 1, 3);
    grid->addWidget(makeOpening(), 3, 0);
    grid->addWidget(makePlans(), 3, 1, Qt::AlignTop);
    grid->addWidget(makeRecordings(), 3, 2, Qt::AlignTop);
    grid->setRowStretch(5, 3);

    QWidget *outer = panel(row({EmptyRoom(), {content, 1000}, EmptyRoom()}, kStyleSpacing));
    setWidget(outer);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // its rows take it
    setRecentFiles({});
}

QWidget *StartPage::makeAbout()
{
    auto *icon = new QLabel;
    icon->setPixmap(applicationIcon().pixmap(QSize(32, 32), devicePixelRatioF()));
    QLabel *what = label(u"VRAMscope plans and inspects GPU memory. It works offline, and never "
                         u"executes or changes a file."_s,
                         "dim");
    m_accuracy = label({}, "dim");
    m_accuracy->setObjectName(u"accuracy"_s);
    m_accuracy->setWordWrap(true);
    m_accuracy->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(m_accuracy, &QLabel::linkActivated, this,
            [this] { Q_EMIT documentWanted(trustPath()); });
    return panel(row({icon, {column({what, m_accuracy}), 1}}, 12, {8, 0, 8, 0}));
}

QWidget *StartPage::makeQuestion(std::size_t number)
{
    const StartQuestion &asked = startQuestions()[number];
    auto *card = new QFrame;
    card->setProperty("role", u"card"_s);
    QHBoxLayout *head =
        vramscope::row({iconLabel(asked.icon), {label(asked.question.toString(), "heading"), 1}},
                       10, {8, 0, 8, 0});
    auto *answer = label(asked.answer.toString(), "dim");
    answer->setWordWrap(true);
    answer->setAlignment(Qt::AlignTop);
    answer->setContentsMargins(8, 4, 8, 8);
    QVBoxLayout *parts = column({head, answer, EmptyRoom{0}}, 1, {8, 12, 8, 8});
    card->setLayout(parts);
    const QString example = examplePath(asked.example);
    for (const StartRow &row : asked.rows) {
        auto *button = new RowButton(row.icon.toString(), row.title.toString());
        if (row.deed == StartDeed::Run || row.deed == StartDeed::RunOnExample) {
            button->setKey(keyText(row.command));
            button->setToolTip(row.tip.toString());
        }
        connect(button, &RowButton::clicked, this, [this, button, row, example] {
            switch (row.deed) {
            case StartDeed::Run:
                return commandWanted(row.command);
            case StartDeed::RunOnExample:
                return commandOnWanted(row.command, example);
            case StartDeed::Help:
                return askForHelp(button, row.tip.toString());
            case StartDeed::CopyRecipe:
                return copyRecipe(button);
            }
        });
        parts->addWidget(button);
    }
    parts->addSpacing(8);
    parts->addWidget(sectionOverRows(u"Example"_s));
    parts->addWidget(exampleRow(example));
    return card;
}

QWidget *StartPage::makeOpening()
{
    auto *recent = new QWidget;
    m_recent = listUnder({}, recent);
    m_dropZone = new QFrame;
    m_dropZone->setProperty("role", u"dropzone"_s);
    m_dropZone->setMinimumHeight(58);
    auto *zone = new QVBoxLayout(m_dropZone);
    auto *text =
        label(u"Drop a plan, a recording,\na folder of ranks or a config.json here"_s, "dim");
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    zone->addWidget(text);
    return panel(column({recent, Gap{7}, {m_dropZone, 1}}, 1));
}

RowButton *StartPage::exampleRow(const QString &path)
{
    const auto &all = examples();
    const auto example = std::ranges::find(all, path, &Example::path);
    const bool found = example != all.end();
    auto *row = new RowButton(found && example->plan ? u"plan"_s : u"trace"_s,
                              found ? example->title : path);
    row->setDetail(found ? example->shows : QString(), RowButton::Detail::Below);
    row->setToolTip(row->text() + u'\n' + row->detail());
    connect(row, &RowButton::clicked, this, [this, path] { Q_EMIT documentWanted(path); });
    return row;
}

QWidget *StartPage::makePlans()
{
    auto *list = new QWidget;
    auto *column = listUnder(u"More plans"_s, list);
    for (const Example &example : examples()) {
        if (example.plan && !isFeatured(example.path))
            column->addWidget(exampleRow(example.path));
    }
    return list;
}

QWidget *StartPage::makeRecordings()
{
    auto *list = new QWidget;
    auto *column = listUnder(u"More recordings, and both together"_s, list);
    for (const Example &example : examples()) {
        if (!example.plan && !isFeatured(example.path))
            column->addWidget(exampleRow(example.path));
    }
    const auto add = [&](const QString &icon, const ExamplePair &pair) {
        auto *row = new RowButton(icon, pair.title);
        row->setDetail(pair.shows, RowButton::Detail::Below);
        row->setToolTip(pair.title + u'\n' + pair.shows);
        column->addWidget(row);
        return row;
    };
    for (const ExamplePair &pair : examplePairs())
        connect(add(u"trace"_s, pair), &RowButton::clicked, this,
                [this, pair] { Q_EMIT pairWanted(pair.first, pair.second); });
    const ExamplePair trust{
        documentTitle(trustPath()), u"The planner beside figures measured by others."_s, {}, {}};
    connect(add(u"plan"_s, trust), &RowButton::clicked, this,
            [this] { Q_EMIT documentWanted(trustPath()); });
    return list;
}

void StartPage::copyRecipe(RowButton *row)
{
    QGuiApplication::clipboard()->setText(toQString(recipeText(*recipe("pytorch"))));
    const QString before = row->text();
    const auto show = [row](const QString &text, const QString &icon) {
        row->setText(text);
        row->setAccessibleName(text);
        row->setIconName(icon);
    };
    if (row->text() == kCopied)
        return;
    show(kCopied.toString(), u"check"_s);
    QTimer::singleShot(4000, row, [show, before] { show(before, u"copy"_s); });
}

void StartPage::setRecentFiles(const QStringList &files)
{
    clear(m_recent);
    m_recent->addWidget(sectionOverRows(u"Recent"_s));
    for (const RecentFile &file :
         describeRecentFiles(files.first(std::min(files.size(), kShownRecentFiles)))) {
        auto *button =
            new RowButton(file.name.endsWith(u".vramplan") ? u"plan"_s : u"trace"_s, file.name);
        button->setDetail(file.exists ? file.folder : u"no longer there"_s,
                          RowButton::Detail::Beside);
        button->setEnabled(file.exists);
        button->setToolTip(file.exists ? file.path : u"%1\nis no longer there"_s.arg(file.path));
        connect(button, &RowButton::clicked, this,
                [this, path = file.path] { Q_EMIT documentWanted(path); });
        m_recent->addWidget(button);
    }
    if (files.isEmpty()) {
        auto *nothing = label(u"What you open is listed here."_s, "dim");
        nothing->setContentsMargins(8, 5, 8, 5);
        m_recent->addWidget(nothing);
    }
    takeTheme();
}

void StartPage::setDropActive(bool active)
{
    m_dropZone->setProperty("active", active);
    m_dropZone->style()->unpolish(m_dropZone);
    m_dropZone->style()->polish(m_dropZone);
}

void StartPage::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    m_ask->setFocus(Qt::OtherFocusReason);
}

void StartPage::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        takeTheme();
}

void StartPage::takeTheme()
{
    const Theme &theme = themeOf(this);
    for (QLabel *icon : findChildren<QLabel *>()) {
        const QString name = icon->property("iconName").toString();
        if (!name.isEmpty())
            icon->setPixmap(tintedPixmap(name, theme.accent, 20, devicePixelRatioF()));
    }
    // A number stays on the line of its unit.
    m_accuracy->setText(u"%1 <a style=\"color:%2\" href=\"#\">How far to trust it</a>"_s.arg(
        accuracySentence().toHtmlEscaped().replace(u" %"_s, u"&nbsp;%"_s), theme.accent.name()));
}

} // namespace vramscope
