/**
 * The panel from which a reader takes what is on the screen along.
 *
 * @import { Shared } from '../embed/forms.js'
 */
import { html, nothing } from 'lit';
import { file, folderOf, frame, link, pageAt, tag } from '../embed/forms.js';
import embed from '../text/en/embed.json';
import words from '../text/en/share.json';
import { fill } from '../words.js';

/** Puts a text where it can be pasted from; where that is forbidden, it is selected. @param {Event} event */
async function copy(event) {
  const form = /** @type {HTMLElement} */ (event.currentTarget).closest('.form');
  const field = form?.querySelector('textarea');
  const said = form?.querySelector('output');
  if (!field || !said) return;
  try {
    await navigator.clipboard.writeText(field.value);
    said.textContent = words.copied;
  } catch {
    field.select();
    said.textContent = words.by_hand;
  }
}

/** @param {Event} event @param {Shared} shared */
async function save(event, shared) {
  const said = /** @type {HTMLElement} */ (event.currentTarget)
    .closest('.form')
    ?.querySelector('output');
  try {
    const answer = await fetch(`${shared.folder}experiments/${shared.experiment}.html`);
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new Blob([file(await answer.text(), shared)], { type: 'text/html' });
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(page);
    anchor.download = `${shared.experiment}.html`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  } catch {
    if (said) said.textContent = fill(words.no_file, { experiment: shared.experiment });
  }
}

/** @param {'link' | 'tag' | 'frame'} form @param {string} text */
const form = (form, text) => html`
  <div class="form">
    <label for="share-${form}"><strong>${words.forms[form].name}</strong> ${words.forms[form].help}</label>
    <textarea id="share-${form}" readonly rows=${text.split('\n').length} .value=${text}></textarea>
    <button type="button" aria-describedby="share-${form}" @click=${copy}>${words.copy}</button>
    <output></output>
  </div>`;

/** What can be given from where this lab is. @param {Shared} shared */
function note({ folder, page }) {
  if (folder) return nothing;
  if (!page) return html`<p>${words.no_address}</p>`;
  return html`<p>${page.startsWith('file:') ? words.on_disk : words.one_file}</p>`;
}

/** @param {Omit<Shared, 'folder' | 'page'>} data */
export function share(data) {
  const folder = folderOf(import.meta.url);
  // In one file there is no module that has an address.
  const page = import.meta.url === undefined ? pageAt(location.href) : undefined;
  const shared = { ...data, folder, page, title: fill(embed.frame, data) };
  return html`
    <div class="panel" role="region" aria-label=${words.title}>
      <p>${words.text}</p>
      ${note(shared)}
      ${form('link', link(shared))} ${form('tag', tag(shared))} ${form('frame', frame(shared))}
      <div class="form">
        <p><strong>${words.forms.file.name}</strong> ${words.forms.file.help}</p>
        ${
          folder
            ? html`<button type="button" @click=${(/** @type {Event} */ event) => save(event, shared)}>
                ${words.save}</button>`
            : html`<p>${page ? words.this_file : fill(words.no_file, { experiment: shared.experiment })}</p>`
        }
        <output></output>
      </div>
    </div>`;
}
