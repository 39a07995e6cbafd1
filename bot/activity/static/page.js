// The page of the Activity: shows a board as the bot sends it, and sends what the member touches.
import { DiscordSDK } from "./embedded-app-sdk.js";
import { Entry } from "./entry.js";

const $ = (id) => document.getElementById(id);
const sdk = new DiscordSDK(document.documentElement.dataset.client, { disableConsoleLogOverride: true });
const LONGEST_PAUSE = 15000;

let socket = null, session = null, shown = null, wanted = Number(sdk.customId) || null, resumed = null, pause = 500, reading = Promise.resolve(), waiting = [];
let fast = 0; // seconds by which the clock of this machine is ahead of the bot's

async function identify() {
  await sdk.ready();
  const { code } = await sdk.commands.authorize({
    client_id: document.documentElement.dataset.client, response_type: "code", state: "", prompt: "none", scope: ["identify"],
  });
  const answer = await fetch("api/session", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code, instance: sdk.instanceId }),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  fast = Date.now() / 1000 - found.now;
  await sdk.commands.authenticate({ access_token: found.token });
  session = found.session;
}

function connect() {
  socket = new WebSocket(new URL("api/socket", location.href).href.replace(/^http/, "ws"));
  socket.onopen = () => {
    $("link").textContent = "";
    send({ type: "begin", session, match: wanted, packed: "DecompressionStream" in window });
    if (resumed) send(resumed);
  };
  socket.onmessage = (event) => { reading = reading.then(() => read(event.data)).then(receive); };
  socket.onclose = async (event) => {
    $("link").textContent = "Connection lost; connecting again …";
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(2 * pause, LONGEST_PAUSE);
    if (event.code === 4002) {
      $("link").textContent = "You have this page open too often; close another one.";
      return;
    }
    if (event.code === 4001) await identify().catch(() => {});
    connect();
  };
}

