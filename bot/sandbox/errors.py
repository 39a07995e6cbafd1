"""Refusals of the REST API, with Discord's codes and messages, and refusals of a member's call."""

from functools import partial
from typing import Any


class DiscordError(Exception):
    """A refusal by the REST API.

    `code` is Discord's JSON error code, or 0 if it has none. `errors` is the nested description of an invalid body.
    """

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


class RateLimited(Exception):
    """A request exceeds a limit. `wait` is in seconds, and `code` is Discord's JSON error code, or 0."""

    def __init__(self, wait: float, code: int = 0) -> None:
        super().__init__(f"{wait} s")
        self.wait = wait
        self.code = code


class Refused(Exception):
    """A member's call cannot be carried out. The message is one sentence that says why."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


not_found = partial(DiscordError, 404, 0, "404: Not Found")
unauthorized = partial(DiscordError, 401, 0, "401: Unauthorized")
invalid_grant = partial(DiscordError, 400, 0, 'Invalid "code" in request.')
activities_disabled = partial(DiscordError, 400, 0, "Activities are not enabled for this application.")
unknown_application = partial(DiscordError, 404, 10002, "Unknown Application")
unknown_channel = partial(DiscordError, 404, 10003, "Unknown Channel")
unknown_guild = partial(DiscordError, 404, 10004, "Unknown Guild")
unknown_member = partial(DiscordError, 404, 10007, "Unknown Member")
unknown_role = partial(DiscordError, 404, 10011, "Unknown Role")
unknown_message = partial(DiscordError, 404, 10008, "Unknown Message")
unknown_user = partial(DiscordError, 404, 10013, "Unknown User")
unknown_webhook = partial(DiscordError, 404, 10015, "Unknown Webhook")
unknown_interaction = partial(DiscordError, 404, 10062, "Unknown interaction")
unknown_command = partial(DiscordError, 404, 10063, "Unknown application command")
too_many_pins = partial(DiscordError, 400, 30003, "Maximum number of pins reached for the channel (250).")
already_acknowledged = partial(DiscordError, 400, 40060, "Interaction has already been acknowledged.")
too_many_followups = partial(
    DiscordError, 400, 40094, "This interaction has reached its maximum number of follow up messages"
)
missing_access = partial(DiscordError, 403, 50001, "Missing Access")
not_in_a_direct_message = partial(DiscordError, 403, 50003, "Cannot execute action on a DM channel")
edit_of_another = partial(DiscordError, 403, 50005, "Cannot edit a message authored by another user")
empty_message = partial(DiscordError, 400, 50006, "Cannot send an empty message")
opens_too_fast = partial(DiscordError, 403, 40003, "You are opening direct messages too fast.")
quarantined = partial(
    DiscordError, 403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior."
)
moderated = partial(DiscordError, 400, 200000, "Message was blocked by automatic moderation.")
takes_no_direct_messages = partial(DiscordError, 403, 50007, "Cannot send messages to this user")
no_text_channel = partial(DiscordError, 400, 50008, "Cannot send messages in a non-text channel")
missing_permissions = partial(DiscordError, 403, 50013, "Missing Permissions")
wrong_channel_type = partial(DiscordError, 400, 50024, "Cannot execute action on this channel type")
invalid_webhook_token = partial(DiscordError, 401, 50027, "Invalid Webhook Token")
thread_exists = partial(DiscordError, 400, 160004, "A thread has already been created for this message")
thread_archived = partial(DiscordError, 400, 50083, "Thread is archived")
thread_locked = partial(DiscordError, 400, 160005, "Thread is locked")
send_to_locked_thread = partial(DiscordError, 403, 50083, "Thread is archived")
"""Discord says that the thread is archived, although a locked thread may be active."""
no_mutual_servers = partial(
    DiscordError, 403, 50278, "Cannot send messages to this user due to having no mutual guilds"
)
bad_json = partial(DiscordError, 400, 50109, "The request body contains invalid JSON.")
entry_point_left_out = partial(
    DiscordError,
    400,
    50240,
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point"
    " command in your update request or delete it separately.",
)
too_large = partial(DiscordError, 413, 40005, "Request entity too large")


def too_many_commands(most: int) -> DiscordError:
    return DiscordError(400, 30032, f"Maximum number of application commands reached ({most}).")
