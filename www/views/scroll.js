/** Shows the last row, and above it whole rows only. @param {Element} log */
export function scrollToLast(log) {
  const table = /** @type {HTMLElement} */ (log.querySelector('table'));
  table.style.marginBottom = '';
  log.scrollTop = log.scrollHeight;
  if (log.scrollTop === 0) return;
  const top = log.querySelector('thead')?.getBoundingClientRect().bottom ?? 0;
  for (const row of log.querySelectorAll('tbody tr')) {
    const { bottom } = row.getBoundingClientRect();
    if (bottom <= top + 1) continue;
    const cut = row.getBoundingClientRect().top < top - 1;
    if (cut) table.style.marginBottom = `${Math.ceil(bottom - top)}px`;
    break;
  }
  log.scrollTop = log.scrollHeight;
}
