/**
 * What the table of a language has: its lines, without the indent of the place where they stand.
 *
 * @typedef {[string | RegExp, string]} Replacement what of a line falls away, and what is there instead
 * @typedef {[string, string]} Around what stands before an expression and behind it
 *
 * @typedef {{ open: string[], close: string[] }} Block what stands around lines
 *
 * @typedef {object} Language
 * @property {string} indent
 * @property {string} comment how one begins
 * @property {Replacement[]} breaks where a line that is too long goes on in the next
 * @property {string[]} head
 * @property {string[]} tail
 * @property {{ refunded: string[], started: string[] }} resume what a delivery does that finds the
 *   work done: by its checkpoint, or by the job's mark
 * @property {{ found: string[], otherwise: string[], end: string[] }} started around what a
 *   delivery does that finds a checkpoint of before the work, and what any other does
 * @property {string[]} think
 * @property {string[]} kept the same, unless a checkpoint has kept the decision
 * @property {string[]} given the amount, where nobody decides on it
 * @property {{ open: string[], skip: string[], past: string[], close: string[] }} each around
 *   the lines that are for each refund, what skips one that has its checkpoint, and what skips one
 *   behind which another has been started
 * @property {{ given: string[], amount: Replacement, done: Replacement, started: Replacement, key: Replacement }} several
 *   what is said differently where there are several refunds
 * @property {Record<string, string[]>} key the expression, by the policy for keys
 * @property {{ constant: Around, changing: Around, assign: Around }} declare
 * @property {None} none
 * @property {Record<string, string[]>} check by the guard that looks first
 * @property {Insert} insert the row, whatever is there already
 * @property {string[]} unless the row, unless the guard has seen one
 * @property {Replacement[]} within the same in a transaction that is open
 * @property {{ once: string[], chained: string[] }} commit at the end of a transaction, or before
 *   the next begins in its place
 * @property {string[]} call
 * @property {Replacement} tries the vendor, where it is called more than once within an attempt
 * @property {Claim} claim
 * @property {Block} unseen around the call, unless the guard has seen a payment
 * @property {Answers} answers what becomes of the vendor's answer
 * @property {{ after: string[], started: string[] }} checkpoint behind the work, or before it
 * @property {{ nests: boolean, open: string[], body: string[], close: string[] }} start the job's
 *   mark and the outbox's row, and the transaction around them
 * @property {{ head: string[], amount: string[], key: string[], mint: string[], mark: string[] }} relay
 * @property {Record<string, string[]>} steps all others
 *
 * @typedef {object} None what is said differently where there is no key
 * @property {Replacement} call
 * @property {Replacement} outbox
 * @property {Replacement} asked what the vendor is asked for
 * @property {(several: boolean) => { column: string, value: string }} row what it is known by
 * @property {{ declare: string[], assign: Around, call: Replacement }} maybe where a retry has one
 *
 * @typedef {object} Insert
 * @property {string[]} open
 * @property {string} indent before the line that makes the insert take each key once
 * @property {string} conflict
 * @property {string} end behind it
 * @property {string[]} close
 *
 * @typedef {object} Answers
 * @property {string[]} call the call, with its answer at hand
 * @property {string[]} silence taken for a no
 * @property {string[]} no a 4xx taken for one
 * @property {Block} failed around what is done for another attempt
 * @property {Record<string, string[]>} again the same, by how it comes back
 *
 * @typedef {object} Claim
 * @property {string[]} open before effect and row, where a claim that is found is taken for done
 * @property {string[]} close behind them
 * @property {string[]} asked before them, where one that is found may be in progress
 * @property {Block} busy around what is done then
 * @property {string[]} fresh before effect and row, if none is found
 * @property {string[]} done the work of a claim in progress
 * @property {string[]} release it is for the next attempt, after a failure that has done nothing
 */
export {};
