/** The calls of `/local/...`, for one member. Each rejects with an Error that holds the server's sentence. */

/** @typedef {import("./types.js").Outcome} Outcome */

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The local server does not answer. Is it still running?");
  }
  const text = await answer.text();
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    // Not JSON: the status below says enough.
  }
  if (!answer.ok) throw new Error(body?.error ?? `The local server answered ${answer.status}.`);
  return body;
}

/** The calls of one member. */
export class Api {
  /** @param {string} member the id of the member to act as; empty lets the server choose */
  constructor(member) {
    this.member = member;
  }

  #get(path, query = {}) {
    const who = this.member ? { as: this.member } : {};
    return ask(`${path}?${new URLSearchParams({ ...who, ...query })}`);
  }

  /** @returns {Promise<Outcome>} */
  #post(path, body) {
    return ask(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ as: this.member, ...body }),
    });
  }

  state() {
    return this.#get("/local/state");
  }

  /** The commands that are there in a channel, or (null) in the server. */
  commands(channel = null) {
    return this.#get("/local/commands", channel ? { channel } : {});
  }

  /** Up to `limit` messages, oldest first; before the message with the id `before`, if given. */
  messages(channel, { limit = 50, before = null } = {}) {
    return this.#get(`/local/channels/${channel}/messages`, before ? { limit, before } : { limit });
  }

  /**
   * @param {{channel: string, name: string, options?: object, subcommand?: string, target?: string,
   *   type?: number}} call
   */
  command(call) {
    return this.#post("/local/command", call);
  }

  /** As `command`, with `focused`: the name of the option being typed. */
  autocomplete(call) {
    return this.#post("/local/autocomplete", call);
  }

  press(message, customId) {
    return this.#post("/local/press", { message, custom_id: customId });
  }

  choose(message, customId, values) {
    return this.#post("/local/choose", { message, custom_id: customId, values });
  }

  submit(interaction, customId, fields) {
    return this.#post("/local/submit", { interaction, custom_id: customId, fields });
  }

  /** Uploads a file for a command's option; returns the attachment. @param {File} file */
  upload(file) {
    const body = new FormData();
    body.append("file", file);
    return ask(`/local/upload?${new URLSearchParams({ as: this.member })}`, { method: "POST", body });
  }

  say(channel, content) {
    return this.#post("/local/message", { channel, content });
  }

  thread(channel, name) {
    return this.#post("/local/thread", { channel, name });
  }

  /** Opens the direct messages with these others, or (none) with the bot. */
  direct(others) {
    return this.#post("/local/direct", { with: others });
  }

  /** Installs the application for the member, for use in direct messages. */
  install() {
    return this.#post("/local/install", {});
  }

  /** A call about the Activity: "launch", "authorize", "authenticate", "participants" or "leave". */
  activity(what, body) {
    return this.#post(`/local/activity/${what}`, body);
  }

  dismiss(message) {
    return this.#post("/local/dismiss", { message });
  }

  /** The address of the member's events socket. */
  eventsUrl() {
    const url = new URL("/local/events", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("as", this.member);
    return url.href;
  }
}