// Boards arrive compressed. Messages are read one after the other, so that none overtakes another.
async function read(data) {
  if (typeof data === "string") return JSON.parse(data);
  return new Response(data.stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

function send(message) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function receive(message) {
  pause = 500;
  if (message.type === "board") showBoard(message);
  else if (message.type === "games") showGames(message);
  else if (message.type === "refused") say(message.sentence);
  else if (message.type === "confirm") confirmMove(message);
  else if (message.type === "preview") entry.preview(message);
}

function say(sentence, calm = false) {
  $("said").textContent = sentence;
  $("said").classList.toggle("calm", calm);
}

function showBoard(board) {
  // Which games wait for the member is asked when this one does no longer.
  if (shown && shown.mine && !board.mine && shown.match === board.match) send({ type: "games" });
  shown = board;
  wanted = board.match || null;
  resumed = board.exercise || null;
  document.documentElement.classList.toggle("paper", board.theme === "paper");
  $("title").textContent = board.title;
  $("words").textContent = board.alt;
  $("status").textContent = board.status;
  say(board.refused || board.said || "", !board.refused);
  entry.show(board);
  showClocks();
  showNext();
  const actions = [];
  if (board.plays) {
    if (board.mine && board.hints) actions.push(["Hint", { type: "hint", match: board.match }]);
    actions.push(["Offer a draw", { type: "propose", match: board.match, matter: "draw" }]);
    actions.push(["Take back", { type: "propose", match: board.match, matter: "takeback" }]);
    actions.push(["Resign", { type: "resign", match: board.match }, "Really resign"]);
  }
  for (const [label, link] of board.links || []) actions.push([label, link]);
  $("replay").hidden = Boolean(board.exercise);
  $("actions").replaceChildren(...actions.map(action));
  $("offers").replaceChildren(...board.proposals.flatMap(offer));
  $("ply").textContent = `${board.ply} / ${board.last}`;
  for (const button of $("replay").querySelectorAll("button")) {
    button.disabled = ["first", "back"].includes(button.dataset.go) ? board.ply === 0 : board.ply >= board.last;
  }
}

function action([label, message, question]) {
  const button = document.createElement("button");
  button.textContent = label;
  button.onclick = () => {
    if (question && button.textContent !== question) button.textContent = question;
    else send(message);
  };
  return button;
}

function offer(proposal) {
  const words = document.createElement("span");
  words.textContent = proposal.sentence;
  const reply = (label, agree) => action([label, { type: "reply", proposal: proposal.id, agree }]);
  if (proposal.asked) return [words, reply("Accept", true), reply("Decline", false)];
  return proposal.own ? [words, reply("Withdraw", false)] : [words];
}

function showClocks() {
  const spell = (left) => {
    const total = Math.max(0, Math.floor(left)), days = Math.floor(total / 86400);
    const two = (number) => String(number).padStart(2, "0");
    const rest = `${Math.floor((total % 86400) / 3600)}:${two(Math.floor((total % 3600) / 60))}:${two(total % 60)}`;
    return days ? `${days} d ${rest}` : rest;
  };
  $("clocks").replaceChildren(...(shown ? shown.clocks : []).map((clock) => {
    const left = clock.ends === null ? clock.left : Math.min(clock.left, clock.ends + fast - Date.now() / 1000);
    const line = document.createElement("span");
    line.textContent = `${clock.name} ${spell(left)}${clock.ends === null ? "" : " ⏱"}`;
    return line;
  }));
}

function showGames({ games, puzzle, lessons }) {
  waiting = games.filter((game) => game.mine);
  showNext();
  const rows = games.map((game) => {
    const button = document.createElement("button");
    button.textContent = game.title + (game.mine ? ` · your ${game.votes ? "vote" : "turn"}` : "");
    button.classList.toggle("main", game.mine);
    button.onclick = () => { toggleGames(false); send({ type: "open", match: game.match }); };
    return button;
  });
  if (!rows.length) {
    const none = document.createElement("p");
    none.textContent = "No game of yours is running. /play begins one against the computer, /challenge one against a member.";
    rows.push(none);
  }
  const alone = document.createElement("div");
  const exercise = (label, kind, name) => {
    const button = action([label, { type: "exercise", kind, name }]);
    button.addEventListener("click", () => toggleGames(false));
    alone.append(button);
  };
  if (puzzle) exercise("Puzzle of the day", "puzzle", puzzle);
  for (const lesson of lessons) exercise(`Learn ${lesson.title}${lesson.done ? " ✓" : ""}`, "lesson", lesson.name);
  $("games").replaceChildren(...rows, alone);
  if (wanted === null && !resumed) toggleGames(true);
}

// Leads to a game that waits for the member, unless the one that is shown does.
function showNext() {
  const next = waiting.find((game) => game.match !== wanted);
  $("next").hidden = !next || Boolean(shown && shown.mine);
  if (!next) return;
  $("next").textContent = `Next: ${next.title}`;
  $("next").onclick = () => { toggleGames(false); send({ type: "open", match: next.match }); };
}
function toggleGames(open) {
  $("games").hidden = !open;
  $("list").setAttribute("aria-expanded", String(open));
}

function confirmMove(message) {
  say(`Play ${message.move}?`, true);
  const yes = action(["Play it", { type: "play", match: message.match, ply: message.ply, move: message.move, confirmed: true }]);
  yes.classList.add("main");
  $("actions").prepend(yes);
  yes.focus();
}

const entry = new Entry($("board"), $("entry"), {
  play: (move) => {
    say("");
    send({ type: "play", match: shown.match, ply: shown.ply, move });
  },
  ask: (move) => send({ type: "preview", match: shown.match, ply: shown.ply, ...move }),
  say,
});

$("list").onclick = () => { send({ type: "games" }); toggleGames($("games").hidden); };
$("replay").onclick = (event) => {
  const go = event.target.dataset && event.target.dataset.go;
  if (!go || !shown) return;
  const ply = { first: 0, back: shown.ply - 1, on: shown.ply + 1, last: shown.last }[go];
  send({ type: "look", ply: Math.max(0, Math.min(shown.last, ply)) });
};
setInterval(showClocks, 1000);

identify().then(connect).catch((error) => say(error.message || "Discord did not answer; close this page and open it again."));
