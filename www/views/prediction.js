/**
 * The question before the run. Run never waits for it; the answer stays beside the result,
 * and can no longer be changed then.
 *
 * @import { Chapter } from '../words.js'
 */
import { html } from 'lit';
import desk from '../text/en/desk.json';
import { fill, rows } from '../words.js';

const { labels, prediction: words } = desk;

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
    <fieldset class="prediction" aria-label=${labels.prediction} aria-describedby="question"
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
      <p class="answer">${answer(chosen?.label, outcome, question)}</p>
    </fieldset>`;
}

/** @param {string | undefined} choice @param {number | null} outcome @param {Chapter['question']} question */
function answer(choice, outcome, question) {
  if (outcome === null) return choice ? fill(words.said, { choice }) : words.open;
  return fill(choice ? words.result : words.result_open, {
    choice,
    rows: found(outcome, question),
  });
}

/**
 * The label of the right answer is true of every run that ends so; a wrong one may say more than
 * its number.
 * @param {number} outcome @param {Chapter['question']} question
 */
function found(outcome, { answer, choices, unit, unit_one: one }) {
  const right = outcome === answer && choices.find(({ value }) => value === outcome);
  if (right) return right.label;
  // What is counted is rows if nothing is said.
  return unit ? `${outcome} ${outcome === 1 ? one : unit}` : rows(outcome);
}
