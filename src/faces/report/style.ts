import { markup } from './markup.ts';

/** The look of the report: one column, system fonts, both colour schemes, phones and paper. */
export const style = markup`
:root { color-scheme: light dark;
  --text: light-dark(#1f2328, #e2e6eb); --quiet: light-dark(#59636e, #9aa4af);
  --page: light-dark(#fff, #14181d); --panel: light-dark(#f6f8fa, #1c2229);
  --line: light-dark(#d5dbe1, #343c46); --link: light-dark(#0a58b8, #79b8ff);
  --good: light-dark(#116329, #6fd08c); --warn: light-dark(#7d4e00, #e3b341);
  --bad: light-dark(#b0192a, #ff8b85); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 4rem; background: var(--page);
  color: var(--text); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans",
  "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.3rem; } h3 { font-size: 1.05rem; }
h4 { font-size: .9rem; color: var(--quiet); margin-top: 1rem; }
p, ul, ol, table, pre, dl { margin: .5rem 0; }
ul, ol { padding-left: 1.3rem; } li { margin: .15rem 0; } li::marker { color: var(--quiet); }
a { color: var(--link); text-underline-offset: .15em; }
section { margin-top: 2.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
section > h2 { margin-bottom: .75rem; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono",
  monospace; }
code { background: var(--panel); border-radius: .25em; padding: .1em .3em; }
pre { background: var(--panel); border-left: 3px solid var(--line); padding: .5rem .75rem;
  white-space: pre-wrap; max-height: 24rem; overflow-y: auto; }
.lines { white-space: pre-line; } .quiet, .eyebrow { color: var(--quiet); }
.eyebrow { font-size: .9rem; margin: 0 0 .25rem; } .lead { font-size: 1.1rem; margin: .5rem 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; }
nav { margin-top: 1.5rem; } nav ol { columns: 13rem; } nav li { margin: 0; }
.facts code, th code { background: none; padding: 0; }
.badge { font-weight: 600; white-space: nowrap; } .good { color: var(--good); }
.warn { color: var(--warn); } .bad { color: var(--bad); } .badge.quiet { color: var(--quiet); }
.scroll { overflow-x: auto; margin: .75rem 0; } .scroll table { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0;
  border-bottom: 1px solid var(--line); min-width: 4.5rem; }
tbody th { font-weight: 500; min-width: 10rem; overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 600; font-size: .85rem; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--link); width: fit-content; }
.options { display: grid; gap: 0 1.25rem; margin: 1rem 0;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
.option { display: grid; grid-row: span 7; grid-template-rows: subgrid; row-gap: 0;
  border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1.25rem; }
.option.chosen { border: 2px solid var(--good); } .option > * { min-width: 0; }
.for, .against { list-style: none; padding: 0; }
.for li, .against li { padding-left: 1.2rem; text-indent: -1.2rem; }
.for li::before { content: "+"; color: var(--good); }
.against li::before { content: "−"; color: var(--bad); }
.for li::before, .against li::before { display: inline-block; width: 1.2rem; text-indent: 0;
  font-weight: 700; }
article { margin-top: 1.75rem; } .claim { margin: 1rem 0; } .claim p { margin: .15rem 0; }
.graph text { fill: var(--text); font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.graph .name { font-weight: 600; } .graph path { stroke: var(--quiet); fill: none; }
.graph marker path { fill: var(--quiet); stroke: none; }
.graph rect { fill: var(--panel); stroke: var(--quiet); stroke-width: 1.5; }
.graph .good rect { stroke: var(--good); } .graph .good .name { fill: var(--good); }
.graph .warn rect { stroke: var(--warn); stroke-dasharray: 6 3; }
.graph .warn .name { fill: var(--warn); }
.graph .bad rect { stroke: var(--bad); stroke-width: 3; } .graph .bad .name { fill: var(--bad); }
.graph .quiet rect { stroke-dasharray: 2 3; } .graph .quiet .name { fill: var(--quiet); }
.bar { width: 8rem; height: .7rem; display: block; margin-top: .35rem; }
.bar rect { fill: var(--line); } .bar .part { fill: var(--link); }
@media (max-width: 40rem) { body { padding: 1.25rem 1rem 3rem; } h1 { font-size: 1.4rem; }
  .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 10pt; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .scroll { overflow: visible; } pre { max-height: none; } a { color: inherit; }
  summary { color: inherit; list-style: none; font-weight: 600; }
  .graph svg { max-width: 100%; height: auto; } table { font-size: 9pt; } nav { display: none; }
  article, .option, tr, .claim, .graph { break-inside: avoid; } section { margin-top: 1.5rem; }
  h2, h3, h4, summary { break-after: avoid; } }
`;
