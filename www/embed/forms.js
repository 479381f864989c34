/**
 * A lab, as it is, in the forms in which it can be given to somebody: plain texts.
 *
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 */

/** @param {string} text */
const quoted = (text) =>
  `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;

/**
 * Where the files of this build are: the folder of the element's own file, as an address that
 * others can open. A page that is one file does not know.
 * @param {string | undefined} module
 */
export function folderOf(module) {
  if (!module || !URL.canParse(module)) return undefined;
  const url = new URL(module);
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  return new URL(url.pathname.includes('/assets/') ? '..' : '.', url).href;
}

/**
 * @typedef {object} Shared
 * @property {string} experiment
 * @property {string} state the text of a link
 * @property {SettingInfo[]} settings
 * @property {string | undefined} folder where the files of this build are
 * @property {string | undefined} page the page itself, if it is one file that has an address
 * @property {string} title of a frame, for who cannot see it
 */

/**
 * The address of a page that is one file; one that was put together by a script has none.
 * @param {string} address
 */
export const pageAt = (address) =>
  /^(https?|file):/.test(address) ? address.replace(/[?#].*/s, '') : undefined;

/** The lesson at this moment, or the page that is one file. @param {Shared} shared */
export const link = ({ folder, page, state }) =>
  `${page ?? folder ?? 'at-least-once.html'}#${state}`;

/** What differs from the experiment's defaults, as attributes. @param {Shared} shared */
export const tag = ({ folder = '', experiment, settings }) => {
  const differing = settings.filter(({ value, default: usual }) => value !== usual);
  const attributes = differing.map(({ attribute, value }) => ` ${attribute}=${quoted(value)}`);
  return `<script type="module" src=${quoted(`${folder}at-least-once.js`)}></script>
<at-least-once experiment=${quoted(experiment)}${attributes.join('')}></at-least-once>`;
};

/** @param {Shared} shared */
export const frame = ({ folder = '', page, state, title }) =>
  `<iframe src=${quoted(page ? `${page}#${state}` : `${folder}embed.html?${new URLSearchParams({ state })}`)} sandbox="allow-scripts"
  title=${quoted(title)} width="100%" height="900" style="border: 0"></iframe>`;

/** The experiment's own file, opening with the state. @param {string} page @param {Shared} shared */
export const file = (page, { experiment, state }) =>
  page.replace(
    `<at-least-once experiment="${experiment}">`,
    () => `<at-least-once experiment=${quoted(experiment)} state=${quoted(state)}>`,
  );
