// What a screen reader is given of each part of the lab, at a moment at which each has something
// to say.

import { expect, lab, test } from './fixtures.js';

test('the parts of the lab by role and name', async ({ page }) => {
  await page.goto('/#double-refund');
  const { step } = lab(page);
  const told = page.getByRole('table', { name: 'Log' });
  while (!(await told.textContent())?.includes('Worker B takes job_17')) await step.click();

  await expect(page.getByRole('region', { name: 'Playback' })).toMatchAriaSnapshot(`
    - region "Playback":
      - button "Run"
      - button "Step back"
      - button "Step"
      - button "Restart"
      - button "Previous crash or write"
      - slider "Time"
      - button "Next crash or write"
      - combobox "Speed"
      - button "Undo" [disabled]
      - button "Redo" [disabled]
  `);
  await expect(page.getByRole('region', { name: 'What goes wrong' })).toMatchAriaSnapshot(`
    - group "Attempt":
      - button "Attempt 0, with a fault" [pressed]
      - button "Attempt 1"
      - button "Attempt 2"
    - list:
      - listitem: lease
      - listitem: think
      - listitem:
        - button "Crash before the write, attempt 0"
      - listitem: write refund
      - listitem:
        - button "Crash after the write, attempt 0" [pressed]
    - switch "Idempotency guard"
  `);
  await expect(page.getByRole('region', { name: 'What worker B can see' })).toMatchAriaSnapshot(`
    - heading "What worker B can see"
    - group "Worker":
      - button "A"
      - button "B" [pressed]
      - button "C"
    - heading "What it cannot see"
    - list:
      - listitem:
        - button "2 s"
        - text: /Worker A writes ledger row 1/
  `);
  await expect(page.getByRole('region', { name: 'Handler code' })).toMatchAriaSnapshot(`
    - heading "Handler code"
    - group "Language":
      - button "Python" [pressed]
      - button "TypeScript"
      - button "Go"
      - button "Rust"
    - code:
      - deletion: /ON CONFLICT/
  `);
  await expect(page.getByRole('table', { name: 'Attempts' })).toMatchAriaSnapshot(`
    - table "Attempts":
      - rowgroup:
        - row "attempt worker wrote a new row? ended wait before next"
      - rowgroup:
        - row /0 A yes .*crashed after the write 733/:
          - rowheader "0"
        - row "1 B not reached running –"
  `);
});
