// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/rules_dialog.h"

#include "core/base/json_text.h"
#include "core/base/output_file.h"
#include "core/base/text_file.h"
#include "ui/page/layout.h"
#include "ui/profile/rules_model.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kFilter = u"Rules (*.json)"_s;

/// A list to choose from where a cell has choices.
class RuleDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const override
    {
        const QStringList choices = index.data(RulesModel::kChoicesRole).toStringList();
        if (choices.isEmpty())
            return QStyledItemDelegate::createEditor(parent, option, index);
        auto *box = new QComboBox(parent);
        box->addItems(choices);
        // A choice is an edit: it is seen at once what the rule takes.
        connect(box, &QComboBox::activated, this, [this, box] {
            auto *that = const_cast<RuleDelegate *>(this);
            Q_EMIT that->commitData(box);
            Q_EMIT that->closeEditor(box);
        });
        return box;
    }
    void setEditorData(QWidget *editor, const QModelIndex &index) const override
    {
        if (auto *box = qobject_cast<QComboBox *>(editor)) {
            box->setCurrentText(index.data(Qt::EditRole).toString());
            box->showPopup();
        } else {
            QStyledItemDelegate::setEditorData(editor, index);
        }
    }
    void setModelData(QWidget *editor, QAbstractItemModel *model,
                      const QModelIndex &index) const override
    {
        if (const auto *box = qobject_cast<QComboBox *>(editor))
            model->setData(index, box->currentText(), Qt::EditRole);
        else
            QStyledItemDelegate::setModelData(editor, model, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() == RulesModel::Number) {
            option->text = QString::number(index.row() + 1);
            option->features |= QStyleOptionViewItem::HasDisplay;
        }
        if (index.column() != RulesModel::Pattern)
            return;
        const Theme &theme = themeOf(option->widget);
        if (index.data(RulesModel::kTroubleRole).toBool())
            option->palette.setColor(QPalette::Text, theme.bad);
        else if (index.data(Qt::EditRole).toString().isEmpty())
            option->palette.setColor(QPalette::Text, theme.dim);
    }
};

/// A pattern that takes a kernel and its like: its name up to the first template argument.
std::string patternFor(const QString &name)
{
    QString start = name.left(name.indexOf(u'<')).section(u' ', -1);
    start.remove(QRegularExpression(u"[|^*?]"_s));
    return start.toLower().toStdString();
}

} // namespace

RulesDialog::RulesDialog(std::shared_ptr<const ProfileDocument> document, const QString &name,
                         QWidget *parent)
    : QDialog(parent)
    , m_model(new RulesModel(std::move(document), this))
    , m_name(name)
    , m_table(new QTableView)
    , m_state(new QLabel)
    , m_remove(new QPushButton(u"&Delete"_s))
    , m_up(new QPushButton(u"Move &up"_s))
    , m_down(new QPushButton(u"Move do&wn"_s))
    , m_shipped(new QPushButton(u"As &shipped"_s))
{
    setWindowTitle(u"What counts as communication, copy and compute"_s);
    auto *hint = new QLabel(u"The first rule that fits a kernel decides its class; what none takes "
                            u"is compute. Your rules "
                            "are kept for every profiler trace that this window opens."_s);
    hint->setWordWrap(true);
    hint->setProperty("role", u"dim"_s);
    m_table->setModel(m_model);
    m_table->setItemDelegate(new RuleDelegate(m_table));
    m_table->setSelectionBehavior(QTableView::SelectRows);
    m_table->setSelectionMode(QTableView::SingleSelection);
    m_table->setEditTriggers(QTableView::DoubleClicked | QTableView::SelectedClicked |
                             QTableView::EditKeyPressed | QTableView::AnyKeyPressed);
    m_table->setAccessibleName(u"Rules, in order"_s);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setMinimumSectionSize(36);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    m_table->horizontalHeader()->setSectionResizeMode(RulesModel::Pattern, QHeaderView::Stretch);
    for (int column = 0; column < RulesModel::kColumns; ++column) {
        if (column != RulesModel::Pattern)
            m_table->horizontalHeader()->setSectionResizeMode(column,
                                                              QHeaderView::ResizeToContents);
    }
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    auto *addRule = new QPushButton(u"&Add"_s);
    addRule->setToolTip(m_name.isEmpty()
                            ? u"A rule above the chosen one"_s
                            : u"A rule above the chosen one, for the kernel that is selected"_s);
    m_shipped->setToolTip(u"The rules that VRAMscope ships"_s);
    auto *openFile = new QPushButton(u"&Open…"_s);
    auto *saveFile = new QPushButton(u"Sa&ve as…"_s);
    saveFile->setToolTip(u"As JSON, which vramscope-cli profile --rules takes"_s);
    auto *row = new QHBoxLayout;
    for (QPushButton *button : {addRule, m_remove, m_up, m_down})
        row->addWidget(button);
    row->addStretch(1);
    for (QPushButton *button : {m_shipped, openFile, saveFile})
        row->addWidget(button);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_apply = buttons->addButton(u"A&pply"_s, QDialogButtonBox::AcceptRole);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(hint);
    layout->addWidget(m_table, 1);
    layout->addLayout(row);
    layout->addWidget(m_state);
    layout->addWidget(buttons);
    resize(980, 620);
    for (QPushButton *button : findChildren<QPushButton *>())
        button->setAutoDefault(false); // Enter ends the edit of a cell
    connect(addRule, &QPushButton::clicked, this, &RulesDialog::add);
    connect(m_remove, &QPushButton::clicked, this, [this] { m_model->remove(current()); });
    connect(m_up, &QPushButton::clicked, this, [this] { moveBy(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveBy(1); });
    connect(m_shipped, &QPushButton::clicked, this,
            [this] { m_model->setRules(defaultWorkRules()); });
    connect(openFile, &QPushButton::clicked, this, &RulesDialog::askToOpen);
    connect(saveFile, &QPushButton::clicked, this, &RulesDialog::askToSave);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_model, &RulesModel::edited, this, &RulesDialog::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &RulesDialog::refresh);
    m_table->setCurrentIndex(m_model->index(0, RulesModel::Pattern));
    refresh();
}

