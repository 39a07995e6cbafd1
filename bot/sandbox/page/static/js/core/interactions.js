/**
 * A member's interactions with an application: commands, presses, choices, submissions.
 * Stores the controls that wait for an answer, and the messages whose last interaction failed.
 */

/** @typedef {import("./types.js").Outcome} Outcome */

const FAILED = "This interaction failed.";
const REASONS = { timeout: "The bot did not answer within 3 seconds.", offline: "No bot is connected." };

const choiceKey = (message, select) => `${message} ${JSON.stringify(select)}`;

/** The sentences for an interaction without an answer. */
export function failureText(outcome) {
  return REASONS[outcome.reason] ?? FAILED;
}

/** Emits "change" (detail: message id), "modal" (detail: interaction, modal) and "activity" (detail: instance id). */
export class Interactions extends EventTarget {
  /** Control waiting for an answer, by message id. @type {Map<string, {customId: string}>} */
  #waiting = new Map();
  /** The sentence that says why, by message id. */
  #failures = new Map();
  /** Values chosen last, by message id and menu: shown until the bot changes the menu. */
  #choices = new Map();

  /** The custom_id of the control that waits for its answer, or undefined. */
  waiting(message) {
    return this.#waiting.get(message)?.customId;
  }

  /** Notes that the bot has changed a message: it has answered, even if the call has not returned yet. */
  settle(message) {
    this.#waiting.delete(message);
  }

  /** Why the last interaction with a message failed, or undefined. */
  failure(message) {
    return this.#failures.get(message);
  }

  /** @param {import("./session.js").Session} session */
  press(session, message, customId) {
    return this.#use(message, customId, () => session.api.press(message, customId));
  }

  /** The values chosen last in a menu as it stands, or undefined. */
  chosen(message, select) {
    return this.#choices.get(choiceKey(message, select));
  }

  /** @param {import("./session.js").Session} session @param {import("./types.js").Component} select */
  choose(session, message, select, values) {
    if (this.#waiting.has(message)) return Promise.resolve();
    this.#choices.set(choiceKey(message, select), values);
    return this.#use(message, select.custom_id, () => session.api.choose(message, select.custom_id, values));
  }

  /** Handles the outcome of a finished call. @param {Outcome} outcome */
  follow(outcome) {
    if (outcome.outcome === "activity") this.dispatchEvent(new CustomEvent("activity", { detail: outcome.instance }));
    if (outcome.outcome !== "modal") return;
    const { interaction, modal } = outcome;
    this.dispatchEvent(new CustomEvent("modal", { detail: { interaction, modal } }));
  }

  async #use(message, customId, call) {
    if (this.#waiting.has(message)) return;
    const mine = { customId };
    this.#waiting.set(message, mine);
    this.#failures.delete(message);
    this.#changed(message);
    let outcome = null;
    try {
      outcome = await call();
      if (outcome.outcome === "failed") this.#failures.set(message, `${FAILED} ${failureText(outcome)}`);
    } catch (error) {
      this.#failures.set(message, error.message);
    }
    const awaited = this.#waiting.get(message) === mine;
    if (awaited) this.#waiting.delete(message);
    if (awaited || this.#failures.has(message)) this.#changed(message);
    // Last: a modal that opens now returns the focus to the control as it is drawn now.
    if (outcome) this.follow(outcome);
  }

  #changed(message) {
    this.dispatchEvent(new CustomEvent("change", { detail: message }));
  }
}
