/**
 * Keeps the view stable while messages and pictures arrive: a view at the end stays at the end,
 * elsewhere the first visible message keeps its place. A view that comes near the end, because messages
 * shrink or go, is at the end again.
 */

/** Within this many pixels of the end, the view counts as at the end. */
const END = 48;
/** Within this many pixels of the start, older messages are loaded. */
const START = 240;

export class ScrollHold {
  #scroller;
  #content;
  #onScroll;
  /** The first visible message and its distance from the top. */
  #anchor = null;
  /** The last known position: another one means that the member has scrolled. */
  #known = 0;
  atEnd = true;

  /** @param {HTMLElement} scroller @param {HTMLElement} content @param {() => void} onScroll */
  constructor(scroller, content, onScroll) {
    this.#scroller = scroller;
    this.#content = content;
    this.#onScroll = onScroll;
    const scrolled = () => {
      this.note();
      onScroll();
    };
    scroller.addEventListener("scroll", scrolled, { passive: true });
    const observer = new ResizeObserver(() => this.restore());
    observer.observe(content);
    observer.observe(scroller);
  }

  get nearStart() {
    return this.#scroller.scrollTop < START;
  }

  toEnd() {
    this.atEnd = true;
    this.restore();
    this.#onScroll();
  }

  /** Takes note of the member's scrolling, of which the browser reports late. To be called before a change. */
  note() {
    if (this.#scroller.scrollTop !== this.#known) this.#look();
  }

  /** Restores the position of the end or of the anchor. */
  restore() {
    const scroller = this.#scroller;
    if (this.atEnd) scroller.scrollTop = scroller.scrollHeight;
    else {
      const element = this.#anchor && this.#content.querySelector(`[data-id="${CSS.escape(this.#anchor.id)}"]`);
      if (element) scroller.scrollTop += this.#distance(element) - this.#anchor.distance;
    }
    this.#known = scroller.scrollTop;
    if (this.atEnd || !this.#nearEnd) return;
    this.atEnd = true;
    this.#onScroll();
  }

  get #nearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight < END;
  }

  #distance(element) {
    return element.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  /** The member has scrolled: keep this position from now on. */
  #look() {
    this.#known = this.#scroller.scrollTop;
    this.atEnd = this.#nearEnd;
    const inSight = (child) => this.#distance(child) + child.offsetHeight > 0;
    const first = [...this.#content.children].find((child) => child.dataset.id && inSight(child));
    this.#anchor = first ? { id: first.dataset.id, distance: this.#distance(first) } : null;
  }
}
