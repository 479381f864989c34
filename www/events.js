/**
 * What a page hears of a lab. The names are a contract with pages out there.
 *
 * @import { Verdict } from './pkg/at_least_once.js'
 */

/**
 * The lab stands and can be used.
 * @typedef {object} ReadyDetail
 * @property {string} experiment
 * @property {string} version of the element
 */

/**
 * A run has been looked at to its end.
 * @typedef {object} RunEndDetail
 * @property {string} experiment
 * @property {string} state the run as the text of a link
 * @property {Verdict} verdict rows, money paid and owed in cents, and what was broken
 */

/**
 * The reader has made a guess, or a guess has been answered.
 * @typedef {object} PredictionDetail
 * @property {number} said
 * @property {number | null} outcome what it turned out to be; null while nobody knows
 */

/**
 * The reader has done a task.
 * @typedef {object} TaskDetail
 * @property {number} task its place in the list, from 0
 * @property {number} done how many are done
 * @property {number} of how many there are
 */

/**
 * A setting has another value.
 * @typedef {object} SettingDetail
 * @property {string} setting its path, `queue.visibility_timeout`
 * @property {string} value as text
 */

/**
 * Something went wrong, or was refused; the element says so in words, too.
 * @typedef {object} ErrorDetail
 * @property {'load' | 'policy' | 'refused' | 'restarted'} kind
 * @property {string} message
 * @property {string | null} field the attribute or setting that was refused
 */

/**
 * The events, by name. All bubble and pass through shadow roots.
 * @typedef {object} AtLeastOnceEventMap
 * @property {CustomEvent<ReadyDetail>} at-least-once-ready
 * @property {CustomEvent<RunEndDetail>} at-least-once-run-end
 * @property {CustomEvent<PredictionDetail>} at-least-once-prediction
 * @property {CustomEvent<TaskDetail>} at-least-once-task
 * @property {CustomEvent<SettingDetail>} at-least-once-setting
 * @property {CustomEvent<ErrorDetail>} at-least-once-error
 */

export {};
