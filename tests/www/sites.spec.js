// The lab in course sites, each built by its own tool from `examples/embed/`.

import { expect, lab, test } from './fixtures.js';

test.describe('mdBook', () => {
  test('the lab is in the chapter, and the arrow keys stay in it', async ({ page }) => {
    await page.goto('/built/mdbook/refunds.html');
    const { ledger, run, time } = lab(page);
    await time.focus();
    await time.press('End');
    await expect(ledger).toHaveCount(3);
    await time.press('ArrowRight');
    await run.focus();
    await run.press('ArrowRight');
    await expect(page).toHaveURL(/refunds\.html$/);
    await page.locator('h1').first().click();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL(/what-helps\.html$/);
  });
});

test.describe('MkDocs Material', () => {
  test('the lab is on the page, also after a page was loaded without a reload', async ({
    page,
  }) => {
    await page.goto('/built/mkdocs/index.html');
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(3);
    await page.getByRole('link', { name: 'What helps' }).first().click();
    await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible();
    await page.getByRole('link', { name: 'Refunds' }).first().click();
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(3);
  });
});

test.describe('Docusaurus', () => {
  test('the lab is on the page, also after the client has changed pages', async ({ page }) => {
    await page.goto('/built/docusaurus/');
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(3);
    await page.getByRole('main').getByRole('link', { name: 'What helps' }).first().click();
    await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Back' }).click();
    await lab(page).seekEnd();
    await expect(lab(page).ledger).toHaveCount(3);
  });
});

for (const framework of ['react', 'vue', 'svelte']) {
  test(`${framework}: attributes go in, events come out`, async ({ page }) => {
    await page.goto(`/built/frameworks/${framework}.html`);
    const { guard, ledger, seekEnd } = lab(page);
    const paid = page.locator('#paid');
    await expect(guard).not.toBeChecked();
    await seekEnd();
    await expect(ledger).toHaveCount(2);
    await expect(paid).toHaveText('3998');
    await page.getByRole('button', { name: 'Put the guard in' }).click();
    await expect(guard).toBeChecked();
    await seekEnd();
    await expect(paid).toHaveText('1999');
  });
}
