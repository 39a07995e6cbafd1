/** The page: the acting member, the open channel, and the drawing after changes. */

import { Api } from "./core/api.js";
import { h } from "./core/dom.js";
import { Interactions, failureText } from "./core/interactions.js";
import { nameOf, titleOf } from "./core/people.js";
import { coalesced, redraw } from "./core/redraw.js";
import { Session } from "./core/session.js";
import { setTheme } from "./core/theme.js";
import { COMMAND, isDirect } from "./core/types.js";
import { Composer } from "./composer/composer.js";
import { openActivity } from "./dialog/activity.js";
import { openMenu } from "./dialog/menu.js";
import { openModal } from "./dialog/modal.js";
import { askThreadName } from "./dialog/thread.js";
import { showImage } from "./dialog/viewer.js";
import { Drawers } from "./side/drawers.js";
import { Feed } from "./message/feed.js";
import { banners } from "./side/banner.js";
import { channelList } from "./side/channels.js";
import { memberList } from "./side/members.js";
import { topLine } from "./side/top.js";
import { keepCounting } from "./text/time.js";

const place = (id) => document.getElementById(id);

class Page {
  /** @type {Map<string, Session>} by member */
  sessions = new Map();
  /** @type {Session} */
  session;
  channel = null;
  interactions = new Interactions();

