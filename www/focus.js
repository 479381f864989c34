/** What the keyboard can stop at. */
const STOPS = ':is(button, input, select, summary):not(:disabled, [tabindex]), [tabindex="0"]';

/**
 * Remembers who has the focus before something is drawn. What is returned is called after it: if
 * that element is gone, a button with the message that it closed, the next stop near it has the
 * focus. True once there is nothing more to do.
 * @param {ShadowRoot} root @returns {() => boolean}
 */
export function holdFocus(root) {
  /** @type {Element[]} */
  const around = [];
  for (let at = root.activeElement; at; at = at.parentElement) around.push(at);
  return () => {
    const gone = around.length > 0 && !around[0].isConnected;
    // Who has gone elsewhere by themselves is left there.
    if (!gone || document.activeElement !== document.body) return true;
    const places = [...around.filter((place) => place.isConnected), root];
    const stops = places.flatMap((place) => [...place.querySelectorAll(STOPS)]);
    const stop = stops.find((it) => it.checkVisibility());
    if (stop instanceof HTMLElement) stop.focus({ preventScroll: true });
    return stop !== undefined;
  };
}
