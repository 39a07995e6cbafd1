"""Refusals: those of the REST API, with Discord's codes and messages, and those of a member's call."""

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
    """A request that exceeds a limit. `wait` is in seconds; `code` is Discord's JSON error code, or 0."""

    def __init__(self, wait: float, code: int = 0) -> None:
        super().__init__(f"{wait} s")
        self.wait = wait
        self.code = code


class Refused(Exception):
    """A member's call cannot be carried out. The message is one sentence that says why."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


def not_found() -> DiscordError:
    return DiscordError(404, 0, "404: Not Found")


def unauthorized() -> DiscordError:
    return DiscordError(401, 0, "401: Unauthorized")


def unknown_application() -> DiscordError:
    return DiscordError(404, 10002, "Unknown Application")


def unknown_channel() -> DiscordError:
    return DiscordError(404, 10003, "Unknown Channel")


def unknown_guild() -> DiscordError:
    return DiscordError(404, 10004, "Unknown Guild")


def unknown_member() -> DiscordError:
    return DiscordError(404, 10007, "Unknown Member")


def unknown_message() -> DiscordError:
    return DiscordError(404, 10008, "Unknown Message")


def unknown_user() -> DiscordError:
    return DiscordError(404, 10013, "Unknown User")


def unknown_webhook() -> DiscordError:
    return DiscordError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> DiscordError:
    return DiscordError(404, 10062, "Unknown interaction")


def unknown_command() -> DiscordError:
    return DiscordError(404, 10063, "Unknown application command")


def too_many_pins() -> DiscordError:
    return DiscordError(400, 30003, "Maximum number of pins reached for the channel (250).")


def too_many_commands(most: int) -> DiscordError:
    return DiscordError(400, 30032, f"Maximum number of application commands reached ({most}).")


def already_acknowledged() -> DiscordError:
    return DiscordError(400, 40060, "Interaction has already been acknowledged.")


def too_many_followups() -> DiscordError:
    return DiscordError(400, 40094, "This interaction has reached its maximum number of follow up messages")


def missing_access() -> DiscordError:
    return DiscordError(403, 50001, "Missing Access")


def not_in_a_direct_message() -> DiscordError:
    return DiscordError(403, 50003, "Cannot execute action on a DM channel")


def edit_of_another() -> DiscordError:
    return DiscordError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> DiscordError:
    return DiscordError(400, 50006, "Cannot send an empty message")


def opens_too_fast() -> DiscordError:
    return DiscordError(403, 40003, "You are opening direct messages too fast.")


def quarantined() -> DiscordError:
    return DiscordError(403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior.")


def moderated() -> DiscordError:
    return DiscordError(400, 200000, "Message was blocked by automatic moderation.")


def takes_no_direct_messages() -> DiscordError:
    return DiscordError(403, 50007, "Cannot send messages to this user")


def no_text_channel() -> DiscordError:
    return DiscordError(400, 50008, "Cannot send messages in a non-text channel")


def missing_permissions() -> DiscordError:
    return DiscordError(403, 50013, "Missing Permissions")


def wrong_channel_type() -> DiscordError:
    return DiscordError(400, 50024, "Cannot execute action on this channel type")


def invalid_webhook_token() -> DiscordError:
    return DiscordError(401, 50027, "Invalid Webhook Token")


def thread_exists() -> DiscordError:
    return DiscordError(400, 160004, "A thread has already been created for this message")


def thread_archived() -> DiscordError:
    return DiscordError(400, 50083, "Thread is archived")


def thread_locked() -> DiscordError:
    return DiscordError(400, 160005, "Thread is locked")


def send_to_locked_thread() -> DiscordError:
    """Discord says that the thread is archived, although a locked thread may be active."""
    return DiscordError(403, 50083, "Thread is archived")


def no_mutual_servers() -> DiscordError:
    return DiscordError(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def bad_json() -> DiscordError:
    return DiscordError(400, 50109, "The request body contains invalid JSON.")


def entry_point_left_out() -> DiscordError:
    return DiscordError(
        400,
        50240,
        "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point"
        " command in your update request or delete it separately.",
    )


def too_large() -> DiscordError:
    return DiscordError(413, 40005, "Request entity too large")
