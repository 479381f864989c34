/**
 * The core hands bars and marks over as rows of numbers; here each becomes an object again.
 */

/** The marks of a run. @param {ArrayLike<number>} flat */
export function* eachMark(flat) {
  for (let i = 0; i + 6 < flat.length; i += 7) {
    yield {
      lane: flat[i],
      kind: flat[i + 1],
      at: flat[i + 2],
      job: flat[i + 3],
      attempt: flat[i + 4],
      event: flat[i + 5],
      to: flat[i + 6],
    };
  }
}

/** The bars of a run. @param {ArrayLike<number>} flat */
export function* eachBar(flat) {
  for (let i = 0; i + 7 < flat.length; i += 8) {
    yield {
      lane: flat[i],
      kind: flat[i + 1],
      start: flat[i + 2],
      end: flat[i + 3],
      job: flat[i + 4],
      attempt: flat[i + 5],
      event: flat[i + 6],
      flags: flat[i + 7],
    };
  }
}
