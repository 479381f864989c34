import { defineConfig } from '@playwright/test';

const port = Number(process.env.AT_LEAST_ONCE_PORT ?? 4180);

/** A browser's path, when the caller found one; else the places where Playwright looks. */
const at = (/** @type {string} */ name) => {
  const path = process.env[name];
  return path ? { executablePath: path } : {};
};

const chromium = {
  browserName: /** @type {const} */ ('chromium'),
  // Chromium refuses to start as root with its sandbox on.
  launchOptions: { ...at('AT_LEAST_ONCE_CHROMIUM'), args: ['--no-sandbox'] },
};

const firefox = {
  browserName: /** @type {const} */ ('firefox'),
  // A stock Firefox over WebDriver BiDi; Playwright's own build is not needed.
  channel: 'moz-firefox',
  launchOptions: at('AT_LEAST_ONCE_FIREFOX'),
};

/** What Firefox cannot show to a test that drives it from outside, or only with a setting. */
const ONLY_CHROMIUM = /@chromium|@forced-colours/;

/** Over BiDi what a test asks for is not passed on, so Firefox is started so. @param {Record<string, number>} prefs */
const firefoxWith = (prefs) => ({
  ...firefox,
  launchOptions: { ...firefox.launchOptions, firefoxUserPrefs: prefs },
});

export default defineConfig({
  testDir: 'tests/www',
  testMatch: '*.spec.js',
  // Sites that are built only when everything is tested.
  testIgnore: process.env.AT_LEAST_ONCE_SITES ? [] : ['sites.spec.js'],
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  timeout: 120_000,
  // A busy machine takes its time; what never comes fails all the same.
  expect: { timeout: 20_000 },
  use: { baseURL: `http://127.0.0.1:${port}` },
  webServer: {
    command: `node tests/www/server.js ${port}`,
    url: `http://127.0.0.1:${port}/`,
    reuseExistingServer: false,
  },
  projects: [
    { name: 'chromium', use: chromium },
    { name: 'firefox', grepInvert: ONLY_CHROMIUM, use: firefox },
    {
      name: 'chromium, dark',
      testMatch: 'quality.spec.js',
      use: { ...chromium, colorScheme: 'dark' },
    },
    {
      name: 'firefox, dark',
      grepInvert: ONLY_CHROMIUM,
      testMatch: 'quality.spec.js',
      // 0 is dark.
      use: firefoxWith({ 'layout.css.prefers-color-scheme.content-override': 0 }),
    },
    {
      name: 'firefox, forced colours',
      grep: /@forced-colours/,
      testMatch: 'quality.spec.js',
      // 2 overrides the colours of every page.
      use: firefoxWith({ 'browser.display.document_color_use': 2 }),
    },
  ],
});
