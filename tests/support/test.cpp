// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::test {

namespace {

QString folderOr(const char *variable, const QString &besideProject)
{
    const QString named = qEnvironmentVariable(variable);
    const QString folder = named.isEmpty() ? projectFile(besideProject) : named;
    return QFileInfo(folder).isDir() ? QDir(folder).canonicalPath() : QString();
}

struct Added
{
    std::string name;
    int (*run)(int argc, char **argv);
};

std::vector<Added> &allAdded()
{
    static std::vector<Added> all;
    return all;
}

} // namespace

bool add(const char *file, int (*run)(int argc, char **argv))
{
    allAdded().push_back({std::filesystem::path(file).stem().string(), run});
    return true;
}

int run(int argc, char **argv)
{
    int failed = 0;
    if (argc < 2) {
        for (const Added &test : allAdded())
            failed += test.run(argc, argv);
        return std::min(failed, 127); // more would wrap, in the exit status, to success
    }
    const auto named = std::ranges::find(allAdded(), std::string_view(argv[1]), &Added::name);
    if (named == allAdded().end()) {
        std::cerr << "There is no " << argv[1] << "; there are:\n";
        for (const Added &test : allAdded())
            std::cerr << "  " << test.name << '\n';
        return 1;
    }
    std::vector<char *> arguments(argv, argv + argc);
    arguments.erase(arguments.begin() + 1);
    return named->run(argc - 1, arguments.data());
}

void Test::init()
{
    // The offscreen platform says this of windows and tooltips that are shown; it is no fault of
    // ours.
    QTest::failOnWarning(QRegularExpression(
        QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise|grabbing))")));
}

QString corpusFolder()
{
    return folderOr("VRAMSCOPE_CORPUS", QStringLiteral("../shared/traces"));
}

QString measuredFolder()
{
    return folderOr("VRAMSCOPE_MEASURED", QStringLiteral("../shared/measured"));
}

QString servingLogsFolder()
{
    return folderOr("VRAMSCOPE_SERVING_LOGS", QStringLiteral("../shared/serving-logs"));
}

QString projectFile(const QString &path)
{
    const QString file = QDir(QStringLiteral(VRAMSCOPE_SOURCE_DIR)).filePath(path);
    return QFileInfo(file).absoluteFilePath(); // with its drive on Windows
}

QString pictureFolder()
{
    const QDir folder(QStringLiteral(VRAMSCOPE_BINARY_DIR "/pictures"));
    folder.mkpath(QStringLiteral("."));
    return folder.path();
}

} // namespace vramscope::test
