// Writes the HTML around a page: that of a report, which is still, and that of a review, which its script fills.
/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import type { Document } from '../../model/document.ts';
import { cleanText } from '../../model/clean-text.ts';
import { Blocks } from './blocks.tsx';
import { Outline, Top } from './page-parts.tsx';
import { pageStyle } from './page-style.ts';

/** A whole report as one file that loads nothing else and runs no script. */
export function reportHtml(told: Document): string {
  const { title, blocks } = cleanDocument(told);
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return htmlOf({
    head: `<meta http-equiv="Content-Security-Policy" content="${policy}">${renderToString(<title>{title}</title>)}`,
    top: renderToString(<Top title={title} state="report" />),
    outline: renderToString(<Outline blocks={blocks} />),
    main: renderToString(<Blocks blocks={blocks} level={2} />),
  });
}

/** Takes control signs out of what agents and repositories say. */
export function cleanDocument<Told>(told: Told): Told {
  return JSON.parse(JSON.stringify(told), (_, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  );
}

/** The page of a review, which is empty until its script has been let in. */
export function reviewHtml(script: string): string {
  const below = `<footer class="bar">
<div role="status" id="page-status">Loading…</div><div id="page-question"></div>
<button type="button" data-key="c" data-act="comment">Comment <kbd>c</kbd></button>
<button type="button" popovertarget="page-keys" data-key="?">Keys <kbd>?</kbd></button>
</footer>
<div hidden id="page-seen"></div>
<div popover id="page-code"></div>
<div popover id="page-keys" class="keys">${keys.map(keyHtml).join('')}</div>
<dialog aria-labelledby="dialog-title"><h2 id="dialog-title"></h2><div id="dialog-body"></div>
<form method="dialog"><button class="quiet">Close <kbd>Esc</kbd></button></form></dialog>
<script type="module">${script}</script>`;
  const main = '<div id="page-comments"></div><div id="page-parts"></div>';
  return htmlOf({ head: '<title>Conclave</title>', main, below });
}

/** The keys besides those in sight; what does nothing with the session moves the focus. */
const keys: readonly (readonly [key: string, does: string, act?: string])[] = [
  ['j', 'the next line'],
  ['k', 'the line before'],
  ['n', 'the next section'],
  ['p', 'the section before'],
  ['e', 'edit the plan as Markdown', 'edit'],
  ['u', 'undo the last edit', 'undo'],
  ['v', 'versions of the plan', 'versions'],
  ['x', 'drop the proof on the line', 'drop'],
  ['t', 'the changes of one task', 'changes'],
  ['d', 'decide now', 'decide'],
];

const keyHtml = ([key, does, act = 'move']: (typeof keys)[number]) =>
  `<button type="button" popovertarget="page-keys" popovertargetaction="hide" data-key="${key}" data-act="${act}"><kbd>${key}</kbd> ${does}</button>`;

function htmlOf({ head = '', top = '', outline = '', main = '', below = '' }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${head}
<style>${pageStyle}</style></head>
<body><div id="page"><a class="skip" href="#main">Skip the outline</a>
<header class="top" id="page-top">${top}</header>
<nav class="outline" tabindex="0" aria-label="Contents"><details><summary>Contents</summary><div id="page-outline">${outline}</div></details></nav>
<main id="main" tabindex="-1">${main}</main></div>${below}</body></html>
`;
}
