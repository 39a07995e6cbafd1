"""Answers to interactions, followups, and edits of both by the interaction's token."""

from bot.sandbox.rest.wire import NO_CONTENT, Answer, Call, Routes
from bot.sandbox.services import Services
from bot.sandbox.world.interaction import Interaction

routes = Routes()
WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
ORIGINAL = f"{WEBHOOK}/messages/@original"
FOLLOWUP = f"{WEBHOOK}/messages/{{message_id}}"
TRUE = ("1", "true", "True")


@routes("POST", "/interactions/{interaction_id}/{interaction_token}/callback", token=False)
def answer(services: Services, call: Call) -> Answer:
    id_, token = call.params["interaction_id"], call.params["interaction_token"]
    made = services.interactions.answer(id_, token, call.body, call.uploads)
    return Answer(200, made) if call.query.get("with_response") in TRUE else NO_CONTENT


@routes("POST", WEBHOOK, token=False)
def followup(services: Services, call: Call) -> Answer:
    message = services.interactions.followup(_interaction(services, call), call.body, call.uploads)
    # Webhooks of interactions always answer with the message, whatever `wait` says.
    return Answer(200, services.world.view(message))


@routes("GET", ORIGINAL, FOLLOWUP, token=False)
def message(services: Services, call: Call) -> Answer:
    found = services.interactions.message(_interaction(services, call), _message_id(call))
    return Answer(200, services.world.view(found))


@routes("PATCH", ORIGINAL, FOLLOWUP, token=False)
def edit(services: Services, call: Call) -> Answer:
    made = services.interactions.edit(
        _interaction(services, call), _message_id(call), call.body, call.uploads
    )
    return Answer(200, services.world.view(made))


@routes("DELETE", ORIGINAL, FOLLOWUP, token=False)
def delete(services: Services, call: Call) -> Answer:
    services.interactions.delete(_interaction(services, call), _message_id(call))
    return NO_CONTENT


def _interaction(services: Services, call: Call) -> Interaction:
    return services.interactions.by_token(call.params["webhook_id"], call.params["webhook_token"])


def _message_id(call: Call) -> str:
    return call.params.get("message_id", "@original")
