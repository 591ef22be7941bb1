// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/fit_parts.h"

#include "core/base/format.h"
#include "core/print/json_parts.h"

namespace vramscope {

namespace {

template<class List, class Show>
std::string joined(const List &list, const Show &show)
{
    std::string text;
    for (const auto &member : list)
        text += (text.empty() ? "" : ",") + show(member);
    return text;
}

Json peakJson(const FitSummary &it)
{
    return {{"allocated", it.allocated},
            {"reserved", it.reserved},
            {"device", it.device},
            {"at", it.at}};
}

Json bindingJson(const Binding &it)
{
    return {{"component", it.component},
            {"category", categoryName(it.category)},
            {"bytes", it.bytes},
            {"moment", it.moment}};
}

} // namespace

std::string shownValue(const FieldValue &value)
{
    struct Show
    {
        std::string operator()(std::monostate) const { return "(left out)"; }
        std::string operator()(bool set) const { return set ? "true" : "false"; }
        std::string operator()(std::int64_t number) const { return formatCount(number); }
        std::string operator()(double number) const { return formatNumber(number); }
        std::string operator()(const std::string &text) const { return text; }
        std::string operator()(const TextList &list) const { return joined(list, *this); }
        std::string operator()(const CountList &list) const { return joined(list, *this); }
    };
    return std::visit(Show(), value);
}

std::string shownFields(const std::vector<FieldSetting> &fields)
{
    std::string text;
    for (const FieldSetting &field : fields)
        text +=
            (text.empty() ? "" : ", ") + std::string(field.path) + " = " + shownValue(field.value);
    return text;
}

void addFitSummary(Json &json, const std::optional<FitSummary> &it)
{
    json["peak"] = it ? peakJson(*it) : Json();
    json["headroom"] = it ? Json(it->headroom) : Json();
    json["fits"] = it && it->fits;
    json["verdict"] = verdictKey(it ? it->verdict : Verdict::DoesNotFit);
    json["risk"] = it && !it->risk.empty() ? Json(it->risk) : Json();
    json["binding"] = it ? bindingJson(it->binding) : Json();
}

} // namespace vramscope
