// Of all tables the widest.
// The value stands in the log.
/// What the log said.
// A rule of English refuses fragments; standby memory and held-out data are fine.
constexpr const char *kText = "beside the plan";
constexpr int heldAtStart = 1;
