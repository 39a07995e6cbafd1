"""The owners of the bot: whom Discord names as the owner of the application, or as members of its team."""

from discord import AppInfo, TeamMemberRole, TeamMembershipState

from bot.app.errors import Refused
from bot.ui.interactions.acting import Acting, Interaction
from db.values.places import DiscordId

REFUSAL = "Only the owner of this bot may do that."


def is_owner(application: AppInfo | None, user: DiscordId) -> bool:
    """True for the owner of an application, and for the members of its team who may change it."""
    if application is None:
        return False
    if application.team is None:
        return user == application.owner.id
    return any(
        it.id == user
        and it.membership_state is TeamMembershipState.accepted
        and it.role is not TeamMemberRole.read_only
        for it in application.team.members
    )


def owns(interaction: Interaction) -> bool:
    """True if the member who acts is an owner. discord.py asked Discord for the application when it logged in."""
    return is_owner(interaction.client.application, interaction.user.id)


def check_owner(acting: Acting) -> None:
    """Raise Refused if the member who acts is no owner."""
    if not owns(acting.interaction):
        raise Refused(REFUSAL)
