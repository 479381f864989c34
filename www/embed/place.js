/**
 * Where a frame is, as an address that can be opened: an attribute is text from anywhere, and an
 * address may be a script.
 * @param {string} text @param {Record<string, string>} [parameters]
 * @returns {string | undefined}
 */
export function placeOf(text, parameters = {}) {
  if (!URL.canParse(text, document.baseURI)) return undefined;
  const url = new URL(text, document.baseURI);
  if (!['http:', 'https:', 'file:'].includes(url.protocol)) return undefined;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
