/**
 * Puts on a style sheet that came with a part, once for each lab.
 * @param {DocumentOrShadowRoot} root @param {import('lit').CSSResult} styles
 */
export function dress(root, { styleSheet }) {
  if (styleSheet && !root.adoptedStyleSheets.includes(styleSheet)) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
  }
}
