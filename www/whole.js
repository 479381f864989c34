/**
 * The larger module, with everything that can be set: beside the page's files, and fetched only
 * for what the page's own module lacks. The builds that are one file put another module in the
 * place of this one, which has none.
 *
 * @returns {Promise<typeof import('./pkg/at_least_once.js')>}
 */
export const whole = () =>
  import(
    /* @vite-ignore */ new URL(/* @vite-ignore */ '../explorer/at_least_once.js', import.meta.url)
      .href
  );
