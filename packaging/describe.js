// What a build has to know of the experiments, asked of the core itself.

import { propertyOf, settingsOf } from '../www/attributes.js';
import { experiments, load } from '../www/core.js';
import { escaped, fallback } from '../www/embed/fallback.js';
import texts from '../www/text/en/settings.json';
import { chapter, hasChapter } from '../www/words.js';

/** Every experiment that is told, with the page that stands in for it. */
export async function stories() {
  await load();
  const described = [];
  for (const id of experiments().filter(hasChapter)) {
    const text = await chapter(id);
    const title = escaped(text.title);
    described.push({ id, title, fallback: await fallback(id, {}) });
  }
  return described;
}

/** @type {Record<string, string>} */
const helpOf = texts.help;

/** Every setting as an attribute. */
export async function settings() {
  await load();
  return settingsOf(experiments()[0]).map(({ attribute, path, kind, limit, default: usual }) => ({
    attribute,
    property: propertyOf(attribute),
    path,
    kind,
    limit,
    usual,
    help: helpOf[path] ?? '',
  }));
}
