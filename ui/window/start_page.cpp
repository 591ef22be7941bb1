// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_page.h"

#include "ui/support/icons.h"
#include "ui/support/theme.h"
#include "ui/window/examples.h"
#include "ui/window/recent_files.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kContentWidth = 920;
constexpr qsizetype kShownRecentFiles = 7;

struct Question
{
    QStringView icon;
    QStringView question;
    QStringView answer;
};

/// What the program is for, in the user's words.
constexpr Question kQuestions[] = {
    {u"plan", u"Will it fit?",
     u"Plan a training or serving run: the peak, the moment it occurs, and the formula behind "
     u"every part."},
    {u"trace", u"Where did it go?",
     u"Open a recorded snapshot: every allocation over time, with its size, lifetime and stack. "
     u"Profiler traces and logs of nvidia-smi open as well."},
    {u"picture", u"How do I show it?",
     u"Copy any view as a picture, or save the plan as a small file that a colleague opens and "
     u"changes."},
};

QLabel *label(const QString &text, const char *role)
{
    auto *made = new QLabel(text);
    made->setProperty("role", QString::fromLatin1(role));
    return made;
}

/// Above rows, with their indent.
QLabel *sectionLabel(const QString &text)
{
    auto *made = label(text, "section");
    made->setContentsMargins(8, 0, 8, 4);
    return made;
}

/// An icon that follows the theme: named in a property, drawn by tintIcons().
QLabel *iconLabel(QStringView name)
{
    auto *made = new QLabel;
    made->setProperty("iconName", name.toString());
    return made;
}

