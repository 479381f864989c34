/**
 * For the page around a frame: gives each frame the height of its lab, and makes events of what it
 * says. One listener serves all frames of the page, also those that come later.
 *
 *     <script type="module" src="host.js"></script>
 *     <iframe src="embed.html?experiment=double-refund" sandbox="allow-scripts" title="…"></iframe>
 *
 * A sandboxed frame has no origin to check, so a message counts by the window that sent it.
 */
import { FROM_FRAME, read, SOURCE, TO_FRAME, write } from './protocol.js';

const LEAST = 100;
const MOST = 20_000;

/** The frame that a window is in. @param {MessageEventSource | null} source */
const frameOf = (source) =>
  [...document.querySelectorAll('iframe')].find(({ contentWindow }) => contentWindow === source);

/** @param {MessageEvent} event */
function hear({ data, source }) {
  if (data?.source !== SOURCE) return;
  const frame = frameOf(source);
  const message = frame && read(FROM_FRAME, data);
  if (!message) return;
  const { type, ...detail } = message;
  if (type === 'resize') {
    const height = Math.min(Math.max(Number(detail.height), LEAST), MOST);
    frame.style.height = `${height}px`;
  }
  frame.dispatchEvent(new CustomEvent(`at-least-once-${type}`, { detail, bubbles: true }));
}

if (typeof document !== 'undefined') addEventListener('message', hear);

/**
 * Asks the lab in a frame for something: `tell(frame, 'seek', { us: 2_000_000 })`.
 * @param {HTMLIFrameElement} frame
 * @param {'run' | 'pause' | 'step' | 'reset' | 'seek' | 'open' | 'set'} type
 * @param {Record<string, unknown>} [fields]
 */
export function tell(frame, type, fields = {}) {
  const message = write(type, fields);
  if (!read(TO_FRAME, message)) throw new TypeError(`no such message: ${JSON.stringify(message)}`);
  frame.contentWindow?.postMessage(message, '*');
}
