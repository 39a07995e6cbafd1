// How a move is entered: places are tapped, lines are dragged or tapped from end to end, cards are laid.
const SVG = "http://www.w3.org/2000/svg";
const SUITS = { R: "♦", B: "♣" };
const NEAR = 44; // page units around a place, of which a picture is 900 wide
const REST = 150; // milliseconds after which a move that is about to be made is shown

export class Entry {
  constructor(board, widgets, { play, ask, say }) {
    this.board = board;
    this.widgets = widgets;
    this.play = (move) => { this.consider(null); play(move); };
    this.request = ask;
    this.say = say;
    this.wanted = "null"; // the move that is about to be made, as it was asked for, or null
    this.places = [];
    this.start = null; // the end of a line that was touched first
    this.focus = null; // the place of the keyboard's cursor
    this.row = [];
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      board.addEventListener(kind, (event) => this[kind](event));
    }
    board.addEventListener("keydown", (event) => this.keydown(event));
  }

  show(board) {
    // What a member is entering stays while only clocks or offers change.
    const same = this.shown && this.shown.match === board.match && this.shown.ply === board.ply && board.entry
      && this.shown.entry && this.shown.entry.kind === board.entry.kind;
    // Cards stay, too, while the opponent lays or searches at the same time, which counts as a move.
    const kept = this.shown && this.shown.match === board.match && (same || (board.entry && board.entry.kind !== "places"))
      && JSON.stringify(this.shown.entry) === JSON.stringify(board.entry);
    this.shown = board;
    this.board.innerHTML = board.svg;
    this.board.dataset.ply = board.ply;
    this.svg = this.board.querySelector("svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.marks = this.svg.appendChild(document.createElementNS(SVG, "g"));
    this.places = board.entry && board.entry.kind === "places" ? board.entry.places : [];
    this.board.classList.toggle("mine", board.mine);
    if (!same) { this.start = null; this.focus = null; this.dragging = false; this.pointer = null; this.consider(null); }
    else if (this.ghost) this.board.append(this.ghost);
    if (!kept) this.widgets.replaceChildren(...this.cards(board.entry));
    this.mark();
  }

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  // The ends at which lines begin, or with a start those to which lines lead from it; and the places of one point.
  targets() {
    const found = new Map();
    const add = (point, place) => {
      const key = point.join(" ");
      if (!found.has(key)) found.set(key, { point, places: [] });
      found.get(key).places.push(place);
    };
    for (const place of this.places) {
      const first = place.points[0], last = place.points[place.points.length - 1];
      if (place.points.length === 1) { if (!this.start) add(first, place); }
      else if (!this.start) { add(first, place); add(last, place); }
      else if (same(first, this.start)) add(last, place);
      else if (same(last, this.start)) add(first, place);
    }
    return [...found.values()];
  }

  nearest(at) {
    let best = null, least = Infinity;
    for (const target of this.targets()) {
      const reach = Math.hypot(target.point[0] - at[0], target.point[1] - at[1]);
      if (reach < least && reach < Math.max(NEAR, 1.2 * target.places[0].reach)) { best = target; least = reach; }
    }
    return best;
  }

  pointerdown(event) {
    if (!this.places.length) return;
    this.board.setPointerCapture(event.pointerId);
    this.board.focus({ preventScroll: true });
    this.dragging = true;
    this.trail = [];
    if (!this.start) {
      const target = this.nearest(this.at(event));
      if (target && target.places[0].points.length > 1) { this.start = target.point; this.fresh = true; }
    } else this.fresh = false;
    this.pointermove(event);
  }

  pointermove(event) {
    if (!this.dragging) return;
    this.pointer = this.at(event);
    this.trail.push(this.pointer);
    this.target = this.nearest(this.pointer);
    this.mark();
  }

  pointerup(event) {
    if (!this.dragging) return;
    this.pointermove(event);
    this.dragging = false;
    const target = this.target;
    this.pointer = null;
    if (target) this.choose(target);
    else if (!this.start) this.refer([this.at(event)]);
    else if (!this.fresh || !this.nearestEnd(this.at(event))) { // touched elsewhere: begin again
      this.refer([this.start, this.at(event)]);
      this.start = null;
    }
    this.mark();
  }

  pointercancel() { this.dragging = false; this.start = null; this.pointer = null; this.mark(); }

  nearestEnd(at) { return this.start && Math.hypot(this.start[0] - at[0], this.start[1] - at[1]) < NEAR ? this.start : null; }

  choose(target) {
    const place = this.along(target);
    if (place.points.length > 1 && !this.start) { this.start = target.point; this.focus = null; this.mark(); return; }
    if (target.places.length > 1 && !this.drawn()) { this.ask(target.places); return; }
    this.start = null;
    this.target = null;
    this.play(place.move);
  }

  // True if the pointer was dragged, so that its trail tells lines with the same ends apart.
  drawn() { return Boolean(this.fresh && this.trail && this.trail.length > 2); }

  // Of several lines with the same ends, the one whose bends the pointer passed nearest.
  along(target) {
    if (target.places.length === 1 || !this.drawn()) return target.places[0];
    const missed = (place) => Math.max(...place.points.map(([x, y]) => (
      Math.min(...this.trail.map((at) => Math.hypot(at[0] - x, at[1] - y))))));
    return target.places.reduce((best, place) => (missed(place) < missed(best) ? place : best));
  }

  // Asks which of several lines with the same ends is meant.
  ask(places) {
    this.widgets.replaceChildren(...places.map((place) => {
      const choice = button(place.move, "", () => {
        this.start = null;
        this.widgets.replaceChildren();
        this.board.focus({ preventScroll: true });
        this.play(place.move);
      });
      choice.onpointerenter = choice.onfocus = () => this.marks.replaceChildren(line(place.points, "line"));
      return choice;
    }));
    this.widgets.firstChild.focus();
  }

  // Shows what the move that is about to be made would do, if it stays the same for a moment.
  consider(move, rest = REST) {
    const wanted = JSON.stringify(move);
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.referred = false;
    clearTimeout(this.timer);
    if (this.foretold) this.say("");
    this.foretold = false;
    this.cover("");
    if (move) this.timer = setTimeout(() => this.request(move), rest);
  }

  // Asks why there is no move at these points of the picture.
  refer(points) {
    this.consider({ touched: points.map((point) => point.map(Math.round)) }, 0);
    this.referred = true;
  }

  preview(found) {
    const { move, touched } = JSON.parse(this.wanted) || {};
    if (found.ply !== this.shown.ply || JSON.stringify(found.asked) !== JSON.stringify(move || touched)) return;
    // What is refused is judged in a lesson, too.
    if (this.referred && this.shown.exercise && !found.legal) { this.play(found.move); return; }
    this.cover(found.svg);
    this.foretold = true;
    this.say(found.sentence, found.legal);
  }

  // Lays another picture over the board, or removes it.
  cover(svg) {
    if (this.ghost) this.ghost.remove();
    this.ghost = svg ? document.createElement("div") : null;
    if (!svg) return;
    this.ghost.className = "ghost";
    this.ghost.innerHTML = svg;
    // Its page may be higher. At the same place and in the same size, only the difference is seen.
    this.ghost.firstChild.setAttribute("viewBox", this.svg.getAttribute("viewBox"));
    this.board.append(this.ghost);
  }

  mark() {
    if (!this.marks) return;
    const shapes = [];
    if (this.start) shapes.push(circle(this.start, 18, "spot"));
    const target = this.target && this.dragging ? this.target : this.focus;
    if (this.start && target) shapes.push(line(this.along(target).points, "line"));
    else if (this.start && this.pointer) shapes.push(line([this.start, this.pointer], "line wrong"));
    else if (target) shapes.push(circle(target.point, Math.max(18, target.places[0].reach), "spot"));
    this.marks.replaceChildren(...shapes);
    if (!this.focus && !this.start) this.board.removeAttribute("aria-label");
    else if (this.focus) this.board.setAttribute("aria-label", this.focus.places.length === 1 || this.start ? this.focus.places[0].move : `from ${endName(this.focus)}`);
    if (target && (this.start || target.places[0].points.length === 1)) this.consider({ move: this.along(target).move });
    else if (this.start && this.pointer && !this.nearestEnd(this.pointer)) this.consider({ touched: [this.start, this.pointer].map((point) => point.map(Math.round)) });
    else if (this.start || this.dragging) this.consider(null);
  }

  keydown(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const targets = this.targets();
    if (event.key === "Escape") { this.start = null; this.focus = null; this.mark(); return; }
    if (!targets.length) return;
    if (event.key in ways) {
      event.preventDefault();
      const from = this.focus ? this.focus.point : this.start || targets[0].point;
      const next = this.focus || this.start ? further(targets, from, ways[event.key]) : null;
      this.focus = next || this.focus || targets[0]; // so that each key names a place
      this.mark();
    } else if ((event.key === "Enter" || event.key === " ") && this.focus) {
      event.preventDefault();
      this.choose(this.focus);
    }
  }

  cards(entry) {
    if (!entry) return [];
    const word = entry.example.split(" ")[0];
    if (entry.kind === "row") {
      this.row = [..."R".repeat(entry.reds) + "B".repeat(entry.blacks)];
      return [this.hand(), button("Lay these cards", "main", () => this.play(`${word} ${this.row.join("")}`))];
    }
    if (entry.kind === "words") {
      const left = entry.left === null ? "" : ` · ${entry.left} wrong ${entry.left === 1 ? "name ends" : "names end"} your search`;
      const note = document.createElement("span");
      note.textContent = `Found: ${entry.given.map(suits).join(" ") || "none"}${left}`;
      return [this.stretch(entry, word), note, button("Done", "", () => this.play(entry.stop))];
    }
    return [];
  }

  // A hand of cards: one card is dragged onto another, or both are tapped, and they change places. Cards of the same
  // suit are alike, so that a tap on another one only chooses that one.
  hand() {
    const row = cardRow(this.row.length);
    let held = null, over = null, again = false;
    const draw = () => lay(row, this.row, (index) => index === held || index === over);
    const choose = (index) => {
      if (held === null || this.row[index] === this.row[held]) held = index === held ? null : index;
      else {
        [this.row[held], this.row[index]] = [this.row[index], this.row[held]];
        held = null;
      }
      over = null;
      draw();
    };
    row.onpointerdown = (event) => {
      const index = indexOf(event.target);
      again = index !== null && index === held; // it may be dragged now
      if (index !== null && !again) choose(index);
    };
    row.onpointermove = (event) => {
      if (!event.buttons || held === null) return;
      const index = indexAt(event);
      over = index !== null && this.row[index] !== this.row[held] ? index : null;
      draw();
    };
    row.onpointerup = () => { if (over !== null) choose(over); else if (again) choose(held); };
    row.onpointercancel = () => { over = null; draw(); };
    row.onkeydown = (event) => pressed(event, choose);
    draw();
    return row;
  }

  // The row in which stretches are named: one drags from the first card to the last, or taps both.
  stretch(entry, word) {
    const row = cardRow(entry.row.length);
    let first = null, last = null;
    const draw = () => lay(row, [...entry.row], (index) => (
      first !== null && index >= Math.min(first, last) && index <= Math.max(first, last)));
    const name = () => {
      const text = entry.row.slice(Math.min(first, last), Math.max(first, last) + 1);
      first = last = null;
      draw();
      this.play(`${word} ${text}`);
    };
    const touch = (index, ended) => {
      if (index === null) return;
      if (first === null) { first = last = index; }
      else { last = index; if (ended) { name(); return; } }
      draw();
    };
    let down = null;
    row.onpointerdown = (event) => {
      down = indexOf(event.target);
      if (first === null) touch(down, false);
      else touch(down, true);
    };
    row.onpointermove = (event) => {
      if (event.buttons && first !== null) touch(indexAt(event), false);
    };
    row.onpointerup = (event) => {
      const index = indexAt(event);
      if (first !== null && index !== null && index !== down) touch(index, true);
    };
    row.onkeydown = (event) => pressed(event, (index) => touch(index, first !== null));
    draw();
    return row;
  }
}

