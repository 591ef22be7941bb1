// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/theme.h"

#include <QApplication>
#include <QStyle>
#include <QStyleFactory>

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Colours are written @name. Labels and buttons declare their kind with the dynamic property
// "role".
constexpr QStringView kSheet = uR"(
QToolTip { background: @card; color: @text; border: 1px solid @border; padding: 4px 8px; }

QMenuBar { background: @raised; border: none; padding: 2px 8px; }
QMenuBar::item { background: transparent; color: @dim; padding: 4px 10px; border-radius: 4px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @window; color: @text; }
QMenu { background: @card; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @faint; background: transparent; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::icon { left: 8px; }
QMenu::indicator { width: 12px; height: 12px; left: 8px; }
QMenu::indicator:checked { image: url(:/icons/check.svg); }
QMenu::right-arrow { image: url(:/icons/chevron-right.svg); width: 10px; right: 6px; }

QTabWidget::pane { border: none; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @dim; padding: 8px 16px; margin-top: 4px;
    border: 1px solid transparent; border-top-left-radius: 6px; border-top-right-radius: 6px; }
QTabBar::tab:first { margin-left: 10px; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { background: @window; color: @text; border-color: @line; border-bottom-color: @window; }
QTabBar:focus::tab:selected { border-color: @accent; }
QTabBar::close-button { image: url(:/icons/close.svg); border-radius: 3px; width: 12px; height: 12px; margin: 2px; }
QTabBar::close-button:hover { background: @line; }
QTabBar QToolButton { background: @card; border: none; }

QStatusBar { background: @card; border-top: 1px solid @line; color: @dim; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @dim; }

QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: @accent; }

QScrollArea { border: none; }
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 11px; margin: 0; }
QScrollBar:horizontal { height: 11px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 3px; margin: 2px 3px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 3px 2px; }
QScrollBar::handle:hover { background: @dim; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QPushButton { background: @card; color: @text; border: 1px solid @border; border-radius: 6px; padding: 4px 12px; min-height: 18px; }
QPushButton:hover { border-color: @accent; }
QPushButton:focus { border-color: @accent; }
QPushButton:pressed { background: @selection; }
QPushButton:checked { background: @selection; border-color: @accent; color: @text; }
QPushButton:checked:focus { border-color: @text; }
QPushButton:disabled { color: @faint; }
QPushButton[role="primary"] { background: @text; border-color: @text; color: @card; }
QPushButton[role="primary"]:hover, QPushButton[role="primary"]:focus { border-color: @accent; }
QPushButton[role="row"] { border-color: transparent; background: transparent; text-align: left; padding: 5px 8px; }
QPushButton[role="row"]:hover, QPushButton[role="row"]:focus { background: @selection; }
QPushButton[role="row"]:disabled { color: @faint; }
QTabBar[role="views"] { background: @raised; border-radius: 6px; }
QTabBar[role="views"]::tab { background: transparent; color: @dim; border: 1px solid transparent; border-radius: 6px;
    padding: 4px 8px; margin: 0; }
QTabBar[role="views"]::tab:first { margin-left: 0; }
QTabBar[role="views"]::tab:hover { color: @text; }
QTabBar[role="views"]::tab:selected { background: @card; color: @text; border-color: @border; font-weight: bold; }
QTabBar[role="views"]::tab:disabled { color: @faint; }
QTabBar[role="views"]:focus::tab:selected { border-color: @accent; }
QToolButton[role="scenario"] { color: @text; border-color: @line; padding: 2px 16px 2px 6px; }
QToolButton[role="scenario"]:hover, QToolButton[role="scenario"]:focus { border-color: @accent; }
QPushButton[role="link"] { border: none; background: transparent; color: @accent; padding: 0 2px; text-align: right; }
QPushButton[role="link"]:hover, QPushButton[role="link"]:focus { text-decoration: underline; }
QPushButton[role="tab"] { border-color: transparent; background: transparent; color: @dim; padding: 3px 7px; }
QPushButton[role="tab"]:hover, QPushButton[role="tab"]:focus { border-color: @accent; }
QPushButton[role="tab"]:checked { background: @card; border-color: @border; color: @text; font-weight: bold; }
QPushButton[role="tab"]:checked:focus { border-color: @accent; }
QPushButton[role="curve"] { border-color: transparent; background: transparent; color: @dim; text-align: left; padding: 3px 8px; }
QPushButton[role="curve"]:hover, QPushButton[role="curve"]:focus { background: @selection; }
QPushButton[role="curve"]:checked { color: @text; }
QPushButton[role="choices"] { background: @card; border-radius: 6px; text-align: left; padding: 2px 6px; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: url(:/icons/chevron-down.svg);
    subcontrol-position: right center; right: 4px; width: 10px; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 4px; padding: 3px 6px; }
QToolButton:hover, QToolButton:focus { background: @selection; }
QToolButton[popupMode="2"] { padding-right: 18px; }
QToolButton[role="legend"] { padding: 1px 5px; color: @dim; }
QToolButton[role="legend"]:checked { background: @selection; color: @text; border-color: @accent; }
QToolButton[role="legend"]:checked:focus { border-color: @text; }
QLineEdit[bad="true"] { border-color: @bad; color: @bad; }
QToolButton[role="quiet"], QToolButton[role="reset"] { color: @dim; border: none; padding: 1px 2px; }
QToolButton[role="reset"] { color: @accent; padding: 0; }
QToolButton[role="quiet"]:hover, QToolButton[role="quiet"]:focus { color: @accent; background: transparent; }

QLineEdit, QComboBox, QAbstractSpinBox { background: @card; color: @text; border: 1px solid @border; border-radius: 6px;
    padding: 2px 7px; min-height: 22px; selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:hover, QComboBox:hover, QAbstractSpinBox:hover { border-color: @control; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: @accent; }
QPlainTextEdit { background: @card; color: @text; border: 1px solid @border; border-radius: 6px;
    selection-background-color: @accent; selection-color: @onAccent; }
QPlainTextEdit:focus { border-color: @accent; }
QComboBox[state="default"], QComboBox[state="default"] QLineEdit, QPushButton[state="default"] { color: @dim; }
QLineEdit[state="warn"], QComboBox[state="warn"], QPushButton[state="warn"] { border-color: @warn; }
QLineEdit[state="bad"], QComboBox[state="bad"], QPushButton[state="bad"] { border-color: @bad; }
QLineEdit[state="warn"]:focus, QComboBox[state="warn"]:focus { border: 2px solid @warn; padding: 1px 6px; }
QLineEdit[state="bad"]:focus, QComboBox[state="bad"]:focus { border: 2px solid @bad; padding: 1px 6px; }
QLineEdit[role="ask"] { padding: 6px 16px; border: 1px solid @control; border-radius: 8px; }
QLineEdit[role="ask"]:focus { border: 2px solid @accent; padding: 5px 15px; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: @faint; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url(:/icons/chevron-down.svg); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @card; border: 1px solid @border; padding: 3px; outline: none;
    selection-background-color: @selection; selection-color: @text; }
QListView[role="popup"] { background: @card; border: 1px solid @border;
    selection-background-color: @selection; selection-color: @text; }
QComboBox QLineEdit { background: transparent; border: none; padding: 0; min-height: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: 14px; }
QAbstractSpinBox::up-arrow { image: url(:/icons/chevron-up.svg); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/chevron-down.svg); width: 9px; height: 9px; }

QCheckBox { spacing: 6px; }
QCheckBox::indicator, QTableView::indicator, QListWidget::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 3px; background: @card; }
QCheckBox::indicator:hover, QCheckBox:focus::indicator { border-color: @accent; }
QCheckBox::indicator:checked, QTableView::indicator:checked, QListWidget::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-light.svg); }

