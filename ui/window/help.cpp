// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help.h"

#include "core/print/recipes.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/window/commands.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QFile>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kName = Qt::UserRole;
constexpr int kMargin = 18;

/// What Markdown leaves to its reader: room around headings and lines, and calm tables.
void layOut(QTextDocument &document, const Theme &theme)
{
    document.setDocumentMargin(kMargin);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (format.headingLevel() > 1)
            format.setTopMargin(format.headingLevel() == 2 ? 16 : 10);
        if (format.hasProperty(QTextFormat::BlockCodeFence))
            format.setBackground(theme.window);
        else
            format.setLineHeight(120, QTextBlockFormat::ProportionalHeight);
        QTextCursor(block).setBlockFormat(format);
    }
    for (QTextFrame *frame : document.rootFrame()->childFrames()) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorder(0);
        format.setCellSpacing(0);
        format.setCellPadding(4);
        table->setFormat(format);
        for (int row = 0; row < table->rows(); ++row) {
            for (int column = 0; column < table->columns(); ++column) {
                QTextTableCellFormat cell = table->cellAt(row, column).format().toTableCellFormat();
                cell.setBottomBorder(1);
                cell.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                cell.setBottomBorderBrush(theme.line);
                table->cellAt(row, column).setFormat(cell);
            }
        }
    }
}

/// A table of each menu's commands that have a key.
QString menuKeys()
{
    QString text;
    QString menu;
    for (const CommandKey &each : commandKeys()) {
        if (each.menu != menu)
            text += u"\n### Menu %1\n\n| Key | What it does |\n|---|---|\n"_s.arg(each.menu);
        menu = each.menu;
        text += u"| %1 | %2 |\n"_s.arg(each.key, each.text);
    }
    return text;
}

/// A text that is no Markdown, as Markdown.
QString escaped(std::string_view text)
{
    return toQString(text).toHtmlEscaped().replace(u"&quot;"_s, u"\""_s).replace(u'_', u"&#95;"_s);
}

QString fenced(std::string_view text)
{
    return u"\n```\n%1\n```\n"_s.arg(toQString(text).trimmed());
}

/// Whether it is too long to read: the notes explain how to get it.
bool isProgram(const Recipe &recipe)
{
    constexpr std::size_t kLongestShown = 10'000;
    return recipe.lines.size() > kLongestShown;
}

QString recipeSections()
{
    QString text;
    for (const Recipe &each : recipes()) {
        QString title = escaped(each.title);
        if (!title.startsWith(toQString(each.topic),
                              Qt::CaseInsensitive)) // a proper name keeps its case
            title[0] = title[0].toUpper();
        text += u"\n## %1\n\n"_s.arg(title);
        if (!each.needs.empty())
            text += u"Needs %1. "_s.arg(escaped(each.needs));
        if (each.lines.empty() || isProgram(each))
            text += fenced(each.notes); // a list, line by line
        else
            text += escaped(each.notes) + u'\n' + fenced(each.lines);
    }
    return text;
}

QString fileText(const QString &page)
{
    QFile file(u":/help/%1.md"_s.arg(page));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

HelpWindow::HelpWindow(QWidget *parent)
    : QDialog(parent)
    , m_search(new QLineEdit)
    , m_contents(new QListWidget)
    , m_nothing(new QLabel(u"Nothing found"_s))
    , m_text(new QTextBrowser)
{
    setWindowTitle(u"VRAMscope help"_s);
    setAccessibleName(windowTitle());
    m_text->setAccessibleName(u"Page of the help"_s);
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto *parts = new QSplitter;
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeContents());
    parts->addWidget(m_text);
    parts->setStretchFactor(1, 1);
    parts->setSizes({245, 695});
    setLayout(column({parts}, kStyleSpacing));
    resize(940, 720);
    connect(m_contents, &QListWidget::currentRowChanged, this, &HelpWindow::render);
    connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::find);
    connect(m_search, &QLineEdit::returnPressed, this, &HelpWindow::findNext);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        const QString page = link.path().isEmpty() ? this->page() : link.path().chopped(3); // ".md"
        showPage(link.hasFragment() ? page + u'#' + link.fragment() : page);
    });
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    m_contents->setCurrentRow(0);
}

