/**
 * What a page and the lab in its frame may say to each other. Either side may be anybody, so a
 * message is read field by field, and one that does not fit is as if it had not been sent.
 *
 * A message is `{ source: 'at-least-once', version: 1, type, …fields }`.
 */
export const SOURCE = 'at-least-once';
export const VERSION = 1;

/** @typedef {(value: unknown) => boolean} Check */

/** @param {number} most @returns {Check} */
const text = (most) => (value) => typeof value === 'string' && value.length <= most;
/** @param {number} most @returns {Check} */
const whole = (most) => (value) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
/** @param {Check} check @returns {Check} */
const orNull = (check) => (value) => value === null || check(value);
/** @type {Check} */
const flat = (value) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).length <= 32 &&
  Object.values(value).every((it) => it === null || ['boolean', 'number'].includes(typeof it));

const name = text(64);
const link = text(2048);
const count = whole(1_000_000);

/** What the frame says. @type {Record<string, Record<string, Check>>} */
export const FROM_FRAME = {
  ready: { experiment: name, release: name },
  resize: { height: whole(100_000) },
  run: { experiment: name, state: link, verdict: flat },
  state: { state: link },
  prediction: { said: count, outcome: orNull(count) },
  task: { task: count, done: count, of: count },
  setting: { setting: name, value: link },
  error: { kind: name, message: text(500), field: orNull(name) },
};

/** What the frame understands. @type {Record<string, Record<string, Check>>} */
export const TO_FRAME = {
  run: {},
  pause: {},
  step: {},
  reset: {},
  seek: { us: whole(Number.MAX_SAFE_INTEGER) },
  open: { state: link },
  set: { setting: name, value: link },
};

/** @typedef {{ type: string } & Record<string, unknown>} Message */

/**
 * The message in what was sent: its type and the fields that are known, or nothing.
 * @param {typeof FROM_FRAME} schema @param {unknown} data @returns {Message | undefined}
 */
export function read(schema, data) {
  if (typeof data !== 'object' || data === null) return undefined;
  const sent = /** @type {Record<string, unknown>} */ (data);
  const { source, version, type } = sent;
  if (source !== SOURCE || version !== VERSION || typeof type !== 'string') return undefined;
  if (!Object.hasOwn(schema, type)) return undefined;
  /** @type {Message} */
  const message = { type };
  for (const [field, check] of Object.entries(schema[type])) {
    if (!Object.hasOwn(sent, field) || !check(sent[field])) return undefined;
    message[field] = sent[field];
  }
  return message;
}

/** @param {string} type @param {object} fields */
export const write = (type, fields) => ({ ...fields, source: SOURCE, version: VERSION, type });