QPushButton *rowButton(const QString &text, QStringView icon)
{
    auto *button = new QPushButton(text);
    button->setProperty("role", u"row"_s);
    button->setProperty("iconName", icon.toString());
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

/// Name and folder, short enough for half of the page.
QString rowText(const RecentFile &file)
{
    constexpr qsizetype kLongest = 46;
    const qsizetype left = kLongest - file.name.size();
    QString folder = file.folder;
    if (left < 12)
        return file.name;
    if (folder.size() > left)
        folder = u"…"_s + folder.right(left - 1);
    return u"%1    %2"_s.arg(file.name, folder).replace(u'&', u"&&"_s);
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
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(32, 20, 32, 20);
    column->setSpacing(20);
    column->addStretch(1);
    column->addWidget(makeTitle());
    column->addWidget(makeQuestions());
    column->addWidget(makeDropZone());

    auto *lists = new QHBoxLayout;
    lists->setSpacing(32);
    auto *recent = new QWidget;
    m_recent = new QVBoxLayout(recent);
    m_recent->setContentsMargins(0, 0, 0, 0);
    m_recent->setSpacing(1);
    lists->addWidget(recent, 4, Qt::AlignTop);
    lists->addWidget(makeExamples(), 5, Qt::AlignTop);
    column->addLayout(lists);
    column->addStretch(2);

    auto *outer = new QWidget;
    auto *row = new QHBoxLayout(outer);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    row->addWidget(content, 1000);
    row->addStretch(1);
    setWidget(outer);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setRecentFiles({});
}

QWidget *StartPage::makeTitle()
{
    auto *title = new QWidget;
    auto *row = new QHBoxLayout(title);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    auto *icon = new QLabel;
    icon->setPixmap(applicationIcon().pixmap(QSize(44, 44), devicePixelRatioF()));
    row->addWidget(icon);
    auto *column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(label(u"VRAMscope"_s, "title"));
    column->addWidget(label(
        u"Plans and inspects GPU memory. Works offline; a file is never executed and never changed."_s,
        "dim"));
    row->addLayout(column, 1);
    return title;
}

QWidget *StartPage::makeQuestions()
{
    auto *questions = new QWidget;
    auto *row = new QHBoxLayout(questions);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(28);
    for (const auto &[icon, question, answer] : kQuestions) {
        auto *grid = new QGridLayout;
        grid->setHorizontalSpacing(8);
        grid->setVerticalSpacing(6);
        grid->addWidget(iconLabel(icon), 0, 0);
        grid->addWidget(label(question.toString(), "heading"), 0, 1);
        auto *text = label(answer.toString(), "dim");
        text->setWordWrap(true);
        text->setAlignment(Qt::AlignTop);
        grid->addWidget(text, 1, 0, 1, 2);
        grid->setColumnStretch(1, 1);
        grid->setRowStretch(1, 1);
        row->addLayout(grid, 1);
    }
    return questions;
}

QWidget *StartPage::makeDropZone()
{
    m_dropZone = new QFrame;
    m_dropZone->setProperty("role", u"dropzone"_s);
    m_dropZone->setMinimumHeight(112);
    auto *open = new QPushButton(u"Open file…"_s);
    open->setProperty("role", u"primary"_s);
    auto *newPlan = new QPushButton(u"New plan"_s);
    connect(open, &QPushButton::clicked, this, &StartPage::openWanted);
    connect(newPlan, &QPushButton::clicked, this, &StartPage::newPlanWanted);

    auto *column = new QVBoxLayout(m_dropZone);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(12);
    column->addStretch();
    auto *text = label(u"Drop a plan or a recording here"_s, "heading");
    text->setAlignment(Qt::AlignHCenter);
    column->addWidget(text);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(open);
    buttons->addWidget(newPlan);
    buttons->addStretch();
    column->addLayout(buttons);
    column->addStretch();
    return m_dropZone;
}

QWidget *StartPage::makeExamples()
{
    auto *list = new QWidget;
    auto *column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(1);
    column->addWidget(sectionLabel(u"EXAMPLES"_s));
    for (const Example &example : examples()) {
        auto *button = rowButton(example.title, example.plan ? u"plan" : u"trace");
        button->setToolTip(example.title);
        connect(button, &QPushButton::clicked, this,
                [this, path = example.path] { Q_EMIT documentWanted(path); });
        column->addWidget(button);
    }
    return list;
}

void StartPage::setRecentFiles(const QStringList &files)
{
    clear(m_recent);
    m_recent->addWidget(sectionLabel(u"RECENT"_s));
    for (const RecentFile &file :
         describeRecentFiles(files.first(std::min(files.size(), kShownRecentFiles)))) {
        auto *button =
            rowButton(rowText(file), file.name.endsWith(u".vramplan") ? u"plan" : u"trace");
        button->setEnabled(file.exists);
        button->setToolTip(file.exists ? file.path : u"%1\nis no longer there"_s.arg(file.path));
        connect(button, &QPushButton::clicked, this,
                [this, path = file.path] { Q_EMIT documentWanted(path); });
        m_recent->addWidget(button);
    }
    if (files.isEmpty()) {
        auto *nothing = label(u"What you open is listed here."_s, "dim");
        nothing->setContentsMargins(8, 5, 8, 5);
        m_recent->addWidget(nothing);
    }
    tintIcons();
}

void StartPage::setDropActive(bool active)
{
    m_dropZone->setProperty("active", active);
    m_dropZone->style()->unpolish(m_dropZone);
    m_dropZone->style()->polish(m_dropZone);
}

void StartPage::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tintIcons();
}

void StartPage::tintIcons()
{
    const Theme &theme = themeOf(this);
    for (QLabel *icon : findChildren<QLabel *>()) {
        const QString name = icon->property("iconName").toString();
        if (!name.isEmpty())
            icon->setPixmap(tintedPixmap(name, theme.accent, 20, devicePixelRatioF()));
    }
    for (QPushButton *button : findChildren<QPushButton *>()) {
        const QString name = button->property("iconName").toString();
        if (!name.isEmpty())
            button->setIcon(tintedIcon(name, button->isEnabled() ? theme.dim : theme.faint()));
    }
}

} // namespace vramscope
