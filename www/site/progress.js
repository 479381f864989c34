/** Which tasks a reader has done, kept where the browser allows it and forgotten elsewhere. */

const KEY = 'at-least-once';

/** @typedef {Record<string, number[]>} Done the tasks done, by chapter */

/** @type {Done} */
let done = read();

/** @returns {Done} */
function read() {
  try {
    return checked(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    return {};
  }
}

/** What another version, or somebody else, has left there is not trusted. @param {unknown} kept @returns {Done} */
function checked(kept) {
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept)
      .filter(([, tasks]) => Array.isArray(tasks))
      .map(([id, tasks]) => [id, tasks.filter(Number.isSafeInteger)]),
  );
}

function write() {
  try {
    localStorage.setItem(KEY, JSON.stringify(done));
  } catch {
    // No storage: it is known until the page is closed.
  }
}

/** @param {string} chapter @returns {number} how many of its tasks are done */
export const doneIn = (chapter) => new Set(done[chapter]).size;

/** @param {string} chapter @param {number} task */
export function taskDone(chapter, task) {
  done = { ...done, [chapter]: [...new Set([...(done[chapter] ?? []), task])] };
  write();
}

export const hasProgress = () => Object.keys(done).length > 0;

export function forget() {
  done = {};
  write();
}
