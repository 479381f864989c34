// The timeline: what can be pointed at, walked through, chosen and enlarged, and how much of a
// page a crowded run takes.

import { expect, lab, test } from './fixtures.js';

/**
 * @import { Locator, Page } from '@playwright/test'
 */

/** @param {Page} page */
const timeline = (page) => ({
  picture: page.getByRole('img', { name: /^Timeline/ }),
  marks: page.getByRole('listbox', { name: 'Events in the timeline' }),
  mark: page.locator('.mark.active'),
  tip: page.locator('.tip'),
  zoom: (/** @type {string} */ name) => page.getByRole('button', { name, exact: true }),
  key: page.getByText('What the signs mean'),
});

/** The name of the mark that the keys have come to. @param {Page} page */
const active = (page) => timeline(page).mark.getAttribute('aria-label');

/** The middle of something in the page. @param {Locator} locator */
async function middle(locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not in the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A chapter's run under other settings, at its end. @param {Page} page @param {string} id @param {Record<string, string>} settings */
async function chapter(page, id, settings) {
  await page.goto(`/#${id}`);
  await expect(lab(page).run).toBeVisible();
  await page.evaluate((given) => {
    const element = document.querySelector('at-least-once');
    for (const [name, value] of Object.entries(given)) element?.setAttribute(name, value);
  }, settings);
  await lab(page).seekEnd();
}

test.describe('a run of one job', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/host/two.html');
    await page.evaluate(() => document.querySelector('#on')?.remove());
    await lab(page).seekEnd();
  });

  test('is one stop of the keyboard, in which the arrows walk through its events', async ({
    page,
  }) => {
    const { marks, tip } = timeline(page);
    await marks.focus();
    await marks.press('Home');
    expect(await active(page)).toBe('0 s. job_17 is put into the queue.');
    await marks.press('ArrowRight');
    expect(await active(page)).toContain('takes job_17');
    await expect(tip).toContainText('attempt 0');
    await marks.press('End');
    expect(await active(page)).toContain('1 min 5');
    const last = page.locator('.mark.active');
    const size = await last.getAttribute('aria-setsize');
    expect(await last.getAttribute('aria-posinset')).toBe(size);
    await marks.press('PageUp');
    expect(await last.getAttribute('aria-posinset')).toBe(String(Number(size) - 10));
    // The tab key leaves at once.
    await marks.press('Tab');
    await expect(marks).not.toBeFocused();
  });

  test('chooses an event by key, and lets it go again', async ({ page }) => {
    const { marks, mark } = timeline(page);
    await marks.focus();
    await marks.press('Home');
    await marks.press('ArrowRight');
    await marks.press('Enter');
    await expect(mark).toHaveAttribute('aria-selected', 'true');
    await expect(page.locator('.ring.selected')).toBeVisible();
    await marks.press('Enter');
    await expect(mark).toHaveAttribute('aria-selected', 'false');
    await marks.press(' ');
    await expect(mark).toHaveAttribute('aria-selected', 'true');
    await marks.press('Escape');
    await expect(mark).toHaveAttribute('aria-selected', 'false');
  });

  test('says what the pointer is on, and chooses it with a press', async ({ page }) => {
    const { tip, mark } = timeline(page);
    const at = await middle(page.locator('.disc.crash').first());
    await page.mouse.move(at.x, at.y);
    await expect(tip).toContainText('killed after the write');
    await page.mouse.click(at.x, at.y);
    await expect(mark).toHaveAttribute('aria-selected', 'true');
    expect(await mark.getAttribute('aria-label')).toContain('killed after the write');
    // What it says can be read with the pointer on it.
    const words = await middle(tip);
    await page.mouse.move(words.x, words.y, { steps: 4 });
    await expect(tip).toContainText('killed after the write');
  });

  test('says what a segment is', async ({ page }) => {
    const { tip } = timeline(page);
    const at = await middle(page.locator('.bar-name', { hasText: 'think' }).first());
    await page.mouse.move(at.x, at.y);
    await expect(tip).toContainText('think');
    await expect(tip).toContainText('0 s to 1 s');
  });

  test('is enlarged by buttons and keys, and goes back to the whole', async ({ page }) => {
    const { marks, zoom } = timeline(page);
    const whole = zoom('Whole run');
    await expect(whole).toHaveAttribute('aria-disabled', 'true');
    await zoom('Zoom in').click();
    await expect(whole).toHaveText('2×');
    await marks.focus();
    await marks.press('+');
    await expect(whole).toHaveText('4×');
    await marks.press('-');
    await expect(whole).toHaveText('2×');
    // The end is in sight; the start comes with the first event.
    await expect(zoom('Later')).toHaveAttribute('aria-disabled', 'true');
    await marks.press('Home');
    await expect(zoom('Earlier')).toHaveAttribute('aria-disabled', 'true');
    await marks.press('Shift+ArrowRight');
    await expect(zoom('Earlier')).toHaveAttribute('aria-disabled', 'false');
    await marks.press('0');
    await expect(whole).toHaveText('1×');
  });

  test('follows the playhead while it plays', async ({ page }) => {
    const { zoom } = timeline(page);
    await lab(page).restart.click();
    for (let time = 0; time < 3; time += 1) await zoom('Zoom in').click();
    await expect(zoom('Earlier')).toHaveAttribute('aria-disabled', 'true');
    await lab(page).run.click();
    await expect(zoom('Earlier')).toHaveAttribute('aria-disabled', 'false', { timeout: 15_000 });
    await lab(page).pause.click();
    const view = await page.locator('.timeline-box').boundingBox();
    const head = await page.locator('.playhead circle').boundingBox();
    expect(head?.x).toBeGreaterThan(view?.x ?? Infinity);
    expect(head?.x).toBeLessThan((view?.x ?? 0) + (view?.width ?? 0));
  });

  test('explains only the signs that occur in it', async ({ page }) => {
    const { key } = timeline(page);
    await key.click();
    await expect(page.getByText('Money leaves again for the same refund.')).toBeVisible();
    await expect(page.getByText('Paid before: nothing is written')).toHaveCount(0);
  });

  test('shows money on its way between two events, and none of it under reduced motion', async ({
    page,
  }) => {
    const { time } = lab(page);
    /** Just after the first write. */
    const between = () =>
      time.evaluate((/** @type {HTMLInputElement} */ slider) => {
        slider.value = String(Number(slider.max) * 0.15);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      });
    await between();
    await expect(page.locator('.coin.once')).toHaveCount(1);
    await expect(page.locator('.stub.once')).toHaveCount(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await between();
    await lab(page).stepBack.click();
    await lab(page).step.click();
    await expect(page.locator('.coin')).toHaveCount(0);
    await expect(page.locator('.stub.once')).toHaveCount(1);
  });
});

