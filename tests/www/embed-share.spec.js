// What a reader takes along: a link, a tag, a frame, a file, each of the lab as it is.

import { fileURLToPath } from 'node:url';
import { expect, lab, test } from './fixtures.js';

/** @import { Page } from '@playwright/test' */

/** A lab that is not as it was, and its panel. @param {Page} page */
async function opened(page) {
  await page.goto('/host/embed.html');
  const { guard, step } = lab(page);
  await guard.click();
  await expect(guard).toBeChecked();
  for (let i = 0; i < 3; i += 1) await step.click();
  await page.getByRole('button', { name: 'Share' }).click();
  return (/** @type {string} */ name) => page.getByRole('textbox', { name });
}

test('the link opens the same moment', async ({ page }) => {
  const text = await opened(page);
  const link = await text('Link').inputValue();
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#v=\d+&x=double-refund/);
  const { state } = await page.locator('at-least-once').evaluate((it) => /** @type {any} */ (it));
  expect(link).toContain(state ?? '');
  await page.goto('/host/empty.html');
  await page.evaluate((link) => {
    const element = document.createElement('at-least-once');
    element.setAttribute('state', link.slice(link.indexOf('#') + 1));
    document.body.append(element);
  }, link);
  await page.addScriptTag({ type: 'module', url: '/at-least-once.js' });
  await expect(lab(page).guard).toBeChecked();
  await expect(lab(page).log).toHaveCount(3);
});

test('the tag and the frame are what the page before them was', async ({ page }) => {
  const text = await opened(page);
  const tag = await text('Tag').inputValue();
  const frame = await text('Frame').inputValue();
  expect(tag).toContain('<at-least-once experiment="double-refund"');
  await page.goto('/host/empty.html');
  await page.evaluate((given) => {
    document.body.innerHTML = given;
    // Scripts in such text do not run, as in any page that is put together by a script.
    const script = document.createElement('script');
    const { src = '' } = document.querySelector('script') ?? {};
    Object.assign(script, { type: 'module', src });
    document.head.append(script);
  }, tag + frame);
  await expect(lab(page).guard).toBeChecked();
  await page.locator('iframe').scrollIntoViewIfNeeded();
  const inside = lab(/** @type {any} */ (page.frameLocator('iframe')));
  await expect(inside.guard).toBeChecked();
  await expect(inside.log).toHaveCount(3);
});

test('the frame is called what its lab is about', async ({ page }) => {
  await page.goto('/#keys');
  await page.getByRole('button', { name: 'Share' }).click();
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  const frame = await page.getByRole('textbox', { name: 'Frame' }).inputValue();
  expect(frame).toContain(`title="${title}: an interactive lab"`);
});

for (const address of ['/embed.html?guard=off', '/at-least-once.html#double-refund']) {
  test(`${address} gives its own address, with what is on the screen`, async ({ page }) => {
    await page.goto(address);
    await lab(page).step.click();
    await lab(page).step.click();
    await page.getByRole('button', { name: 'Share' }).click();
    const text = (/** @type {string} */ name) => page.getByRole('textbox', { name }).inputValue();
    const link = await text('Link');
    const [file] = address.split(/[?#]/);
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${file}#v=\\d+&x=double-refund`));
    expect(await text('Frame')).toContain(link.replaceAll('&', '&amp;'));
    await expect(page.getByText('This page is that file')).toBeVisible();
    await page.goto('about:blank');
    await page.goto(link);
    await expect(lab(page).log).toHaveCount(2);
    await expect(lab(page).guard).not.toBeChecked();
  });
}

test('from a disk it says that its address leads nowhere else', async ({ page }) => {
  const file = fileURLToPath(new URL('../../dist/embed.html', import.meta.url));
  await page.goto(`file://${file}`);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('This page was opened from a disk')).toBeVisible();
});

// Firefox reports no downloads over BiDi.
test('the file opens with what was on the screen', { tag: '@chromium' }, async ({ page }, info) => {
  await opened(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the file' }).click();
  const path = info.outputPath((await download).suggestedFilename());
  await (await download).saveAs(path);
  await page.goto(`file://${path}`);
  await expect(lab(page).guard).toBeChecked();
  await expect(lab(page).log).toHaveCount(3);
});

test('a text that may not be copied is selected, and that is said', async ({ page }) => {
  await opened(page);
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  const panel = page.getByRole('region', { name: 'Share what is on the screen' });
  await panel.getByRole('button', { name: 'Copy' }).first().click();
  await expect(page.getByText('It is selected')).toBeVisible();
  const selected = await page.locator('at-least-once').evaluate((it) => {
    const field = /** @type {HTMLTextAreaElement | null | undefined} */ (
      it.shadowRoot?.querySelector('.share textarea')
    );
    return field && field.selectionEnd - field.selectionStart === field.value.length;
  });
  expect(selected).toBe(true);
});
