// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_redaction.h"

namespace vramscope {

void gatherNames(Redaction &names, const Profile &profile)
{
    for (std::size_t id = 0; id < profile.textCount(); ++id)
        names.gather(profile.text(static_cast<StringId>(id)), Redaction::Kind::Code);
    for (const ProfileThread &thread : profile.threads())
        names.gather(thread.name, Redaction::Kind::Prose);
    names.gather(*profile.curves());
}

std::shared_ptr<const Profile> redacted(const Profile &profile, const Redaction &names)
{
    const std::shared_ptr<Profile> result(new Profile(profile));
    result->m_strings = profile.m_strings.mapped(
        [&](StringId, std::string_view each) { return names.text(each, Redaction::Kind::Code); });
    for (ProfileThread &thread : result->m_threads) {
        for (std::string *text : {&thread.process, &thread.thread, &thread.name})
            *text = names.text(*text, Redaction::Kind::Prose);
    }
    for (ProfileGpu &gpu : result->m_gpus) {
        if (gpu.name)
            gpu.name = names.text(*gpu.name, Redaction::Kind::Prose);
    }
    result->m_curves = names.applied(*profile.curves());
    return result;
}

} // namespace vramscope
