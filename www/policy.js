/**
 * Which directive of the page's content security policy keeps the lab from running. A browser
 * reports it as an event, to whoever listens at that moment; the error itself says it in words
 * that differ from browser to browser.
 */

/** Thrown instead of what the browser threw, when the policy is the cause. */
export class PolicyError extends Error {
  /** @param {string} directive @param {string} blocked @param {unknown} cause */
  constructor(directive, blocked, cause) {
    super(`the content security policy forbids it: ${directive}`, { cause });
    this.name = 'PolicyError';
    this.directive = directive;
    this.blocked = blocked;
  }
}

/** What browsers write where they do not report, or later than they throw. */
const WORDS = /unsafe-eval|content security|\bCSP\b/i;

/**
 * Does something that a policy may forbid.
 * @template T @param {() => Promise<T>} act @returns {Promise<T>}
 */
export async function underPolicy(act) {
  /** @type {SecurityPolicyViolationEvent[]} */
  const reports = [];
  const note = (/** @type {SecurityPolicyViolationEvent} */ event) => reports.push(event);
  document.addEventListener('securitypolicyviolation', note);
  try {
    return await act();
  } catch (error) {
    // The report is an event of its own, behind the error.
    await new Promise((done) => setTimeout(done));
    const report = reports.find(({ effectiveDirective }) =>
      /^(script|connect|default)-src/.test(effectiveDirective),
    );
    if (report) throw new PolicyError(report.effectiveDirective, report.blockedURI, error);
    if (WORDS.test(String(error))) throw new PolicyError('script-src', 'wasm-eval', error);
    throw error;
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
}
