// Writes the HTML around a page: that of a report, which is still, and that of a review, which its script fills.
/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import type { Document } from '../../model/document.ts';
import { cleanText } from '../../model/clean-text.ts';
import { pageStyle } from './page-style.ts';
import { PageView } from './page-view.tsx';

/** A whole report as one file that loads nothing else and runs no script. */
export function reportHtml(told: Document): string {
  const document = cleanDocument(told);
  const body = renderToString(
    <div id="page">
      <PageView document={document} state="report" />
    </div>,
  );
  const title = renderToString(<title>{document.title}</title>);
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return htmlOf(`<meta http-equiv="Content-Security-Policy" content="${policy}">${title}`, body);
}

/** Takes control signs out of what agents and repositories say. */
export function cleanDocument<Told>(told: Told): Told {
  return JSON.parse(JSON.stringify(told), (_, value: unknown) =>
    typeof value === 'string' ? cleanText(value) : value,
  );
}

/** The page of a review, which is empty until its script has been let in. */
export function reviewHtml(script: string): string {
  return htmlOf(
    '<title>Conclave</title>',
    `<div id="page"></div><script type="module">${script}</script>`,
  );
}

function htmlOf(head: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${head}
<style>${pageStyle}</style></head>
<body>${body}</body></html>
`;
}