QSlider { min-height: 18px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @line; }
QSlider::sub-page:horizontal { border-radius: 2px; background: @dim; }
QSlider::sub-page:horizontal:disabled { background: @border; }
QSlider::handle:horizontal { width: 10px; height: 10px; margin: -5px 0; border: 2px solid @dim;
    border-radius: 7px; background: @card; }
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus { border-color: @accent; background: @selection; }
QSlider::handle:horizontal:disabled { border-color: @border; }

QProgressBar { background: @line; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }

QAbstractItemView { outline: none; }
QTreeView, QTableView, QListView { background: @card; alternate-background-color: @window; border: 1px solid transparent;
    gridline-color: @line; selection-background-color: @selection; selection-color: @text; }
QTreeView:focus, QTableView:focus, QListView:focus { border-color: @accent; }
QTreeView::item, QListView::item { padding: 3px 2px; border: none; }
QTableView::item { padding: 0 6px; border: none; }
QTreeView::item:selected, QTableView::item:selected, QListView::item:selected { background: @selection; color: @text; }
QHeaderView { background: @card; border: none; }
QHeaderView::section { background: @card; color: @dim; border: none; border-bottom: 1px solid @line; padding: 4px 1px 4px 9px;
    font-size: 9pt; font-weight: bold; }
QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-origin: padding; subcontrol-position: top center;
    width: 9px; height: 9px; }
