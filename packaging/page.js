// Pages of which each is one file: script and style in the page, and a policy that allows exactly
// these two by their hashes, and nothing from anywhere.

import { createHash } from 'node:crypto';

/** @param {string} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** A script's text that ends nowhere but at its end. @param {string} script */
const enclosed = (script) =>
  script.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '\\x3C!--');

/** @param {string} script @param {string} style */
const policy = (script, style) =>
  [
    "default-src 'none'",
    `script-src ${hash(script)} 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');

/**
 * A page with its script at the end of its body.
 * @param {{ head: string, body: string, style: string, script: string }} parts
 */
export function page({ head, body, style, script: text }) {
  const script = enclosed(text);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
${head}
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
}
