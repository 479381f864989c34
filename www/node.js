/**
 * What lit finds where there is no page: a class to build on, so that the element's file can be
 * imported in Node, by a framework that renders on a server, or by a test. Nothing is defined
 * there, and nothing global is touched.
 */
export const HTMLElement = /** @type {typeof globalThis.HTMLElement} */ (class {});
export const customElements = globalThis.customElements;
