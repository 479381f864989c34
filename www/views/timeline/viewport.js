/**
 * Which piece of playing time the timeline shows, and how large. Pure: a viewport goes in, another
 * comes out.
 *
 * @typedef {{ zoom: number, from: number }} Viewport
 */

/** The whole run. @type {Viewport} */
export const WHOLE = { zoom: 1, from: 0 };

/** How much one press enlarges. */
const STEP = 2;
/** Where the playhead stays while the picture runs past it, as parts of what is shown. */
const AHEAD = 0.7;
const BEHIND = 0.1;

/** How far in one can go: until the marks of a crowded run stand apart. @param {number} marks @param {number} pixels */
export function mostZoom(marks, pixels) {
  const apart = (marks * 24) / Math.max(1, pixels);
  return Math.min(128, Math.max(8, 2 ** Math.ceil(Math.log2(Math.max(1, apart)))));
}

/** @param {Viewport} view @param {number} endMs */
const span = (view, endMs) => endMs / view.zoom;

/** @param {Viewport} view @param {number} endMs @returns {Viewport} */
const within = (view, endMs) => ({
  zoom: view.zoom,
  from: Math.max(0, Math.min(view.from, endMs - span(view, endMs))),
});

/**
 * In or out around a moment, which stays where it is in the picture; around the middle if the
 * moment is out of sight.
 * @param {Viewport} view @param {1 | -1} by @param {number} ms @param {number} endMs @param {number} most
 * @returns {Viewport}
 */
export function zoomed(view, by, ms, endMs, most) {
  const zoom = Math.max(1, Math.min(most, view.zoom * (by > 0 ? STEP : 1 / STEP)));
  const shown = span(view, endMs);
  const anchor = isShown(view, ms, endMs) ? ms : view.from + shown / 2;
  const part = shown > 0 ? (anchor - view.from) / shown : 0;
  return within({ zoom, from: anchor - (part * endMs) / zoom }, endMs);
}

/** Moved by a part of what is shown. @param {Viewport} view @param {number} part @param {number} endMs */
export const panned = (view, part, endMs) =>
  within({ zoom: view.zoom, from: view.from + part * span(view, endMs) }, endMs);

/** @param {Viewport} view @param {number} ms @param {number} endMs */
export const isShown = (view, ms, endMs) => ms >= view.from && ms <= view.from + span(view, endMs);

/** Moved just so far that the moment is in sight. @param {Viewport} view @param {number} ms @param {number} endMs */
export function shown(view, ms, endMs) {
  const all = span(view, endMs);
  const place = (ms - view.from) / Math.max(1, all);
  if (place >= 0 && place <= 1) return view;
  return within({ zoom: view.zoom, from: ms - all / 2 }, endMs);
}

/** Moved along with the playhead. @param {Viewport} view @param {number} ms @param {number} endMs */
export function followed(view, ms, endMs) {
  const all = span(view, endMs);
  const last = ms - all * BEHIND;
  const first = ms - all * AHEAD;
  if (view.from >= first && view.from <= last) return view;
  return within({ zoom: view.zoom, from: ms < view.from ? last : first }, endMs);
}