QHeaderView::up-arrow { image: url(:/icons/chevron-up.svg); }
QHeaderView::down-arrow { image: url(:/icons/chevron-down.svg); }

QLabel[role="title"] { font-family: 'VRAMscope Inter Head', Inter; font-size: 24pt; font-weight: bold; }
QLabel[role="heading"] { font-size: 11.25pt; font-weight: bold; }
QLabel[role="section"] { color: @dim; font-size: 9pt; font-weight: bold; }
QLabel[role="dim"] { color: @dim; }
QLabel[role="bad"] { color: @bad; }
QWidget[role="strip"] { background: @card; border-bottom: 1px solid @line; }
QWidget[role="side"] { background: @card; }
QWidget[role="side-below"] { background: @card; border-top: 1px solid @line; }
QPushButton[role="chip"], QPushButton[role="bad-chip"] { background: transparent; border-radius: 11px; padding: 3px 11px; }
QPushButton[role="bad-chip"] { color: @bad; border-color: @bad; }
QPushButton[role="bad-chip"]:focus { border-color: @text; }
QTextEdit[role="stack"] { background: transparent; border: none; }
QLabel[role="warn"] { color: @warn; }
QFrame[role="card"] { background: @card; border: 1px solid @line; border-radius: 8px; }
QFrame[role="notice"] { background: @card; border: none; border-bottom: 1px solid @line; }
QFrame[role="list"] { background: @card; border: 1px solid @border; }
QFrame[role="list"] QHeaderView::section { padding: 4px 2px; }
QFrame[role="dropzone"] { background: @card; border: 1px dashed @border; border-radius: 10px; }
QFrame[role="dropzone"][active="true"] { background: @selection; border: 1px solid @accent; }
)";

} // namespace

QString themeStyleSheet(const Theme &theme)
{
    const std::pair<QStringView, QColor> colors[] = {
        {u"@window", theme.window}, {u"@card", theme.card},     {u"@line", theme.line},
        {u"@text", theme.text},     {u"@dim", theme.dim},       {u"@accent", theme.accent},
        {u"@bad", theme.bad},       {u"@warn", theme.warn},     {u"@selection", theme.selection},
        {u"@border", theme.border}, {u"@faint", theme.faint()}, {u"@onAccent", theme.onAccent()},
        {u"@raised", theme.raised}, {u"@hint", theme.hint},     {u"@control", theme.control}};
    QString sheet = kSheet.toString();
    for (const auto &[name, color] : colors)
        sheet.replace(name.toString(), color.name());
    return sheet;
}

void applyTheme(const Theme &theme)
{
    // A style sheet wraps the style; setting it again would unwrap and wrap every widget for
    // nothing.
    if (qApp->styleSheet().isEmpty())
        QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    QApplication::setPalette(themePalette(theme));
    QApplication::setFont(typeFont());
    qApp->setStyleSheet(themeStyleSheet(theme));
}

} // namespace vramscope
