/**
 * The lab in a frame of its own, where the page's policy does not let it run in the page.
 *
 * @import { Tell } from '../announce.js'
 */
import { html } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { PolicyError } from '../policy.js';
import words from '../text/en/embed.json';
import { fill } from '../words.js';
import { placeOf } from './place.js';
import { FROM_FRAME, read, TO_FRAME, write } from './protocol.js';

const TALLEST = 20_000;

/** How the frame's words become the element's events. @type {Record<string, Parameters<Tell>[0]>} */
const EVENTS = {
  ready: 'at-least-once-ready',
  run: 'at-least-once-run-end',
  prediction: 'at-least-once-prediction',
  task: 'at-least-once-task',
  setting: 'at-least-once-setting',
  error: 'at-least-once-error',
};

/** What is the tag's own, and nothing to ask a frame for. */
const OWN = /^(on|aria-|data-|(class|frame|hidden|id|part|role|slot|style|tabindex|title)$)/;

/** The frame's address, with what the tag asks for. @param {Element} element @param {string} frame */
function asked(element, frame) {
  const given = [...element.attributes].filter(({ name }) => !OWN.test(name));
  return placeOf(frame, Object.fromEntries(given.map(({ name, value }) => [name, value])));
}

export class Substitute {
  /** @type {import('lit/directives/ref.js').Ref<HTMLIFrameElement>} */
  #frame = createRef();
  #element;
  #place;
  #title;
  #state = '';
  #tell;
  #fail;
  #stay = new AbortController();

  /**
   * @param {Element} element what its attributes ask for, the frame is asked for
   * @param {string} frame where the one-file build lives
   * @param {string} title of the chapter
   * @param {Tell} tell
   * @param {(error: unknown) => void} fail called when the policy forbids the frame, too
   */
  constructor(element, frame, title, tell, fail) {
    this.#element = element;
    this.#place = asked(element, frame);
    this.#title = fill(words.frame, { title });
    this.#tell = tell;
    this.#fail = fail;
    const { signal } = this.#stay;
    addEventListener('message', (event) => this.#hear(event), { signal });
    document.addEventListener('securitypolicyviolation', (event) => this.#blocked(event), {
      signal,
    });
  }

  /** @param {MessageEvent} event */
  #hear({ data, source }) {
    const frame = this.#frame.value;
    if (!frame || source !== frame.contentWindow) return;
    const message = read(FROM_FRAME, data);
    if (!message) return;
    const { type, ...detail } = message;
    if (type === 'state') this.#state = String(detail.state);
    if (type === 'resize') frame.style.height = `${Math.min(Number(detail.height), TALLEST)}px`;
    const event = EVENTS[type];
    if (!event) return;
    const { release, ...rest } = detail;
    this.#tell(
      event,
      /** @type {any} */ (type === 'ready' ? { ...rest, version: release } : detail),
    );
  }

  /** @param {SecurityPolicyViolationEvent} event */
  #blocked({ effectiveDirective, blockedURI }) {
    if (!/^(frame|child|default)-src/.test(effectiveDirective)) return;
    if (!this.#place?.startsWith(blockedURI)) return;
    this.leave();
    this.#fail(new PolicyError('frame-src', blockedURI, undefined));
  }

  /** @param {string} type @param {(string | number)[]} values */
  act(type, values) {
    const fields = Object.keys(TO_FRAME[type] ?? {});
    const message = write(type, Object.fromEntries(fields.map((field, i) => [field, values[i]])));
    const frame = this.#frame.value?.contentWindow;
    if (!frame || !read(TO_FRAME, message)) return false;
    frame.postMessage(message, '*');
    return true;
  }

  /** What is on the screen, as the frame last said it; empty until it has. */
  get state() {
    return this.#state;
  }

  /** Whether it is what the tag asks for, as the tag is now. */
  stands() {
    const frame = this.#element.getAttribute('frame');
    return frame !== null && asked(this.#element, frame) === this.#place;
  }

  leave() {
    this.#stay.abort();
  }

  view() {
    return html`<iframe ${ref(this.#frame)} src=${this.#place ?? 'about:blank'}
      sandbox="allow-scripts" title=${this.#title}></iframe>`;
  }
}
