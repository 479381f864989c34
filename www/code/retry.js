/**
 * @import { SettingInfo } from '../pkg/at_least_once.js'
 * @import { Retry } from './compose.js'
 */

const PATHS = ['retry.on_4xx', 'retry.on_no_answer', 'retry.how'];

/**
 * What becomes of the vendor's answer: said where an experiment is about it, or where somebody has
 * changed it.
 * @param {SettingInfo[]} settings @returns {Retry | null}
 */
export function retryOf(settings) {
  const own = settings.filter(({ path }) => PATHS.includes(path));
  if (!own.some(({ shown, value, default: usual }) => shown || value !== usual)) return null;
  const [no, silence, how] = PATHS.map((path) => own.find((it) => it.path === path)?.value ?? '');
  return { silence: silence === 'final', no: no === 'final', how };
}