  /** @param {Session} session the first acting member's */
  constructor(session) {
    this.session = session;
    this.view = this.#view();
    this.feed = new Feed(this.view);
    const run = (call, title) => this.#run(call, title);
    // The answer comes at the end, so that is where the member looks next.
    this.composer = new Composer(this.view, run, () => this.feed.hold.toEnd());
    this.drawers = new Drawers(place("app"), place("scrim"));
    this.drawSides = coalesced(() => this.#drawSides());
    this.banner = h("div", { class: "banners" });
    place("feed").append(this.feed.element);
    place("foot").append(this.banner, this.composer.element);
    this.#follow(session);
    for (const member of session.humans) this.#join(member, session);
    this.interactions.addEventListener("change", ({ detail }) => this.feed.redraw(detail));
    this.interactions.addEventListener("modal", ({ detail }) => openModal(detail, this.view));
    this.interactions.addEventListener("activity", ({ detail }) => {
      openActivity({ session: this.session, channel: this.channel, instance: detail });
    });
    addEventListener("click", (event) => this.#followLink(event));
    addEventListener("keydown", (event) => this.#shortcut(event));
    const byKeyboard = (yes) => document.documentElement.toggleAttribute("data-keyboard", yes);
    addEventListener("keydown", (event) => event.key === "Tab" && byKeyboard(true));
    addEventListener("pointerdown", () => byKeyboard(false));
    keepCounting();
  }

  /** Switches to a member, and to a channel if one is given. */
  act(member, channel = this.channel) {
    const session = this.sessions.get(member);
    if (!session) return;
    this.session = session;
    const known = session.channels.has(channel) ? channel : session.channelList[0]?.id;
    if (known) this.open(known);
    this.drawSides();
  }

  /** Opens a channel for the acting member. */
  open(channel) {
    this.channel = channel;
    const { session } = this;
    history.replaceState(null, "", `/?as=${session.me.id}#${channel}`);
    this.feed.show(channel);
    this.composer.show(channel);
    this.drawers.close();
    this.drawSides();
    if (matchMedia("(hover: hover)").matches) this.composer.focus();
    session.open(channel).catch((error) => this.#notice(error.message));
  }

  /** Follows one more member, starting from the state of another session. */
  #join(member, { guild, application, humans, channels }) {
    if (this.sessions.has(member.id)) return;
    const shared = [...channels.values()].filter((channel) => !isDirect(channel)).map((channel) => ({ ...channel }));
    this.#follow(new Session({ me: member, guild, application, members: humans, channels: shared }));
  }

  #follow(session) {
    this.sessions.set(session.me.id, session);
    const mine = (draw) => (event) => {
      if (session === this.session) draw(event);
      this.drawSides();
    };
    session.addEventListener("world", mine(() => {
      for (const member of session.humans) this.#join(member, session);
      if (!session.channels.has(this.channel) && session.channelList.length) this.open(session.channelList[0].id);
    }));
    session.addEventListener("commands", mine(() => this.composer.commandsChanged()));
    session.addEventListener("edited", mine(({ detail }) => this.interactions.settle(detail)));
    session.addEventListener("messages", mine(({ detail }) => {
      if (detail === this.channel) this.feed.draw();
    }));
    session.addEventListener("reading", this.drawSides);
    session.addEventListener("typing", this.drawSides);
    session.addEventListener("link", this.drawSides);
    session.start();
  }

  #drawSides() {
    const { session, sessions, channel } = this;
    const act = (member, where) => this.act(member, where);
    const open = (id) => this.open(id);
    const newThread = (parent) => this.#newThread(parent);
    redraw(place("channels"), channelList(session, channel, { open, newThread }));
    redraw(place("members"), memberList(session, sessions, { act, menu: this.view.userMenu }));
    redraw(place("top"), topLine(session, sessions, channel, {
      act, channels: () => this.drawers.toggle("left"), members: () => this.drawers.toggle("right"),
      launch: () => this.#run({ channel }, "Activity", (call) => session.api.activity("launch", call)),
      theme: (choice) => {
        setTheme(choice);
        this.drawSides();
      },
    }));
    redraw(this.banner, banners(session, sessions, channel, { act }));
    const pings = session.pingCount();
    const here = session.channels.get(channel);
    const words = [here ? titleOf(here) : null, nameOf(session.me), session.guild.name].filter(Boolean);
    document.title = `${pings ? `(${pings}) ` : ""}${words.join(" · ")}`;
  }

  /** @returns {import("./message/view.js").View} */
  #view() {
    const page = this;
    return {
      get session() {
        return page.session;
      },
      interactions: this.interactions,
      refs: {
        roleName: (id) => this.session.guild.roles.find((role) => role.id === id)?.name ?? null,
        userName: (id) => {
          const user = this.session.members.get(id);
          return user ? nameOf(user) : null;
        },
        channelName: (id) => (this.session.channels.has(id) ? titleOf(this.session.channels.get(id)) : null),
        isMe: (id) => id === this.session.me.id,
        openChannel: (id) => this.open(id),
        startCommand: (name) => this.composer.startCommand(name),
      },
      press: (message, customId) => this.interactions.press(this.session, message.id, customId),
      choose: (message, select, values) => this.interactions.choose(this.session, message.id, select, values),
      dismiss: (message) => this.#dismiss(message),
      showImage,
      userMenu: (user, anchor) => this.#userMenu(user, anchor),
      messageMenu: (message, anchor) => this.#messageMenu(message, anchor),
    };
  }

  #userMenu(user, anchor) {
    const { session } = this;
    const other = this.sessions.has(user.id) && user.id !== session.me.id;
    openMenu(anchor, nameOf(user), [
      { heading: nameOf(user), items: [
        ...(other ? [{ label: `Switch to ${nameOf(user)}`, pick: () => this.act(user.id) }] : []),
        { label: "Mention", pick: () => this.composer.insert(`@${nameOf(user)}`) },
        ...this.#directItems(user),
      ] },
      { heading: "Apps", items: this.#appItems(session.userCommands(), COMMAND.USER, user.id) },
    ]);
  }

