/**
 * Keeps what one looks at in its place while messages and pictures arrive: at the end one stays at the end,
 * elsewhere the first message in sight stays where it is.
 */

/** Within this many pixels of the end one is at the end. */
const END = 48;
/** Within this many pixels of the start older messages are wanted. */
const START = 240;

export class ScrollHold {
  #scroller;
  #content;
  #onScroll;
  /** The first message in sight and its distance from the top. */
  #anchor = null;
  /** Where this put the scroller last, while nobody else has moved it. */
  #put = null;
  atEnd = true;

  /** @param {HTMLElement} scroller @param {HTMLElement} content @param {() => void} onScroll */
  constructor(scroller, content, onScroll) {
    this.#scroller = scroller;
    this.#content = content;
    this.#onScroll = onScroll;
    scroller.addEventListener("scroll", () => this.#noted(), { passive: true });
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

  /** Puts the end, or the anchor, back to where it was. */
  restore() {
    const scroller = this.#scroller;
    if (this.atEnd) scroller.scrollTop = scroller.scrollHeight;
    else {
      const element = this.#anchor && this.#content.querySelector(`[data-id="${CSS.escape(this.#anchor.id)}"]`);
      if (element) scroller.scrollTop += this.#distance(element) - this.#anchor.distance;
    }
    this.#put = scroller.scrollTop;
  }

  #distance(element) {
    return element.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  #noted() {
    // Told late of our own scrolling: by now something may have grown that will be made up for in a moment.
    if (this.#scroller.scrollTop !== this.#put) this.#look();
    this.#onScroll();
  }

  /** Somebody has scrolled: from here on this is the place to keep. */
  #look() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    this.#put = null;
    this.atEnd = scrollHeight - scrollTop - clientHeight < END;
    const inSight = (child) => this.#distance(child) + child.offsetHeight > 0;
    const first = [...this.#content.children].find((child) => child.dataset.id && inSight(child));
    this.#anchor = first ? { id: first.dataset.id, distance: this.#distance(first) } : null;
  }
}
