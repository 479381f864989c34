/**
 * Where the compiled core is: beside the page's files, so that it can be streamed. The builds
 * that are one file put another module in the place of this one, with the bytes in it.
 *
 * @returns {URL | Uint8Array<ArrayBuffer> | undefined} nothing for the place that the bindings know
 */
export const compiled = () => undefined;
