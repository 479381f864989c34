/** Fills the blanks of a text of the site. @param {string} text @param {Record<string, unknown>} values */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (blank, name) => String(values[name] ?? blank));
