/** On narrow windows the sides lie over the messages, one at a time. */

export class Drawers {
  #app;
  #scrim;

  /** @param {HTMLElement} app @param {HTMLElement} scrim what covers the rest of the page */
  constructor(app, scrim) {
    this.#app = app;
    this.#scrim = scrim;
    scrim.addEventListener("click", () => this.close());
    app.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && app.dataset.drawer) this.close();
    });
  }

  /** @param {"left" | "right"} side */
  toggle(side) {
    if (this.#app.dataset.drawer === side) {
      this.close();
      return;
    }
    this.#app.dataset.drawer = side;
    this.#scrim.hidden = false;
    this.#app.querySelector(`.side-${side} button`)?.focus();
  }

  close() {
    if (!this.#app.dataset.drawer) return;
    const side = this.#app.dataset.drawer;
    delete this.#app.dataset.drawer;
    this.#scrim.hidden = true;
    this.#app.querySelector(`.drawer-${side}`)?.focus();
  }
}
