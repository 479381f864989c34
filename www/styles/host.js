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
`;