  /** Menu items for direct messages with another user. */
  #directItems(user) {
    const { session } = this;
    if (user.id === session.me.id) return [];
    const open = (others) => () => this.#openDirect(others).catch((error) => this.#notice(error.message));
    if (user.bot) {
      const install = () => session.api.install().catch((error) => this.#notice(error.message));
      return [{ label: "Message", pick: open([]) }, { label: "Add to my apps", pick: install }];
    }
    const here = session.channels.get(this.channel);
    const others = here && isDirect(here) ? here.recipients.filter(({ bot }) => !bot).map(({ id }) => id) : [];
    const more = others.length && !others.includes(user.id);
    return [
      { label: "Message", pick: open([user.id]) },
      ...(more ? [{ label: "New group with these and them", pick: open([...others, user.id]) }] : []),
    ];
  }

  async #openDirect(others) {
    const { session } = this;
    const channel = await session.api.direct(others);
    session.channels.set(channel.id, channel);
    this.open(channel.id);
  }

  #messageMenu(message, anchor) {
    openMenu(anchor, "Message", [
      { items: [{ label: "Copy text", pick: () => navigator.clipboard?.writeText(message.content) }] },
      { heading: "Apps", items: this.#appItems(this.session.messageCommands(), COMMAND.MESSAGE, message.id) },
    ]);
  }

  #appItems(commands, type, target) {
    return commands.map(({ name }) => ({
      label: name,
      pick: () => {
        const ran = this.#run({ channel: this.channel, name, type, target }, name);
        ran.catch((error) => this.#notice(error.message));
      },
    }));
  }

  /** Runs a command. An error of the call rejects; a missing answer of the bot is shown as a message. */
  async #run(call, title, use = (it) => this.session.api.command(it)) {
    const { session } = this;
    const outcome = await use(call);
    if (outcome.outcome !== "failed") this.interactions.follow(outcome);
    else this.#notice(`${title}: ${failureText(outcome)}`, session, call.channel);
  }

  /** Opens the Activity by a link to it, like https://discord.com/activities/APPLICATION?custom_id=ID. */
  async #followLink(event) {
    const { session, channel } = this;
    const link = event.target.closest?.("a[href]");
    const found = link && new URL(link.href);
    if (found?.origin !== "https://discord.com" || found.pathname !== `/activities/${session.application?.id}`) return;
    event.preventDefault();
    const { instance } = await session.api.activity("launch", { channel });
    openActivity({ session, channel, instance, custom: found.searchParams.get("custom_id") ?? undefined });
  }

  async #dismiss(message) {
    if (message.local) this.session.removeLocal(message.channel_id, message.id);
    else await this.session.api.dismiss(message.id).catch((error) => this.#notice(error.message));
  }

  /** Shows a sentence to the acting member only, as a message. */
  #notice(sentence, session = this.session, channel = this.channel) {
    const { application } = session;
    const id = String((BigInt(Date.now()) - 1_420_070_400_000n) << 22n);
    const author = application
      ? session.members.get(application.id) ?? { id: application.id, username: application.name, bot: true }
      : { id: "0", username: "Local chat", bot: true };
    const timestamp = new Date().toISOString();
    session.showLocal({ id, channel_id: channel, type: 0, author, content: sentence, timestamp });
  }

  #newThread(channel) {
    const { session } = this;
    askThreadName(channel, async (name) => {
      const thread = await session.api.thread(channel.id, name);
      session.channels.set(thread.id, thread);
      return thread.id;
    }, (thread) => this.open(thread));
  }

  /** A letter typed anywhere goes to the composer; Escape there goes to the newest message. */
  #shortcut(event) {
    const { activeElement } = document;
    const typing = activeElement?.matches("input, textarea, [role=combobox], [role=menu] *, dialog *");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key.length === 1 && event.key !== " ") this.composer.focus();
  }
}

async function start() {
  const asked = new URLSearchParams(location.search).get("as") ?? "";
  const state = await new Api(asked).state();
  const page = new Page(new Session(state));
  page.act(state.me.id, location.hash.slice(1));
  page.drawSides();
}

start().catch((error) => place("feed").replaceChildren(h("p", { class: "nothing", role: "alert" }, error.message)));
