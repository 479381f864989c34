/**
 * An import that can be tried again. Firefox remembers under its address that a module could not
 * be fetched, so the second try asks for another address of the same file.
 * @template T @param {() => Promise<T>} fetch @returns {() => Promise<T>}
 */
export function retriable(fetch) {
  let tries = 0;
  let address = '';
  return async () => {
    try {
      return await (address ? import(/* @vite-ignore */ `${address}?${tries}`) : fetch());
    } catch (error) {
      tries += 1;
      address ||= /https?:[^\s?]+/.exec(String(error))?.[0] ?? '';
      throw error;
    }
  };
}
