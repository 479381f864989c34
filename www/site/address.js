/**
 * What the fragment of the address asks for: a page by name (`#keys`, `#words`), a word
 * (`#words-lease`), or a run (`#v=1&x=keys&…`).
 *
 * @typedef {{ page: string, word?: string, state?: string, unknown?: string }} Place
 */

/** @param {string} hash @param {string[]} chapters @returns {Place} */
export function place(hash, chapters) {
  let text = hash.replace(/^#/, '');
  try {
    text = decodeURIComponent(text);
  } catch {
    // A stray % is none of ours; it is looked at as it stands.
  }
  if (text === '' || text === 'start') return { page: 'start' };
  if (/^v=/.test(text)) {
    const id = new URLSearchParams(text).get('x') ?? '';
    // A damaged link still opens a lab, which says what is wrong with it.
    return { page: chapters.includes(id) ? id : chapters[0], state: text };
  }
  const [, page, word] = /^(words)(?:-(.+))?$/.exec(text) ?? [];
  if (page) return { page, word };
  return text === 'simulated' || chapters.includes(text)
    ? { page: text }
    : { page: 'start', unknown: text };
}
