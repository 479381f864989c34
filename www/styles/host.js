/** The element as a box on a page: its theme, and what stands in it before there is a lab. */
import { css } from 'lit';

export const host = css`
  :host([theme='light']) {
    color-scheme: light;
  }

  :host([theme='dark']) {
    color-scheme: dark;
  }

  :host([hidden]) {
    display: none;
  }

  iframe {
    display: block;
    width: 100%;
    height: 60rem;
    border: 0;
  }

  .share {
    display: contents;
  }

  .share .panel {
    display: grid;
    flex: 1 0 100%;
    order: 1;
    gap: 0.875rem;
    padding: 0.875rem 1.125rem;
    background: var(--card);
    border: 1px solid var(--edge);
    border-radius: 14px;
  }

  .form {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.25rem 0.75rem;
    align-items: start;
  }

  .form > :is(label, p, output) {
    grid-column: 1 / -1;
  }

  .form textarea {
    min-width: 0;
    padding: 0.375rem 0.625rem;
    background: var(--sunk);
    border: 1px solid var(--control-edge);
    border-radius: 8px;
    color: inherit;
    font: 0.8125rem/1.5 var(--mono);
    resize: vertical;
  }
`;
