// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>

namespace vramscope {

using namespace Qt::StringLiterals;

Questions dialogs(QWidget *window)
{
    Questions questions;
    questions.askToSave = [window](const QString &title) {
        const auto answer = QMessageBox::question(
            window, u"Unsaved plan"_s, u"Save the changes to “%1”?"_s.arg(title),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
        return answer == QMessageBox::Save      ? SaveAnswer::Save
               : answer == QMessageBox::Discard ? SaveAnswer::Discard
                                                : SaveAnswer::Cancel;
    };
    questions.askForName = [window](const QString &suggestion) {
        const QString filter =
            suggestion.endsWith(u".png")        ? u"Pictures (*.png)"_s
            : suggestion.endsWith(u".html")     ? u"Web pages (*.html);;PDF documents (*.pdf)"_s
            : suggestion.endsWith(u".pptx")     ? u"Presentations (*.pptx);;PDF documents (*.pdf)"_s
            : suggestion.endsWith(u".vramplan") ? u"Plans (*.vramplan)"_s
                                                : u"All files (*)"_s;
        return QFileDialog::getSaveFileName(window, u"Save as"_s, suggestion, filter);
    };
    questions.openWritten = [](const QString &name) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(name).absoluteFilePath()));
    };
    questions.askForFiles = [window] {
        return QFileDialog::getOpenFileNames(
            window, u"Open plans and recordings"_s, {},
            u"Plans and recordings (*.vramplan *.pickle *.pkl "
            u"*.json *.json.gz *.sqlite *.zip *.html *.csv *.log *.txt "
            u"*.toml *.yaml *.yml *.sh *.safetensors *.gguf *.vramranks);;"
            u"All files (*)"_s);
    };
    questions.askForFolder = [window] {
        return QFileDialog::getExistingDirectory(window,
                                                 u"Open the ranks of a run, or a checkpoint"_s);
    };
    questions.tell = [window](const QString &text) {
        QMessageBox::warning(window, u"VRAMscope"_s, text);
    };
    questions.confirm = [window](const QString &text, const QString &action) {
        QMessageBox box(QMessageBox::Question, u"VRAMscope"_s, text, QMessageBox::Cancel, window);
        const QPushButton *yes = box.addButton(action, QMessageBox::AcceptRole);
        box.setDefaultButton(QMessageBox::Cancel);
        box.exec();
        return box.clickedButton() == yes;
    };
    return questions;
}

} // namespace vramscope
