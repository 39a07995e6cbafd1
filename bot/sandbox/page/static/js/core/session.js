/**
 * The state of one member: the server's users, channels and commands, and the messages read so far,
 * kept up to date by the member's events socket.
 */

import { Api } from "./api.js";
import { Events } from "./events.js";
import { compareIds, newest } from "./ids.js";
import { Reading } from "./reading.js";
import { PAGE, Timeline } from "./timeline.js";
import { COMMAND, isThread } from "./types.js";

/** @typedef {import("./types.js").Message} Message */

/** The position of direct messages, which have none: below the server's channels. */
const LAST = 10_000;

/** The duration of one "is typing" without a message, in milliseconds. */
const TYPING = 10_000;

/**
 * Emits "world", "commands", "messages" (detail: channel id), "edited" (detail: message id), "typing", "reading" and
 * "link".
 */
export class Session extends EventTarget {
  /** @type {import("./types.js").User} */
  me;
  /** @type {import("./types.js").Application | null} */
  application = null;
  guild = { id: "0", name: "", roles: [] };
  /** The members, without the bot. @type {import("./types.js").User[]} */
  humans = [];
  /** All users, the bot included. @type {Map<string, import("./types.js").User>} */
  members = new Map();
  /** @type {Map<string, import("./types.js").Channel>} */
  channels = new Map();
  /** The commands that are there in the channel opened last. @type {import("./types.js").Command[]} */
  commands = [];
  /** That channel. @type {string | null} */
  #opened = null;
  /** True if the events socket is open and everything missed has been read again. */
  live = false;

  /** @type {Map<string, Timeline>} */
  #timelines = new Map();
  #events = null;
  /** When each typist's sign ends, by channel and user. */
  #typists = new Map();
  /** Events that arrived while a reading was under way, to be applied after it; null when none is. */
  #held = null;
  /** The same for single channels. @type {Map<string, any[]>} */
  #heldBack = new Map();

  /** @param {any} state the answer of `/local/state` for this member */
  constructor(state) {
    super();
    this.api = new Api(state.me.id);
    this.reading = new Reading(state.me.id);
    this.reading.addEventListener("change", () => this.#emit("reading"));
    this.#world(state);
  }

  /** Follows the server from now on. */
  start() {
    this.#events = new Events(this.api.eventsUrl(), {
      open: () => this.#catchUp(),
      event: (event) => (this.#held ? this.#held.push(event) : this.#apply(event)),
      lost: () => this.#setLive(false),
    });
  }

  stop() {
    this.#events?.close();
  }

  /** All users in the order in which they are offered: oneself comes last, who is seldom meant. */
  get choosable() {
    const all = [...this.members.values()];
    return [...all.filter(({ id }) => id !== this.me.id), ...all.filter(({ id }) => id === this.me.id)];
  }

  /** @returns {Timeline} */
  timeline(channel) {
    if (!this.#timelines.has(channel)) this.#timelines.set(channel, new Timeline());
    return this.#timelines.get(channel);
  }

  /** Reads a channel's commands, and its newest messages unless they are there. */
  async open(channel) {
    if (this.#opened !== channel) {
      this.#opened = channel;
      this.#readCommands();
    }
    const timeline = this.timeline(channel);
    if (timeline.loaded || this.#heldBack.has(channel)) return;
    await this.#readFrom(channel, async () => {
      const page = await this.api.messages(channel);
      if (!timeline.loaded) timeline.refresh(page);
    });
  }

