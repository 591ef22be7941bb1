// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help.h"

#include <QEvent>
#include <QFile>
#include <QListWidget>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kName = Qt::UserRole;

QString markdownOf(const QString &page)
{
    QFile file(u":/help/%1.md"_s.arg(page));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// What the first line of a page says after its #.
QString titleOf(const QString &page)
{
    const QString text = markdownOf(page);
    return text.left(text.indexOf(u'\n')).mid(1).trimmed();
}

} // namespace

HelpWindow::HelpWindow(QWidget *parent)
    : QDialog(parent)
    , m_contents(new QListWidget)
    , m_text(new QTextBrowser)
{
    setWindowTitle(tr("VRAMscope help"));
    setAccessibleName(windowTitle());
    m_contents->setAccessibleName(tr("Contents of the help"));
    m_contents->setWordWrap(true);
    m_contents->setTabKeyNavigation(false);
    m_text->setAccessibleName(tr("Page of the help"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    for (const QString &page : pages()) {
        auto *item = new QListWidgetItem(titleOf(page), m_contents);
        item->setData(kName, page);
    }
    auto *parts = new QSplitter;
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_contents);
    parts->addWidget(m_text);
    parts->setStretchFactor(1, 1);
    parts->setSizes({210, 610});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    resize(820, 680);
    connect(m_contents, &QListWidget::currentRowChanged, this, &HelpWindow::render);
    connect(m_text, &QTextBrowser::anchorClicked, this,
            [this](const QUrl &link) { showPage(link.path().chopped(3)); }); // without ".md"
    m_contents->setCurrentRow(0);
}

QStringList HelpWindow::pages()
{
    return {u"what-if"_s, u"reconcile"_s};
}

void HelpWindow::showPage(const QString &name)
{
    if (const qsizetype row = pages().indexOf(name); row >= 0)
        m_contents->setCurrentRow(static_cast<int>(row));
}

QString HelpWindow::page() const
{
    const QListWidgetItem *item = m_contents->currentItem();
    return item ? item->data(kName).toString() : QString();
}

void HelpWindow::render()
{
    m_text->document()->setDocumentMargin(18);
    m_text->setMarkdown(markdownOf(page()));
}

void HelpWindow::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        render(); // the colours of links are written into the text
}

} // namespace vramscope
