// Renders the parts of a page, and tells which of them have changed.
/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Block, Document } from '../../model/document.ts';
import type { Form } from '../../model/form.ts';
import type { CommentFate } from '../../phases/planning/comments.ts';
import { Blocks } from './blocks.tsx';
import { LineView, Live } from './line-view.tsx';
import { QuestionForm } from './question-form.tsx';

/** The facts that a page shows. */
export interface PageFacts {
  readonly document: Document;
  /** The present activity of the session, in a few words. */
  readonly state: string;
  /** The last event, in a sentence. */
  readonly news: string;
  /** The question that waits for its answer. */
  readonly question: { readonly id: number; readonly asks: string } | null;
  readonly comments: readonly CommentFate[];
  /** The digest of the document, by which an answer says what was seen. */
  readonly seen: string;
  /** The end of the review in a sentence; null while it goes on. */
  readonly end: string | null;
}

export const noFacts: PageFacts = {
  document: { title: '', blocks: [] },
  state: '',
  news: '',
  question: null,
  comments: [],
  seen: '',
  end: null,
};

/** Renders everything that a page shows: elements that replace what stands in those with the same ids. */
export function pageParts(facts: PageFacts): ReadonlySet<string> {
  const { document, state, news, question, comments, seen, end } = facts;
  const { title, blocks } = document;
  const elements = [
    <div id="page-parts">
      {blocks.map(({ anchor }) => (
        <div class="part" id={`part-${anchor}`} />
      ))}
    </div>,
    <div id="page-top">
      <Top title={title} state={state} />
    </div>,
    <div id="page-outline">
      <Outline blocks={blocks} />
    </div>,
    <div id="page-status">
      {end === null ? question?.asks || news || state : <b class="end">{end}</b>}
    </div>,
    <div id="page-question">
      {question === null ? null : (
        <button type="button" class="main" data-key="a" data-act="answer" data-about={question.id}>
          Answer <kbd>a</kbd>
        </button>
      )}
    </div>,
    <div id="page-seen">{seen}</div>,
    <div id="page-comments">
      <Comments comments={comments} />
    </div>,
  ];
  return new Set([...elements.map((one) => renderToString(one)), ...blocks.map(partOf)]);
}

/** The elements that have changed; all of them if the document has another list of parts. */
export function newsAfter(before: ReadonlySet<string>, now: ReadonlySet<string>): string {
  const [list = ''] = now;
  return [...now].filter((html) => !before.has(list) || !before.has(html)).join('');
}

/** A form to answer, for a dialog. */
export const formHtml = (form: Form) => renderToString(<QuestionForm form={form} />);

/** Something to read, for a dialog. */
export const blocksHtml = (blocks: readonly Block[]) =>
  liveHtml(<Blocks blocks={blocks} level={3} />);

const liveHtml = (content: VNode) =>
  renderToString(<Live.Provider value={true}>{content}</Live.Provider>);

const htmlByBlock = new WeakMap<Block, string>();

/** The HTML of a part of the document, rendered once. */
function partOf(block: Block): string {
  const html =
    htmlByBlock.get(block) ??
    liveHtml(
      <div id={`part-${block.anchor}`}>
        <Blocks blocks={[block]} level={2} />
      </div>,
    );
  htmlByBlock.set(block, html);
  return html;
}

/** Shows what the page is about. */
export function Top({ title, state }: { readonly title: string; readonly state: string }) {
  return (
    <>
      <p class="quiet">Conclave · {state}</p>
      <h1>
        <LineView line={title} />
      </h1>
    </>
  );
}

/** Lists the sections, and under each those that it contains. */
export function Outline({ blocks }: { readonly blocks: readonly Block[] }) {
  const entries = sectionsIn(blocks).flatMap((one) => [one, ...sectionsIn(one.blocks)]);
  return (
    <ol>
      {entries.map((one) => (
        <li class={blocks.includes(one) ? '' : 'inner'}>
          <a href={`#${one.anchor}`}>
            <LineView line={one.line} />
          </a>
        </li>
      ))}
    </ol>
  );
}

function sectionsIn(blocks: readonly Block[]): readonly Block[] {
  return blocks
    .flatMap((block) => (block.kind === 'columns' ? block.blocks : block))
    .filter(({ kind }) => kind === 'section');
}

/** The comments by their line; those on the whole, and those whose line is gone, have none. */
function Comments({ comments }: { readonly comments: PageFacts['comments'] }) {
  const groups = Map.groupBy(comments, ({ isHere, anchor = '' }) => (isHere ? anchor : ''));
  return [...groups].map(([at, own]) => (
    <aside class="comments" aria-label="Comments" data-at={at}>
      {own.map(({ quote, text, state }) => (
        <div class="comment">
          <q>{quote}</q>
          <p>{text}</p>
          <p class="quiet">{state}</p>
        </div>
      ))}
    </aside>
  ));
}
