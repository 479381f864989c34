/** What is simulated and what is not; every statement names the test that holds it. */
import { html } from 'lit';
import simulated from '../text/en/simulated.json';

export const simulatedPage = () => html`
  <h1 tabindex="-1">${simulated.title}</h1>
  ${simulated.text.map((text) => html`<p>${text}</p>`)}
  ${simulated.parts.map(
    (part) => html`<section>
      <h2>${part.title}</h2>
      <ul class="statements">
        ${part.statements.map(
          ({ text, test }) =>
            html`<li>${text} <code>${test.replaceAll('_', '_\u200b')}</code></li>`,
        )}
      </ul>
    </section>`,
  )}
  <h2>${simulated.not.title}</h2>
  <p>${simulated.not.text}</p>
  <ul>${simulated.not.list.map((text) => html`<li>${text}</li>`)}</ul>`;