  /** Reads the page before the oldest message known. */
  async readOlder(channel) {
    const timeline = this.timeline(channel);
    const { oldest } = timeline;
    if (timeline.complete || !oldest || this.#heldBack.has(channel)) return;
    await this.#readFrom(channel, async () => {
      const page = await this.api.messages(channel, { before: oldest.id });
      if (timeline.oldest?.id === oldest.id) timeline.prepend(page);
    });
  }

  /** Reads from a channel. Events of the channel wait meanwhile, since the answer may lack their changes. */
  async #readFrom(channel, read) {
    const held = [];
    this.#heldBack.set(channel, held);
    try {
      await read();
      this.#emit("messages", channel);
    } finally {
      this.#heldBack.delete(channel);
      for (const event of held) this.#apply(event);
    }
  }

  /** Shows a message that exists only in this page. */
  showLocal(message) {
    this.timeline(message.channel_id).put({ ...message, local: true });
    this.#emit("messages", message.channel_id);
  }

  removeLocal(channel, id) {
    this.timeline(channel).remove(id);
    this.#emit("messages", channel);
  }

  /** Channels in order, each followed by its threads, newest thread first. */
  get channelList() {
    const all = [...this.channels.values()];
    const tops = all.filter((channel) => !isThread(channel) && channel.type !== 4);
    tops.sort((a, b) => (a.position ?? LAST) - (b.position ?? LAST) || compareIds(a.id, b.id));
    return tops.flatMap((channel) => [
      channel,
      ...all.filter((thread) => isThread(thread) && thread.parent_id === channel.id)
        .sort((a, b) => compareIds(b.id, a.id)),
    ]);
  }

  /** True if a channel has a message that the member has not read. */
  isUnread(channel) {
    const last = this.channels.get(channel)?.last_message_id;
    return Boolean(last) && compareIds(last, this.reading.seen(channel)) > 0;
  }

  /** The number of unseen messages that mention the member, in one channel or in all. */
  pingCount(channel = null) {
    const where = channel ? [channel] : [...this.channels.keys()];
    return where.reduce((sum, id) => sum + this.reading.pings(id).length, 0);
  }

  /** The channel with the newest unseen ping. */
  get pingedChannel() {
    const latest = (id) => this.reading.pings(id).reduce(newest, "0");
    const pinged = [...this.channels.keys()].filter((id) => this.reading.pings(id).length);
    return pinged.sort((a, b) => compareIds(latest(b), latest(a)))[0] ?? null;
  }

  /** The ids of those who are typing in a channel. */
  typists(channel) {
    const now = Date.now();
    return [...(this.#typists.get(channel) ?? [])].filter(([, until]) => until > now).map(([user]) => user);
  }

  userCommands() {
    return this.commands.filter((command) => command.type === COMMAND.USER);
  }

  messageCommands() {
    return this.commands.filter((command) => command.type === COMMAND.MESSAGE);
  }

  /** True if a message mentions the member. */
  mentionsMe(message) {
    return message.author.id !== this.me.id
      // All members have every role that a message can mention.
      && (Boolean(message.mention_everyone) || Boolean(message.mention_roles?.length)
        || (message.mentions ?? []).some(({ id }) => id === this.me.id));
  }

  async #catchUp() {
    this.#held = [];
    try {
      const state = await this.api.state();
      this.#world(state);
      await this.#readCommands();
      await Promise.all([...this.channels.keys()].map((channel) => this.#reread(channel)));
      this.#emit("world");
      this.#setLive(true);
    } catch {
      // The socket broke again, or is about to: the next connection reads everything again.
    } finally {
      const held = this.#held;
      this.#held = null;
      for (const event of held) this.#apply(event);
    }
  }

  /** Reads a channel again if it is known here or may have pings that were missed. */
  async #reread(channel) {
    const timeline = this.timeline(channel);
    if (!timeline.loaded && !this.isUnread(channel) && !this.pingCount(channel)) return;
    const page = await this.api.messages(channel);
    const first = page.length < PAGE ? "0" : page[0].id;
    this.reading.dropPings(channel, (ping) => compareIds(ping, first) >= 0 && page.every(({ id }) => id !== ping));
    for (const message of page) if (this.mentionsMe(message)) this.reading.addPing(channel, message.id);
    timeline.refresh(page);
    this.#emit("messages", channel);
  }

  #world(state) {
    this.me = state.me;
    this.application = state.application;
    this.guild = state.guild;
    this.humans = state.members.filter((member) => !member.bot);
    this.#people();
    this.channels = new Map(state.channels.map((channel) => [channel.id, channel]));
  }

  #people() {
    const bot = this.application?.bot;
    const all = bot ? [...this.humans, { ...bot, bot: true }] : this.humans;
    this.members = new Map(all.map((member) => [member.id, member]));
  }

  #apply(event) {
    const held = this.#heldBack.get(event.message?.channel_id ?? event.channel);
    if (held) held.push(event);
    else if (event.type === "message") this.#message(event.message);
    else if (event.type === "message_delete") this.#deleted(event.channel, event.id);
    else if (event.type === "channel") {
      this.channels.set(event.channel.id, event.channel);
      this.#emit("world");
    } else if (event.type === "commands") this.#readCommands();
    else if (event.type === "application") {
      this.application = event.application;
      this.#people();
      this.#emit("world");
    } else if (event.type === "ping") this.reading.addPing(event.channel, event.message);
    else if (event.type === "channel_delete") {
      this.channels.delete(event.id);
      this.#emit("world");
    } else if (event.type === "typing") this.#typing(event.channel, event.user);
  }

  #message(message) {
    const channel = this.channels.get(message.channel_id);
    const timeline = this.timeline(message.channel_id);
    const known = timeline.messages.some(({ id }) => id === message.id);
    if (timeline.loaded) timeline.hear(message);
    if (known) this.#emit("edited", message.id);
    if (this.#typists.get(message.channel_id)?.delete(message.author.id)) this.#emit("typing");
    if (channel && compareIds(message.id, channel.last_message_id ?? "0") > 0) {
      channel.last_message_id = message.id;
      if (message.author.id === this.me.id) this.reading.markRead(channel.id, message.id);
      this.#emit("world");
    }
    this.#emit("messages", message.channel_id);
  }

  #typing(channel, user) {
    if (!this.#typists.has(channel)) this.#typists.set(channel, new Map());
    this.#typists.get(channel).set(user, Date.now() + TYPING);
    this.#emit("typing");
    setTimeout(() => this.#emit("typing"), TYPING);
  }

  #deleted(channel, id) {
    this.timeline(channel).remove(id);
    this.reading.dropPings(channel, (ping) => ping === id);
    this.#emit("messages", channel);
  }

  async #readCommands() {
    const opened = this.#opened;
    try {
      const commands = await this.api.commands(this.channels.has(opened) ? opened : null);
      if (opened !== this.#opened) return;
      this.commands = commands;
      this.#emit("commands");
    } catch {
      // The connection is gone; they are read again with everything else when it is back.
    }
  }

  #setLive(live) {
    this.live = live;
    this.#emit("link");
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
