"""One REST call: the request as it came in and the answer as it went out."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of the REST API and its answer, handed to the Sandbox's `observe` afterwards.

    `method` is in capitals. `route` is the template that matched, such as `/channels/{channel_id}/messages`, or ""
    if none matched. `path` is what follows `/api/v10`, percent-decoded, with its leading slash and without the query.
    `request_json` is the body, or the `payload_json` part of a multipart body, or None without one.
    `files` names the uploaded files in the order of their parts.
    `response_json` is the answer's body, or None if it has none.
    """

    method: str
    route: str
    path: str
    query: Mapping[str, str]
    request_headers: Mapping[str, str]
    request_json: object
    files: tuple[str, ...]
    status: int
    response_json: object
