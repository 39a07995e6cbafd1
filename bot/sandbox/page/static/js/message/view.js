/**
 * What drawing a message needs from the page around it.
 *
 * @typedef {{
 *   session: import("../core/session.js").Session,
 *   interactions: import("../core/interactions.js").Interactions,
 *   refs: import("../text/markdown.js").References,
 *   press: (message: import("../core/types.js").Message, customId: string) => void,
 *   choose: (message: import("../core/types.js").Message, select: import("../core/types.js").Component,
 *     values: string[]) => void,
 *   dismiss: (message: import("../core/types.js").Message) => void,
 *   showImage: (image: {src: string, alt: string}) => void,
 *   userMenu: (user: import("../core/types.js").User, anchor: HTMLElement | {x: number, y: number}) => void,
 *   messageMenu: (message: import("../core/types.js").Message, anchor: HTMLElement | {x: number, y: number}) => void,
 * }} View
 */
export {};