test('a vendor has a lane: money, an answer that is lost, a refusal with its status', async ({
  page,
}) => {
  await page.goto('/host/two.html');
  await page.evaluate(() => {
    document.querySelector('#on')?.remove();
    const element = document.querySelector('#off');
    element?.setAttribute('client-timeout', '4s');
    element?.setAttribute('key', 'none');
    element?.setAttribute('effect', 'vendor');
    element?.setAttribute('faults', '0:reply-lost 1:after-call 2:answer-503');
  });
  await lab(page).seekEnd();
  await expect(page.locator('.lane-name', { hasText: 'vendor' })).toBeVisible();
  // Paid three times there, noted once here, where no money moves.
  await expect(page.locator('.stub.again')).toHaveCount(2);
  await expect(page.locator('.stub.once')).toHaveCount(1);
  await expect(page.locator('.timeline .row')).toHaveCount(1);
  await expect(page.locator('.plate.unavailable')).toHaveText('503');
  await expect(page.locator('.label', { hasText: 'reply lost' })).toBeVisible();
});

test('whoever works on after the lease is drawn so, and the axis names the end of the run', async ({
  page,
}) => {
  await page.goto('/#timeout-too-short');
  await lab(page).seekEnd();
  // Three workers outlive their leases; nobody takes the job from the last one.
  await expect(page.locator('.timeline .work.late')).toHaveCount(3);
  await expect(page.locator('.timeline .label.moment').last()).toHaveText('50 s');
});

test('waits that double look longer each time, and each says how long it is', async ({ page }) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/?width=${width}#backoff`);
    await lab(page).seekEnd();
    const signs = page.locator('.timeline .zigzag');
    await expect(signs).toHaveCount(6);
    for (const wait of ['820 ms', '1.82 s', '3.82 s', '7.82 s', '15.8 s', '29.8 s']) {
      await expect(page.locator('.timeline .label', { hasText: wait })).toBeVisible();
    }
    const middles = await signs.evaluateAll((all) =>
      all
        .map((it) => it.getBoundingClientRect())
        .map(({ left, right }) => (left + right) / 2)
        .sort((a, b) => a - b),
    );
    const apart = middles.slice(1).map((x, i) => x - middles[i]);
    apart.slice(1).forEach((distance, i) => {
      expect(distance).toBeGreaterThan(1.2 * apart[i]);
    });
  }
});

test('where a crowd works all the time nothing is left out', async ({ page }) => {
  await chapter(page, 'backoff', { 'backoff-jitter': 'full' });
  await expect(page.locator('.timeline .label.moment').last()).toHaveText('4.99 s');
  await expect(page.locator('.timeline .zigzag')).toHaveCount(0);
});

test('a step that outlives its lease has its name once; who works on is always told', async ({
  page,
}) => {
  await page.goto('/#timeout-too-short');
  await lab(page).seekEnd();
  await expect(page.locator('.bar-name', { hasText: 'write' })).toHaveCount(3);
  await expect(page.locator('.label', { hasText: /no lease|without a lease/ })).toHaveCount(3);
});

