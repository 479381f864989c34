/**
 * The question before the run. Run never waits for it; the answer stays beside the result,
 * and can no longer be changed then.
 *
 * @import { Chapter } from '../words.js'
 */
import { html } from 'lit';
import { fill, page, rows } from '../words.js';

const words = page.prediction;

/**
 * @typedef {object} PredictionData
 * @property {Chapter['question']} question
 * @property {number | null} said
 * @property {number | null} outcome what the first run that ended answered
 * @property {(value: number) => void} predict
 */

/** @param {PredictionData} data */
export function prediction({ question, said, outcome, predict }) {
  const chosen = question.choices.find((choice) => choice.value === said);
  return html`
    <fieldset class="prediction" aria-label=${page.labels.prediction} aria-describedby="question"
      ?disabled=${outcome !== null}>
      <p class="question" id="question">${question.text}</p>
      <div class="choices">
        ${question.choices.map(
          (choice) => html`<label class="choice">
            <input type="radio" name="prediction" .checked=${choice.value === said}
              @change=${() => predict(choice.value)} />
            <span>${choice.label}</span></label>`,
        )}
      </div>
      <p class="answer">${answer(chosen?.label, outcome)}</p>
    </fieldset>`;
}

/** @param {string | undefined} choice @param {number | null} outcome */
function answer(choice, outcome) {
  if (outcome === null) return choice ? fill(words.said, { choice }) : words.open;
  return fill(choice ? words.result : words.result_open, { choice, rows: rows(outcome) });
}

/**
 * The sentence about an answer, for beside the result. It was written for the chapter's own
 * opening; a run that ends otherwise has no such sentence.
 * @param {Chapter['question']} question @param {number | null} said @param {number} found
 */
export const feedback = ({ answer: expected, choices }, said, found) =>
  found === expected ? choices.find((choice) => choice.value === said)?.feedback : undefined;
