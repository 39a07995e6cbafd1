/**
 * The frame of the application's Activity, and the host's side of the SDK's messages (embedded-app-sdk, RPC version 1).
 * The page is served below this page's own address, since the SDK answers hosts of its own origin.
 */

import { h } from "../core/dom.js";
import { openDialog } from "./dialog.js";

const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;
const UNKNOWN_COMMAND = 4002;
const REFUSED = 4000;

/**
 * Opens the Activity for a member.
 *
 * @param {{session: object, channel: string, instance: string, custom?: string}} where `custom` is the custom id of a link
 */
export function openActivity({ session, channel, instance, custom }) {
  const { api, application, guild, me } = session;
  const inServer = session.channels.get(channel)?.guild_id ?? null;
  const query = new URLSearchParams({
    instance_id: instance, frame_id: crypto.randomUUID(), platform: "desktop", channel_id: channel,
    location_id: `gc-${channel}`, ...(inServer ? { guild_id: guild.id } : {}), ...(custom ? { custom_id: custom } : {}),
  });
  const frame = h("iframe", { src: `/activity/${application.id}/?${query}`, title: application.name, allow: "fullscreen" });
  const send = (opcode, payload) => frame.contentWindow?.postMessage([opcode, payload], location.origin);
  const dispatch = (evt, data) => send(FRAME, { cmd: "DISPATCH", evt, data, nonce: null });
  const subscribed = new Set();

  const commands = {
    AUTHORIZE: async () => ({ code: (await api.activity("authorize", { instance })).code }),
    AUTHENTICATE: async ({ access_token: token }) => {
      const user = await api.activity("authenticate", { token });
      return {
        access_token: token, user: { ...user, public_flags: user.public_flags ?? 0 }, scopes: ["identify"],
        expires: new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString(),
        application: { id: application.id, name: application.name, description: application.description ?? "", icon: null, rpc_origins: [] },
      };
    },
    SUBSCRIBE: async (_, evt) => {
      subscribed.add(evt);
      return { evt };
    },
    UNSUBSCRIBE: async (_, evt) => {
      subscribed.delete(evt);
      return { evt };
    },
    GET_INSTANCE_CONNECTED_PARTICIPANTS: () => api.activity("participants", { instance }),
    GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: () => api.activity("participants", { instance }),
    OPEN_EXTERNAL_LINK: async ({ url }) => ({ opened: Boolean(window.open(url, "_blank", "noopener")) }),
    CAPTURE_LOG: async () => ({}),
    USER_SETTINGS_GET_LOCALE: async () => ({ locale: "en-US" }),
  };

  async function run({ cmd, args, evt, nonce }) {
    const fail = (code, message) => send(FRAME, { cmd, evt: "ERROR", data: { code, message }, nonce });
    if (!(cmd in commands)) {
      fail(UNKNOWN_COMMAND, `Invalid command: ${cmd}`);
      return;
    }
    try {
      send(FRAME, { cmd, evt: null, data: await commands[cmd](args ?? {}, evt), nonce });
    } catch (error) {
      fail(REFUSED, error.message);
      return;
    }
    if (cmd === "SUBSCRIBE" && evt === "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE") {
      dispatch(evt, await api.activity("participants", { instance }));
    }
  }

  function receive(event) {
    if (event.source !== frame.contentWindow || event.origin !== location.origin || !Array.isArray(event.data)) return;
    const [opcode, payload] = event.data;
    if (opcode === HANDSHAKE) {
      const user = { id: me.id, username: me.username, discriminator: me.discriminator ?? "0" };
      dispatch("READY", { v: 1, config: { api_endpoint: "/api", environment: "production" }, user });
    } else if (opcode === FRAME) run(payload);
    else if (opcode === CLOSE) dialog.close();
  }

  addEventListener("message", receive);
  const dialog = openDialog({
    title: application.name, className: "activity", content: [frame],
    onClose: () => {
      removeEventListener("message", receive);
      api.activity("leave", { instance }).catch(() => {});
    },
  });
  return dialog;
}
