// Styles the page and the report: one column to read in, both colour schemes, phones, wide screens and paper.

export const pageStyle = `
:root { color-scheme: light dark;
  --text: light-dark(#1d2126, #dfe3e8); --quiet: light-dark(#59626d, #98a2ae);
  --page: light-dark(#fdfdfc, #14171b); --panel: light-dark(#f4f5f4, #1c2127);
  --line: light-dark(#dcdfe1, #323942); --accent: light-dark(#0a57b5, #7cb7ff);
  --mark: light-dark(#e9f1fc, #1d2b3d); --good: light-dark(#12652c, #6fd08c);
  --warn: light-dark(#7a4b00, #e5b547); --bad: light-dark(#ad1728, #ff918b);
  --added: light-dark(#e6f5e9, #15291c); --removed: light-dark(#fcebec, #331a1d);
  --on-accent: light-dark(#fff, #10151b); --measure: 44rem; }
* { box-sizing: border-box; }
html { scroll-padding: 1.5rem 0 12rem; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, "Segoe UI", "Noto Sans", sans-serif; overflow-wrap: anywhere; }
#page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 3.5rem; max-width: 118rem;
  margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3.5rem) 7rem; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; }
h1, h2, h3, h4, h5, h6 { line-height: 1.3; margin: 0; font-weight: 640; text-wrap: balance; }
h1 { font-size: 1.75rem; letter-spacing: -.012em; max-width: 50rem; white-space: pre-line; }
h2 { font-size: 1.35rem; letter-spacing: -.006em; } h3 { font-size: 1.1rem; }
h4, h5, h6 { font-size: .95rem; }
p, ul, ol, dl, pre { margin: .55rem 0; } ul, ol { padding-left: 1.35rem; } li { margin: .25rem 0; }
.text, dl, li, main p { max-width: var(--measure); } p { white-space: pre-line; }
li::marker { color: var(--quiet); }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: 1px; }
code, pre, kbd { font: .86em/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { background: var(--panel); padding: .1em .3em; border-radius: .25rem; }
pre { background: var(--panel); padding: .75rem 1rem; border-radius: .4rem; tab-size: 4; }
pre code { padding: 0; font-size: 1em; }
kbd { white-space: nowrap; border: 1px solid currentcolor; border-radius: .25rem; padding: 0 .35em; font-size: .78em; }
.quiet { color: var(--quiet); } .accent { color: var(--accent); } .good { color: var(--good); }
.warn { color: var(--warn); } .bad { color: var(--bad); } .strong { font-weight: 640; }
.badge { font-weight: 600; font-size: .9em; }
.wide { overflow-x: auto; max-width: 100%; }
.top { margin-bottom: 2rem; } .top p { margin: 0 0 .35rem; font-size: .9rem; }
.outline { font-size: .9rem; line-height: 1.4; margin-bottom: 1.5rem; }
.outline ol { list-style: none; padding: 0; margin: .35rem 0; } .outline .inner { padding-left: .9rem; }
.outline li { margin: .35rem 0; } .outline a { color: inherit; text-decoration: none; }
.outline a:hover { text-decoration: underline; } .outline .inner a { color: var(--quiet); }
summary { cursor: pointer; list-style-position: outside; border-radius: .3rem; }
summary::marker { color: var(--quiet); font-size: .75em; }
summary :is(h2, h3, h4, h5, h6) { display: inline; }
.part > details, main > details { border-top: 1px solid var(--line); padding: 1.35rem 0 .6rem; margin-top: .9rem; }
.section .section { margin: 1rem 0; } .section .section .section { margin: .6rem 0; }
.section { content-visibility: auto; contain-intrinsic-size: auto 3rem; } .section .section > summary { list-style-position: inside; }
.part > .section, main > .section { content-visibility: visible; }
dl > div { display: grid; grid-template-columns: minmax(6rem, 10rem) minmax(0, 1fr); gap: .1rem 1.25rem; padding: .12rem 0; }
.fact > .comments { grid-column: 2; } dt { color: var(--quiet); } dd { margin: 0; }
table { border-collapse: collapse; font-size: .93rem; line-height: 1.5; min-width: min(100%, var(--measure)); overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .45rem 1.25rem .45rem 0; border-bottom: 1px solid var(--line); max-width: 30rem; }
thead th { color: var(--quiet); font-weight: 500; white-space: nowrap; } tbody th { font-weight: 500; min-width: 9rem; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); margin: .75rem 0; }
.columns > .section { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.15rem; margin: 0; min-width: 0; }
.graph { list-style: none; padding: 0; margin: .9rem 0; line-height: 1.4; max-width: var(--measure); }
.graph li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .5rem; margin: 0; max-width: none; } .graph a { color: inherit; text-decoration: none; } .graph a:hover { text-decoration: underline; }
.graph .edges { white-space: pre; color: var(--quiet); font-family: ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; } .graph b { font-weight: 600; color: var(--accent); }
.diff { margin: 1rem 0; border: 1px solid var(--line); border-radius: .5rem; overflow: clip; }
li:has(> .item > .badge:first-child) { list-style: none; }
.diff > summary { list-style-position: inside; padding: .5rem .9rem; background: var(--panel); font-size: .9rem; position: sticky; top: 0; z-index: 1; }
.diff .wide { padding: .35rem 0; }
.slice { content-visibility: auto; contain-intrinsic-height: auto 2000px; contain-intrinsic-height: auto calc(20px * attr(data-rows type(<number>))); width: max-content; min-width: 100%; }
.row { display: grid; grid-template-columns: 3.4rem 3.4rem minmax(max-content, 1fr); min-height: 20px; min-width: max-content; white-space: pre; tab-size: 4; padding-right: 1rem;
  font: 12.5px/20px ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.row::before, .row::after { content: attr(data-before); order: -2; color: var(--quiet); font-size: 11px; text-align: right; padding-right: .5rem; } .row::after { content: attr(data-after); order: -1; }
.row[data-line] { border-radius: 0; } .row.add { background: var(--added); } .row.remove { background: var(--removed); }
.row.hunk { color: var(--quiet); } .row > .comments { grid-column: 3; font-family: system-ui, "Segoe UI", "Noto Sans", sans-serif; }
[data-line] { border-radius: .25rem; } .end { font-weight: inherit; }
[data-line]:focus { outline: none; background: var(--mark); box-shadow: 0 0 0 .3rem var(--mark), -.45rem 0 0 .1rem var(--accent); }
.row:focus, tr:focus { box-shadow: inset .25rem 0 var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.comments { margin: .6rem 0; max-width: 34rem; display: grid; gap: .5rem; white-space: normal; font-size: .93rem; line-height: 1.5; color: var(--text); font-weight: 400; }
.comment { border: 1px solid var(--line); border-left: 3px solid var(--accent); border-radius: .4rem; background: var(--page); padding: .6rem .9rem; }
.comment p { margin: 0; } .comment .quiet { font-size: .88em; } .comment q { display: block; } .comments:not([data-at=""]) q, q:empty { display: none; }
label { display: block; } textarea, input:not([type=radio], [type=checkbox]) { display: block; width: 100%; margin: .35rem 0; padding: .5rem .6rem;
  font: inherit; color: inherit; background: var(--page); border: 1px solid var(--quiet); border-radius: .35rem; }
textarea.whole { height: 60vh; white-space: pre-wrap; font: .86rem/1.5 ui-monospace, monospace; }
button { font: inherit; font-size: .93rem; padding: .35rem .9rem; margin: .25rem .5rem .25rem 0; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--line); background: var(--panel); color: inherit; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.main::first-letter { text-transform: uppercase; }
button.path { font: .86em/1.5 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; padding: .1em .3em; margin: 0; border: 0; border-radius: .25rem; color: var(--accent); }
button.path:hover { text-decoration: underline; } 
[popover] { max-width: min(46rem, calc(100vw - 2rem)); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem; background: var(--page); color: var(--text); box-shadow: 0 1rem 4rem #0005; }
@supports (position-area: bottom) { #page-code { position-area: bottom span-right; position-try-fallbacks: flip-block, flip-inline; margin: .3rem 0; } }
#page-code pre { margin: 0; }
.keys { width: 38rem; columns: 15rem; inset: auto 0 4rem auto; margin: 0 clamp(1rem, 4vw, 3.5rem); } .keys button { display: block; width: 100%; margin: 0; border: 0; background: none; text-align: left; padding: .3rem .4rem; }
.keys button:hover { background: var(--mark); } .keys kbd { display: inline-block; min-width: 1.7em; text-align: center; margin-right: .5rem; }
.row > .found { grid-column: 3; font-family: system-ui, "Segoe UI", "Noto Sans", sans-serif; margin: .3rem 1rem .3rem .6rem; padding: .4rem .7rem; max-width: 44rem; white-space: normal; line-height: 1.5; font-size: .9rem; border-left-color: var(--warn); }
.bar { position: fixed; inset: auto 0 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; padding: .5rem clamp(1rem, 4vw, 3.5rem);
  background: var(--panel); border-top: 1px solid var(--line); } .bar [role=status] { flex: 1 1 6rem; font-size: .93rem; } .bar:has(.end) button { display: none; }
dialog:has(.whole, .diff) { width: min(72rem, calc(100vw - 2rem)); }
dialog { width: min(46rem, calc(100vw - 2rem)); max-height: calc(100vh - 3rem); border: 1px solid var(--line); border-radius: .7rem; padding: 1.5rem 1.75rem;
  background: var(--page); color: var(--text); box-shadow: 0 1rem 4rem #0005; }
dialog:has(textarea):not(:has([type=radio], .whole)) { margin-bottom: 1.25rem; }
dialog p { white-space: pre-wrap; } fieldset:has(textarea:not(:placeholder-shown)) label { opacity: .5; } [role=alert]:empty { display: none; } form:not(:has(textarea:enabled)) .ctrl { display: none; } dialog::backdrop { background: #0006; }
dialog > form { position: absolute; right: 1.5rem; top: 1.2rem; } #dialog-title { padding-right: 7rem; min-height: 2rem; }
fieldset:has([name=choice]) > legend { position: absolute; left: -99rem; }
fieldset { border: 0; padding: 0; margin: 1rem 0; } legend { font-weight: 600; padding: 0; } fieldset > p { color: var(--quiet); font-size: .93rem; margin: .2rem 0; }
fieldset label { display: grid; grid-template-columns: auto 1fr; gap: .6rem; align-items: baseline; padding: .4rem .6rem; border-radius: .4rem; }
fieldset label:has(:checked) { background: var(--mark); }
@media (min-width: 68rem) {
  #page { grid-template-columns: 15rem minmax(0, 1fr); } .top { grid-column: 1 / -1; }
  .outline { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 17rem); overflow-y: auto; margin: 1.4rem 0 0; }
  .outline ::details-content { content-visibility: visible; display: block; height: auto; } .outline summary { display: none; } }
@media (min-width: 100rem) { :is(.text, .item, .fact):has(> .comments) { position: relative; max-width: var(--measure); }
  :is(.text, .item, .fact) > .comments { position: absolute; left: calc(100% + 2.5rem); top: 0; width: 24rem; margin: 0; }
  .section:has(.comments) { content-visibility: visible; min-height: 4rem; } }
@media (max-width: 34rem) { #page { padding-top: 1.25rem; } h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; }
  .fact > .comments { grid-column: 1; } dl > div { grid-template-columns: 1fr; gap: 0; padding: .3rem 0; } dt { font-size: .88em; }
  .row { grid-template-columns: 2.4rem minmax(0, 1fr); } .row::before { display: none; } .row > .comments, .row > .found { grid-column: 2; }
  .keys { bottom: 7rem; } .bar kbd, dialog > form kbd { display: none; } #dialog-title { padding-right: 5rem; } .bar [role=status] { flex-basis: 100%; }
  thead { display: none; } table, tbody, tr, td, tbody th { display: block; min-width: 0; max-width: none; overflow-wrap: anywhere; }
  td, tbody th { border: 0; padding: .1rem 0; } tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td:empty { display: none; }
  td::before { content: attr(data-name) ": "; color: var(--quiet); }
  .slice { width: auto; } .row { min-width: 0; white-space: pre-wrap; } pre { white-space: pre-wrap; } }
@media print { :root { color-scheme: light; } #page { display: block; padding: 0; max-width: none; }
  .outline, .bar, .skip, [popover] { display: none; } details::details-content { content-visibility: visible; display: block; height: auto; }
  .section { content-visibility: visible; } .wide { overflow: visible; } .slice { width: auto; } .row { min-width: 0; grid-template-columns: 3rem 3rem minmax(0, 1fr); }
  .row, pre { white-space: pre-wrap; } .diff > summary { position: static; }
  tr, .comment, li { break-inside: avoid; } h2, h3, summary { break-after: avoid; } }
`;
