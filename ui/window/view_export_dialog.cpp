// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_export_dialog.h"

#include "ui/offscreen/redacted.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"
#include "ui/window/export_preview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 480;
/// With the list of replacements.
constexpr int kTallHeight = 700;

constexpr std::array<QStringView, 6> kFormats = {
    u"Picture: PNG", u"Picture: SVG (vectors)", u"Picture: PDF (vectors)",
    u"Table: CSV",   u"Table: Markdown",        u"Table: JSON",
};

/// Whole pictures; an empty size means as shown. A4 is landscape, at 96 pixels to the inch.
constexpr std::array<std::pair<QStringView, QSize>, 4> kSizes = {{
    {u"As shown", QSize(0, 0)},
    {u"1280 × 720", QSize(1280, 720)},
    {u"1920 × 1080", QSize(1920, 1080)},
    {u"A4, landscape", QSize(1123, 794)},
}};

} // namespace

ViewExportDialog::ViewExportDialog(const PageContent &content, ExportedViewMaker maker,
                                   QWidget *parent)
    : QDialog(parent)
    , m_content(content)
    , m_maker(std::move(maker))
    , m_format(new QComboBox)
    , m_size(new QComboBox)
    , m_scale(new QComboBox)
    , m_theme(new QComboBox)
    , m_alone(new QCheckBox(u"Only the &chart, without buttons and panels"_s))
    , m_captioned(new QCheckBox(u"&Title, capacity, source and date"_s))
    , m_title(new QLineEdit)
    , m_redacted(new QCheckBox(u"Leave out &names and home folders"_s))
    , m_about(new QLabel)
    , m_replaced(new QTreeWidget)
    , m_preview(new ExportPreview)
{
    setWindowTitle(u"Export"_s);
    for (const QStringView format : kFormats)
        m_format->addItem(format.toString());
    for (const auto &[name, size] : kSizes)
        m_size->addItem(name.toString());
    for (int scale = 1; scale <= 4; ++scale)
        m_scale->addItem(u"%1×"_s.arg(scale));
    m_theme->addItems({u"Light"_s, u"Dark"_s});
    m_theme->setCurrentIndex(themeOf(this).dark ? 1 : 0);
    m_captioned->setChecked(true);
    m_alone->setToolTip(u"Of a plan its breakdown, of a recording the view in front"_s);
    m_title->setPlaceholderText(u"the document's"_s);
    m_redacted->setToolTip(u"Names of people and machines, and the home folders in paths"_s);
    m_replaced->setHeaderLabels({u"In the document"_s, u"In the export"_s});
    m_replaced->setRootIsDecorated(false);
    m_replaced->setTextElideMode(Qt::ElideMiddle);
    m_replaced->setAccessibleName(u"What is replaced"_s);
    m_replaced->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_about->setWordWrap(true);

    QHBoxLayout *columns = row({makeRows(), {m_preview, 1}}, 16);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->addButton(u"&Export…"_s, QDialogButtonBox::AcceptRole)->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT exportWanted(choice());
        accept();
    });
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(m_about);
    layout->addWidget(m_replaced, 1);
    layout->addWidget(buttons);
    connectRows();
    resize(940, kHeight);
    refresh();
    listReplaced();
}

QLayout *ViewExportDialog::makeRows()
{
    auto *layout = new QFormLayout;
    layout->addRow(u"&Format"_s, m_format);
    layout->addRow(u"Si&ze"_s, m_size);
    layout->addRow(u"Sc&ale"_s, m_scale);
    layout->addRow(u"C&olours"_s, m_theme);
    layout->addRow(m_alone);
    layout->addRow(m_captioned);
    layout->addRow(u"T&itle"_s, m_title);
    layout->addRow(m_redacted);
    return layout;
}

void ViewExportDialog::connectRows()
{
    for (const QComboBox *box : {m_format, m_size, m_scale, m_theme})
        connect(box, &QComboBox::currentIndexChanged, this, &ViewExportDialog::refresh);
    connect(m_alone, &QCheckBox::toggled, this, &ViewExportDialog::refresh);
    connect(m_captioned, &QCheckBox::toggled, this, &ViewExportDialog::refresh);
    connect(m_title, &QLineEdit::textChanged, this, &ViewExportDialog::refresh);
    connect(m_redacted, &QCheckBox::toggled, this, &ViewExportDialog::listReplaced);
    connect(m_redacted, &QCheckBox::toggled, this, &ViewExportDialog::refresh);
    m_previewing.setSingleShot(true);
    m_previewing.setInterval(150);
    connect(&m_previewing, &QTimer::timeout, this, &ViewExportDialog::showPreview);
}

ViewExport ViewExportDialog::choice() const
{
    return {static_cast<ViewFormat>(m_format->currentIndex()),
            static_cast<double>(m_scale->currentIndex() + 1),
            kSizes[static_cast<std::size_t>(m_size->currentIndex())].second,
            m_theme->currentIndex() == 1,
            m_captioned->isChecked(),
            m_title->text(),
            m_redacted->isChecked(),
            m_alone->isChecked()};
}

void ViewExportDialog::setFormat(ViewFormat format)
{
    m_format->setCurrentIndex(static_cast<int>(format));
}

void ViewExportDialog::setRedacted(bool redacted)
{
    m_redacted->setChecked(redacted);
}

// Disables controls that a table has no use for.
void ViewExportDialog::refresh()
{
    const bool picture = isPicture(choice().format);
    for (QWidget *each : {static_cast<QWidget *>(m_size), static_cast<QWidget *>(m_scale),
                          static_cast<QWidget *>(m_theme), static_cast<QWidget *>(m_captioned)})
        each->setEnabled(picture);
    m_alone->setEnabled(picture && m_content.hasChart());
    m_title->setEnabled(picture && m_captioned->isChecked());
    m_previewing.start();
}

void ViewExportDialog::showPreview()
{
    constexpr qsizetype kRows = 40;
    const ViewExport how = choice();
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    m_maker(how, [&](const ExportedView &exhibit) {
        if (isPicture(how.format))
            return m_preview->show(image(exhibit));
        const auto text = exported(exhibit, how.format, 1, kRows);
        m_preview->show(text ? QString::fromUtf8(*text) : toQString(text.error().text()));
    });
    QGuiApplication::restoreOverrideCursor();
}

void ViewExportDialog::listReplaced()
{
    m_replaced->clear();
    m_replaced->setVisible(m_redacted->isChecked());
    m_about->setVisible(m_redacted->isChecked());
    resize(width(), m_redacted->isChecked() ? std::max(height(), kTallHeight) : height());
    if (!m_redacted->isChecked())
        return;
    const auto pairs = replacements(m_content.leaving(false), m_content.redaction());
    // More than anybody would look through.
    const auto shown = std::min<std::size_t>(pairs.size(), 2000);
    for (std::size_t at = 0; at < shown; ++at) {
        const auto &[before, after] = pairs[at];
        auto *row = new QTreeWidgetItem(m_replaced, {before, after});
        row->setToolTip(0, before);
        row->setToolTip(1, after);
    }
    m_about->setText(pairs.empty() ? u"Nothing here names a person or a machine."_s
                     : shown < pairs.size()
                         ? u"What leaves stands on the right; the first %1 of %2:"_s.arg(
                               countText(static_cast<std::int64_t>(shown)),
                               countText(static_cast<std::int64_t>(pairs.size())))
                         : u"What leaves stands on the right:"_s);
}

} // namespace vramscope
