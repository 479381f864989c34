/** The keys that work inside the lab. */
import { html } from 'lit';
import { ref } from 'lit/directives/ref.js';
import words from '../text/en/keyboard.json';

/** @param {() => void} close */
export const help = (close) => html`
  <dialog class="help-dialog" aria-labelledby="keyboard" @close=${close}
    ${ref((element) => {
      // It is not in the page yet when this is called first.
      queueMicrotask(() => {
        if (element instanceof HTMLDialogElement && element.isConnected && !element.open) {
          element.showModal();
        }
      });
    })}>
    <h2 id="keyboard">${words.title}</h2>
    <dl>${words.keys.map(([keys, does]) => html`<div><dt><kbd>${keys}</kbd></dt><dd>${does}</dd></div>`)}</dl>
    <p class="quiet">${words.note}</p>
    <form method="dialog"><button type="submit">${words.close}</button></form>
  </dialog>`;
