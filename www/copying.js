/** Puts text on the clipboard, by the old way where the new one is forbidden. */

/**
 * @param {string} text
 * @param {Element} near where a field may stand for a moment; the text must be in the page to be
 *   selected
 * @returns {Promise<boolean>} whether it is there
 */
export async function copy(text, near) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text, near);
  }
}

/** @param {string} text @param {Element} near */
function copyFromField(text, near) {
  const focused = /** @type {ShadowRoot | Document} */ (near.getRootNode()).activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  near.append(field);
  field.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    // A browser without it: the caller shows the text instead.
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
