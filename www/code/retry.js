/**
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { Retry } from './compose.js'
 */

const PATHS = ['retry.on_4xx', 'retry.on_no_answer', 'retry.how', 'client.tries'];

/**
 * What becomes of the vendor's answer: said where an experiment is about it, where somebody has
 * changed it, or where a claim in progress hangs on it.
 * @param {SettingInfo[]} settings @returns {Retry | null}
 */
export function retryOf(settings) {
  const find = (/** @type {string} */ path) => settings.find((it) => it.path === path);
  const own = PATHS.map(find);
  const claims = find('guard')?.value === 'on' && find('guard.at')?.value === 'call';
  const opens = claims && find('guard.claim')?.value !== 'done';
  if (!opens && !own.some((it) => it && (it.shown || it.value !== it.default))) return null;
  const [no, silence, how, tries] = own.map((it) => it?.value ?? '');
  return { silence: silence === 'final', no: no === 'final', how, tries: Number(tries) };
}
