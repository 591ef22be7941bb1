// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <QUndoCommand>

#include <functional>
#include <string>

namespace vramscope {

/// One edit of a plan in the history. Edits of the same field within one gesture (a drag, a number
/// being typed) become one step.
class EditCommand : public QUndoCommand
{
public:
    using Apply = std::function<void(const Plan &)>;

    EditCommand(Plan before, Plan after, std::string path, int gesture, Apply apply)
        : m_before(std::move(before))
        , m_after(std::move(after))
        , m_path(std::move(path))
        , m_gesture(gesture)
        , m_apply(std::move(apply))
    {
    }

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    [[nodiscard]] int id() const override { return 1; }

    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = dynamic_cast<const EditCommand *>(other);
        if (!next || next->m_path != m_path || next->m_gesture != m_gesture)
            return false;
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Plan m_before;
    Plan m_after;
    std::string m_path;
    int m_gesture;
    Apply m_apply;
};

} // namespace vramscope