test('who stops at a checkpoint is told so in one word, and messages lie each in its row', async ({
  page,
}) => {
  await chapter(page, 'drain', { 'deploy-kind': 'drain', 'deploy-stop': 'checkpoint' });
  await expect(page.locator('.label', { hasText: /^(stopped|off)$/ })).toHaveCount(4);
  await expect(page.locator('.label', { hasText: 'given back' })).toHaveCount(0);
  const rows = await page
    .locator('.timeline .ready')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top));
  expect(new Set(rows).size).toBe(4);
});

test('who waits for a connection does not look at work, and the key says what it is', async ({
  page,
}) => {
  await chapter(page, 'open-transaction', { 'job-count': '20', 'workers-count': '20' });
  await expect(page.locator('.dense .idle').first()).toBeAttached();
  await timeline(page).key.click();
  await expect(page.getByText('A worker waits: for a connection')).toBeVisible();
});

test('short steps keep their names, in small letters if need be', async ({ page }) => {
  await chapter(page, 'double-refund', { faults: '0:after-write 1:after-write' });
  await expect(page.locator('.bar-name', { hasText: 'think' })).toHaveCount(3);
});

test('no sign covers the name of a step', async ({ page }) => {
  for (const id of ['double-refund', 'keys', 'errors', 'drain', 'checkpoint']) {
    await chapter(page, id, {});
    const covered = await page.locator('.timeline').evaluate((picture) => {
      const boxes = (/** @type {string} */ of) =>
        [...picture.querySelectorAll(of)].map((it) => it.getBoundingClientRect());
      return boxes('.bar-name').filter((name) =>
        boxes('.disc circle').some(
          (sign) =>
            sign.left + 1 < name.right &&
            name.left < sign.right - 1 &&
            sign.top < name.bottom &&
            name.top < sign.bottom,
        ),
      ).length;
    });
    expect(covered, id).toBe(0);
  }
});

test('several jobs are named in the queue and over their leases', async ({ page }) => {
  await page.goto('/host/two.html');
  await page.evaluate(() => {
    document.querySelector('#on')?.remove();
    document.querySelector('#off')?.setAttribute('job-count', '3');
  });
  await lab(page).seekEnd();
  for (const job of ['job_17', 'job_18', 'job_19']) {
    await expect(page.locator('.token text', { hasText: job }).first()).toBeVisible();
    await expect(page.locator('.label', { hasText: job }).first()).toBeVisible();
  }
});

test.describe('a crowded run', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/host/two.html');
    await page.evaluate(() => {
      document.querySelector('#on')?.remove();
      const element = document.querySelector('#off');
      element?.setAttribute('workers-count', '50');
      element?.setAttribute('job-count', '200');
    });
    await expect(lab(page).time).toBeVisible();
    await lab(page).seekEnd();
    await expect(page.locator('.dense').last()).toBeAttached();
  });

  test('takes as much of the page as one of a tenth of its jobs', async ({ page }) => {
    const nodes = () => page.locator('.canvas *').count();
    const many = await nodes();
    expect(many).toBeLessThan(900);
    await timeline(page).zoom('Zoom in').click();
    await timeline(page).zoom('Zoom in').click();
    expect(await nodes()).toBeLessThan(900);
  });

  test('shows the whole way of a job that is chosen', async ({ page }) => {
    const { marks } = timeline(page);
    await marks.focus();
    await marks.press('End');
    await marks.press('Enter');
    await expect(page.locator('.journey .hull')).toBeAttached();
    await expect(page.locator('.journey .drop.once')).toBeAttached();
  });

  test('says how deep the queue is', async ({ page }) => {
    const { tip } = timeline(page);
    const view = await page.locator('.timeline-box').boundingBox();
    if (!view) throw new Error('there is no picture');
    await page.mouse.move(view.x + view.width / 2, view.y + 45);
    await expect(tip).toContainText('Ready:');
    await expect(tip).toContainText('Leased:');
  });
});

test('receipts stand beside each other, and in front of what falls past them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/#drain');
  await lab(page).seekEnd();
  const stubs = page.locator('.stub');
  await expect(stubs).toHaveCount(4);
  const boxes = await stubs.evaluateAll((all) =>
    all
      .map((it) => it.querySelector('path')?.getBoundingClientRect() ?? new DOMRect())
      .sort((a, b) => a.left - b.left)
      .map(({ left, right }) => ({ left, right })),
  );
  boxes.slice(1).forEach(({ left }, i) => {
    expect(left).toBeGreaterThan(boxes[i].right);
  });
  const fallen = await page
    .locator('.drop.once')
    .last()
    .evaluate((drop) => {
      const stub = drop.closest('svg')?.querySelector('.stub');
      return stub && drop.compareDocumentPosition(stub) === Node.DOCUMENT_POSITION_FOLLOWING;
    });
  expect(fallen).toBe(true);
});

test('the scale ends when the run ends, to the second', async ({ page }) => {
  await page.goto('/#timeout-too-long');
  await lab(page).seekEnd();
  await expect(page.locator('.timeline text', { hasText: '50 min 31 s' })).toHaveCount(1);
});