function same(one, other) { return one && other && one[0] === other[0] && one[1] === other[1]; }

// The name of the point at which lines begin, which is a part of their moves.
function endName({ point, places: [place] }) {
  const parts = place.move.split("-");
  return parts[same(point, place.points[0]) ? 0 : parts.length - 1];
}
// The nearest target in a direction, in which a step aside counts double.
function further(targets, from, [dx, dy]) {
  let best = null, least = Infinity;
  for (const target of targets) {
    const x = target.point[0] - from[0], y = target.point[1] - from[1];
    const along = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
    if (along > 1 && along + 2 * aside < least) { best = target; least = along + 2 * aside; }
  }
  return best;
}

function shape(kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function circle([cx, cy], r, kind) { return shape("circle", { cx, cy, r, class: kind }); }

function line(points, kind) { return shape("polyline", { points: points.map((point) => point.join(",")).join(" "), class: kind }); }

function suits(text) { return [...text].map((suit) => SUITS[suit] || suit).join(""); }

// A box for cards, in rows of equal length that fit a phone.
function cardRow(count) {
  const row = document.createElement("div");
  row.className = "cards";
  row.style.setProperty("--columns", Math.ceil(count / Math.ceil(count / 10)));
  return row;
}

// Shows cards in their box. The same buttons stay there: a finger on a button that is removed is lost.
function lay(box, row, chosen) {
  row.forEach((suit, index) => {
    const card = box.children[index] || box.appendChild(button("", "", null));
    card.textContent = SUITS[suit];
    card.className = `card${suit === "R" ? " red" : ""}${chosen(index) ? " chosen" : ""}`;
    card.dataset.index = index;
    card.setAttribute("aria-label", `card ${index + 1}: ${suit === "R" ? "red" : "black"}`);
    card.setAttribute("aria-pressed", chosen(index));
  });
}

// Calls a function with the index of a card on which Enter or the space bar was pressed.
function pressed(event, choose) {
  const index = indexOf(event.target);
  if ((event.key !== "Enter" && event.key !== " ") || index === null) return;
  event.preventDefault();
  choose(index);
}

function indexAt(event) { return indexOf(document.elementFromPoint(event.clientX, event.clientY)); }

function indexOf(element) {
  const found = element && element.closest && element.closest("[data-index]");
  return found ? Number(found.dataset.index) : null;
}

function button(label, kind, press) {
  const made = document.createElement("button");
  made.textContent = label;
  made.className = kind;
  if (press) made.onclick = press;
  return made;
}
