// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <QString>
#include <QStringList>

namespace vramscope {

/// The answer of the run's story.
[[nodiscard]] QString headlineOf(const RunStudy &study, ByteUnit unit);
/// The findings of the run's story, and its remarks.
[[nodiscard]] QString spreadText(const RunStudy &study, ByteUnit unit);

/// What is wrong with the recordings, a sentence each.
[[nodiscard]] QStringList problemLines(const RunStudy &study);
/// coverageSentences()
[[nodiscard]] QStringList coverageLines(const RunStudy &study);
/// remarkOf()
[[nodiscard]] QString remarkText(const RunStudy &study, std::size_t rank, ByteUnit unit);

} // namespace vramscope
