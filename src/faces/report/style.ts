// Styles a report for both colour schemes, phones and paper.
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
body { margin: 0 auto; max-width: 68rem; padding: 2rem 1rem; background: var(--page);
  color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; } h1 { font-size: 1.75rem; }
h2 { font-size: 1.3rem; } h3 { font-size: 1.05rem; } h4 { font-size: .9rem; margin-top: 1rem; }
p, ul, ol, table, pre, dl { margin: .5rem 0; } ul, ol { padding-left: 1.3rem; }
a, summary { color: var(--link); } summary { cursor: pointer; }
section { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
article { margin-top: 1.75rem; } details { margin: .6rem 0; } .claim { margin: 1rem 0; }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--panel); }
pre { border-left: 3px solid var(--line); padding: .5rem .75rem; white-space: pre-wrap; }
.lines { white-space: pre-line; } .badge { font-weight: 600; white-space: nowrap; }
.quiet, h4 { color: var(--quiet); } .good { color: var(--good); } .warn { color: var(--warn); }
.bad { color: var(--bad); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0; min-width: 4.5rem;
  border-bottom: 1px solid var(--line); }
tbody th { font-weight: 500; min-width: 10rem; overflow-wrap: anywhere; }
.options { display: grid; gap: 1.25rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
.option { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0;
  min-width: 0; }
.option.chosen { border: 2px solid var(--good); }
.for li::marker { content: "+ "; color: var(--good); }
.against li::marker { content: "− "; color: var(--bad); }
.node { display: block; height: 100%; overflow: hidden; padding: .3rem .6rem; font-size: .8rem;
  border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); }
svg path { stroke: var(--quiet); fill: none; }
svg marker path { fill: var(--quiet); stroke: none; }
.run { white-space: nowrap; }
@media (max-width: 30rem) { nav ol { padding-left: 2rem; } thead { display: none; }
  tbody, tr, td, tbody th { display: block; min-width: 0; overflow-wrap: anywhere; }
  td, tbody th { border: 0; padding: .1rem 0; } tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td:empty { display: none; }
  td::before { content: attr(data-name) ": "; color: var(--quiet); } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .scroll { overflow: visible; } svg { max-width: 100%; height: auto; }
  nav { display: none; } article, tr, .claim { break-inside: avoid; } }
`;
