// The handler's code and the guard's sentence on the page: nothing is cut off, and the key is that
// of the attempt that is chosen.

import { expect, lab, test } from './fixtures.js';

test('no line of the code is cut off beside the picture', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const chapters = [
    'double-refund',
    'keys',
    'checkpoint',
    'errors',
    'open-transaction',
    'attempts',
  ];
  const twice = 'v=1&x=open-transaction&job.second_amount=100';
  for (const chapter of [...chapters, twice, `${twice}&guard=check-then-insert&key=none`]) {
    await page.goto(`/#${chapter}`);
    const code = page.getByRole('region', { name: 'Handler code' });
    for (const name of ['TypeScript', 'Go', 'Rust', 'Python']) {
      await code.getByRole('button', { name }).click();
      await expect(code).toContainText(/handle/);
      const over = await code
        .locator('.lines')
        .evaluate((lines) => lines.scrollWidth - lines.clientWidth);
      expect(over, `${chapter}, ${name}`).toBeLessThanOrEqual(0);
    }
  }
});

test('the sentence of the guard names the key of the attempt that is chosen', async ({ page }) => {
  await page.goto('/#v=1&x=keys&key=per-attempt');
  const { attempt } = lab(page);
  for (const number of [0, 1, 2]) {
    await attempt(number).click();
    await expect(page.locator('#guard-help')).toContainText(`job_17:step_3:refund:${number} `);
  }
});
