"""Pictures of standings: leaderboards and a member's record. They name nobody."""