QWidget *HelpWindow::makeContents()
{
    m_search->setPlaceholderText(u"Search (Ctrl+F)"_s);
    m_search->setAccessibleName(u"Search the help"_s);
    m_search->setToolTip(u"Enter goes to the next place, Esc ends the search"_s);
    m_search->setClearButtonEnabled(true);
    m_contents->setAccessibleName(u"Contents of the help"_s);
    m_contents->setWordWrap(true);
    m_contents->setTabKeyNavigation(false);
    m_contents->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_nothing->setProperty("role", u"dim"_s);
    m_nothing->setVisible(false);
    for (const QString &page : helpPages()) {
        auto *item = new QListWidgetItem(helpTitle(page), m_contents);
        item->setData(kName, page);
    }
    auto *side = new QWidget;
    side->setProperty("role", u"side"_s);
    side->setLayout(
        vramscope::column({m_search, m_nothing, {m_contents, 1}}, kStyleSpacing, {8, 10, 8, 8}));
    return side;
}

void HelpWindow::showPage(const QString &name)
{
    const qsizetype row = helpPages().indexOf(name.section(u'#', 0, 0));
    if (row < 0)
        return;
    if (m_contents->item(static_cast<int>(row))->isHidden())
        m_search->clear();
    m_contents->setCurrentRow(static_cast<int>(row));
    goToHeading(name.section(u'#', 1));
}

QString HelpWindow::page() const
{
    const QListWidgetItem *item = m_contents->currentItem();
    return item ? item->data(kName).toString() : QString();
}

void HelpWindow::find(const QString &text)
{
    const QString wanted = text.trimmed();
    int first = -1;
    for (int row = 0; row < m_contents->count(); ++row) {
        QListWidgetItem *item = m_contents->item(row);
        const bool has = wanted.isEmpty() || helpMarkdown(item->data(kName).toString())
                                                 .remove(u'*')
                                                 .simplified()
                                                 .contains(wanted, Qt::CaseInsensitive);
        item->setHidden(!has);
        if (has && first < 0)
            first = row;
    }
    m_nothing->setVisible(first < 0);
    if (first >= 0 && m_contents->currentItem()->isHidden())
        m_contents->setCurrentRow(first);
    m_text->moveCursor(QTextCursor::Start);
    mark();
    if (!wanted.isEmpty())
        m_text->find(wanted);
}

void HelpWindow::findNext()
{
    const QString wanted = m_search->text().trimmed();
    if (wanted.isEmpty() || m_text->find(wanted))
        return;
    const int count = m_contents->count();
    for (int step = 1; step <= count; ++step) {
        const int row = (m_contents->currentRow() + step) % count;
        if (m_contents->item(row)->isHidden())
            continue;
        m_contents->setCurrentRow(row);
        m_text->moveCursor(QTextCursor::Start);
        m_text->find(wanted);
        return;
    }
}

void HelpWindow::mark()
{
    QList<QTextEdit::ExtraSelection> places;
    const QString wanted = m_search->text().trimmed();
    QTextCursor at(m_text->document());
    while (!wanted.isEmpty() && !(at = m_text->document()->find(wanted, at)).isNull()) {
        QTextEdit::ExtraSelection place;
        place.cursor = at;
        place.format.setBackground(themeOf(this).selection);
        places += place;
    }
    m_text->setExtraSelections(places);
}

void HelpWindow::goToHeading(const QString &anchor)
{
    const QTextDocument *document = m_text->document();
    for (QTextBlock block = document->begin(); !anchor.isEmpty() && block.isValid();
         block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || helpAnchor(block.text()) != anchor)
            continue;
        m_text->setTextCursor(QTextCursor(block));
        const double top = document->documentLayout()->blockBoundingRect(block).top();
        m_text->verticalScrollBar()->setValue(static_cast<int>(top));
        return;
    }
}

void HelpWindow::render()
{
    m_text->setMarkdown(helpMarkdown(page()));
    layOut(*m_text->document(), themeOf(this));
    m_text->moveCursor(QTextCursor::Start);
    mark();
}

void HelpWindow::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        render(); // the colours of links are written into the text
}

void HelpWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_search->text().isEmpty())
        m_search->clear();
    else
        QDialog::keyPressEvent(event);
}

QStringList helpPages()
{
    return {u"index"_s,   u"plan"_s,         u"plan-document"_s, u"accuracy"_s,   u"trace"_s,
            u"compare"_s, u"what-if"_s,      u"reconcile"_s,     u"presenting"_s, u"recording"_s,
            u"profile"_s, u"command-line"_s, u"keys"_s,          u"changes"_s};
}

QString helpTitle(const QString &page)
{
    const QString text = fileText(page);
    return text.left(text.indexOf(u'\n')).mid(1).trimmed();
}

QString helpMarkdown(const QString &page)
{
    return fileText(page)
        .replace(u"@MENU_KEYS@"_s, menuKeys())
        .replace(u"@RECIPES@"_s, recipeSections());
}

QString helpAnchor(const QString &heading)
{
    static const QRegularExpression others(u"[^\\w]+"_s,
                                           QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().replace(others, u"-"_s);
}

} // namespace vramscope