const std::vector<WorkRule> &RulesDialog::rules() const
{
    return m_model->rules();
}

int RulesDialog::current() const
{
    return m_table->currentIndex().row();
}

void RulesDialog::add()
{
    const int row = std::max(0, current());
    WorkRule rule;
    rule.pattern = patternFor(m_name);
    rule.workClass = WorkClass::Communication;
    m_model->insert(row, std::move(rule));
    m_table->setCurrentIndex(m_model->index(row, RulesModel::Pattern));
    m_table->edit(m_table->currentIndex());
}

void RulesDialog::moveBy(int by)
{
    const int to = current() + by;
    m_model->move(current(), to);
    if (m_model->index(to, 0).isValid())
        m_table->setCurrentIndex(m_model->index(to, m_table->currentIndex().column()));
}

void RulesDialog::refresh()
{
    const QString trouble = m_model->trouble();
    const bool isShipped = rules() == defaultWorkRules();
    m_state->setText(!trouble.isEmpty() ? trouble
                     : isShipped        ? u"These are the rules that VRAMscope ships."_s
                                        : u"These differ from the rules that VRAMscope ships."_s);
    setRole(*m_state, trouble.isEmpty() ? u"dim"_s : u"bad"_s);
    m_apply->setEnabled(trouble.isEmpty());
    m_shipped->setEnabled(!isShipped);
    m_remove->setEnabled(current() >= 0);
    m_up->setEnabled(current() > 0);
    m_down->setEnabled(current() >= 0 && current() + 1 < m_model->rowCount());
}

QString RulesDialog::takeFile(const QString &path)
{
    const auto text = readTextFile(nativePath(path), kLongestDocument);
    auto read = text ? workRulesFromJson(*text) : Result<std::vector<WorkRule>>(text.error());
    if (!read)
        return u"%1: %2"_s.arg(shownPath(path), toQString(read.error().text()));
    m_model->setRules(std::move(read).value());
    return {};
}

QString RulesDialog::writeFile(const QString &path) const
{
    const auto written = writeOutput(nativePath(path), workRulesJson(rules()));
    return written ? QString()
                   : u"%1: %2"_s.arg(shownPath(path), toQString(written.error().text()));
}

void RulesDialog::askToOpen()
{
    const QString path = QFileDialog::getOpenFileName(this, u"Open rules"_s, {}, kFilter);
    const QString trouble = path.isEmpty() ? QString() : takeFile(path);
    if (!trouble.isEmpty())
        m_state->setText(trouble);
}

void RulesDialog::askToSave()
{
    const QString path =
        QFileDialog::getSaveFileName(this, u"Save rules"_s, u"work-rules.json"_s, kFilter);
    if (path.isEmpty())
        return;
    const QString trouble = writeFile(path);
    m_state->setText(trouble.isEmpty() ? u"Written to %1."_s.arg(shownPath(path)) : trouble);
}

} // namespace vramscope
