/**
 * The shapes that travel between the page and the server, as far as the page reads them.
 * They are Discord's own objects; the README beside the server says what it adds.
 *
 * @typedef {{id: string, username: string, global_name?: string | null, bot?: boolean}} User
 * @typedef {{id: string, name: string, type: number, parent_id?: string | null, position?: number,
 *   last_message_id?: string | null, topic?: string | null, recipients?: User[],
 *   thread_metadata?: {archived: boolean, locked: boolean}}} Channel
 * @typedef {{id: string, name: string, online: boolean, description?: string}} Application
 *
 * @typedef {{name: string, value: string | number}} Choice
 * @typedef {{type: number, name: string, description: string, required?: boolean, choices?: Choice[],
 *   autocomplete?: boolean, options?: Option[], min_value?: number, max_value?: number,
 *   min_length?: number, max_length?: number}} Option
 * @typedef {{id: string, type?: number, name: string, description: string, options?: Option[]}} Command
 *
 * @typedef {{id: string, channel_id: string, type: number, content: string, author: User, flags?: number,
 *   timestamp: string, edited_timestamp?: string | null, mentions?: User[], mention_everyone?: boolean,
 *   embeds?: any[], attachments?: any[], components?: Component[], referenced_message?: Message | null,
 *   interaction?: {name: string, user: User}, interaction_metadata?: any,
 *   ephemeral_for?: string | null, state?: "sent" | "thinking" | "failed", local?: boolean}} Message
 *
 * @typedef {{type: number, custom_id?: string, components?: Component[], component?: Component,
 *   label?: string, description?: string, style?: number, disabled?: boolean, url?: string,
 *   content?: string, options?: any[], placeholder?: string, min_values?: number, max_values?: number,
 *   required?: boolean, value?: any}} Component
 *
 * @typedef {{custom_id: string, title: string, components: Component[]}} Modal
 * @typedef {{interaction: string, outcome: "message" | "update" | "modal" | "choices" | "failed",
 *   message?: Message, modal?: Modal, choices?: Choice[], reason?: "timeout" | "offline"}} Outcome
 */

/** Kinds of component, by Discord's numbers. */
export const COMPONENT = Object.freeze({
  ROW: 1, BUTTON: 2, STRING_SELECT: 3, TEXT_INPUT: 4, USER_SELECT: 5, ROLE_SELECT: 6, MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8, SECTION: 9, TEXT: 10, THUMBNAIL: 11, GALLERY: 12, FILE: 13, SEPARATOR: 14, CONTAINER: 17,
  LABEL: 18, FILE_UPLOAD: 19, RADIO_GROUP: 21, CHECKBOX_GROUP: 22, CHECKBOX: 23,
});

/** Kinds of command option, by Discord's numbers. */
export const OPTION = Object.freeze({
  SUBCOMMAND: 1, GROUP: 2, STRING: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, ROLE: 8, MENTIONABLE: 9,
  NUMBER: 10, ATTACHMENT: 11,
});

/** Kinds of command, by Discord's numbers. */
export const COMMAND = Object.freeze({ SLASH: 1, USER: 2, MESSAGE: 3 });

/** The kinds of direct messages: between two, or in a group. */
const DIRECT = [1, 3];

/** True if a channel is direct messages, not a channel of the server. */
export const isDirect = (channel) => DIRECT.includes(channel.type);

/** The sign of a channel's kind: the name of an icon. */
export const signOf = (channel) => (isThread(channel) ? "thread" : isDirect(channel) ? "direct" : "hash");

/** True if a channel's type is that of a thread. */
export const isThread = (channel) => channel.type >= 10 && channel.type <= 12;

/** What is special about a thread: "archived", "locked", both, or "". */
export const stateOf = ({ thread_metadata: state }) =>
  [state?.archived && "archived", state?.locked && "locked"].filter(Boolean).join(" and ");
