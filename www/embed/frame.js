/**
 * The lab alone on a page, for a frame: its address says what to show, and what happens in it is
 * told to the page around it. The page around it may be anybody.
 */
import '../at-least-once.js';
import { settingsOf } from '../attributes.js';
import { load } from '../core.js';
import { OPTIONS } from '../options.js';
import { chapter } from '../words.js';
import { FROM_FRAME, read, TO_FRAME, write } from './protocol.js';

/** @import { AtLeastOnce } from '../api.js' */

const LONGEST_ADDRESS = 4096;
const MOST_PARAMETERS = 64;

const element = /** @type {AtLeastOnce} */ (document.querySelector('at-least-once'));

/** @param {string} type @param {object} fields */
function say(type, fields) {
  if (parent === window) return;
  const message = write(type, fields);
  // What would not be understood is not sent.
  if (read(FROM_FRAME, message)) parent.postMessage(message, '*');
}

/** The height of what is there, also in the words of Canvas and of Open edX. */
function grow() {
  const { width, height } = document.body.getBoundingClientRect();
  // A frame that is not shown has no height, and would stay small.
  if (width === 0 || height === 0 || parent === window) return;
  const whole = Math.ceil(height);
  say('resize', { height: whole });
  parent.postMessage({ subject: 'lti.frameResize', height: whole }, '*');
  const payload = { width: Math.ceil(width), height: whole };
  parent.postMessage({ type: 'plugin.resize', payload }, '*');
}

/** The page is called what its lab is about: a frame has no other name for who cannot see it. */
element.addEventListener('at-least-once-ready', async () => {
  document.title = (await chapter(element.experiment)).title;
});

/** Puts what the address asks for on the tag, if the tag knows it. */
async function ask() {
  // What a lab in one file gives for a link.
  if (location.hash.startsWith('#v=')) element.setAttribute('state', location.hash.slice(1));
  if (location.search.length > LONGEST_ADDRESS) return;
  const asked = [...new URLSearchParams(location.search)].slice(0, MOST_PARAMETERS);
  // What no setting is called is not put on the tag, where it might mean something else.
  await load();
  const settings = settingsOf('double-refund').map(({ attribute }) => attribute);
  const known = new Set([...OPTIONS, ...settings].filter((name) => name !== 'frame'));
  for (const [name, value] of asked) {
    if (known.has(name)) element.setAttribute(name, value);
    else
      say('error', {
        kind: 'refused',
        message: `unknown parameter: ${name.slice(0, 64)}`,
        field: name.slice(0, 64),
      });
  }
  const theme = element.theme;
  if (theme !== 'auto') document.documentElement.style.colorScheme = theme;
}

/** @type {Record<string, (fields: any) => void>} */
const acts = {
  run: () => element.run(),
  pause: () => element.pause(),
  step: () => element.step(),
  reset: () => element.reset(),
  seek: ({ us }) => element.seek(us),
  open: ({ state }) => {
    element.state = state;
  },
  set: ({ setting, value }) => element.set(setting, value),
};

addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  const message = read(TO_FRAME, data);
  if (message) acts[message.type](message);
});

/** @type {[string, string, (detail: any) => object][]} */
const told = [
  ['ready', 'ready', ({ experiment, version }) => ({ experiment, release: version })],
  ['run-end', 'run', (detail) => detail],
  ['prediction', 'prediction', (detail) => detail],
  ['task', 'task', (detail) => detail],
  ['setting', 'setting', (detail) => detail],
  ['error', 'error', ({ message, ...detail }) => ({ ...detail, message: message.slice(0, 500) })],
];
for (const [event, type, fields] of told) {
  element.addEventListener(`at-least-once-${event}`, (happened) => {
    say(type, fields(/** @type {CustomEvent} */ (happened).detail));
    if (['ready', 'setting'].includes(event)) say('state', { state: element.state });
  });
}

new ResizeObserver(grow).observe(document.body);
ask().catch(() => {
  // The element says in words what is wrong.
});
