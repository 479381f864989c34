/** Kinds of marks, by what becomes of the money. */
import { MarkKind } from '../../core.js';

/** A receipt comes out. */
export const RECEIPTS = new Set([
  MarkKind.Wrote,
  MarkKind.WroteAgain,
  MarkKind.Paid,
  MarkKind.PaidAgain,
]);

/** Money came, or what came moved none. */
export const MONEY = new Set([...RECEIPTS, MarkKind.AlreadyWritten, MarkKind.Replayed]);

/** Something arrived, and was perhaps refused. */
export const ARRIVALS = new Set([
  ...MONEY,
  MarkKind.Declined,
  MarkKind.Unavailable,
  MarkKind.Started,
]);
