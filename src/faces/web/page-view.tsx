// Lays a session out as a page: its title, its outline, its document, and what a browser adds to them.
/** @jsxImportSource preact */
import type { Block, Document } from '../../model/document.ts';
import { Blocks } from './blocks.tsx';
import { Comments, LineView } from './line-view.tsx';

/** Shows a document; comments whose line is gone, or that are about the whole, stand above it. */
export function PageView({
  document: { title, blocks },
  state,
}: {
  readonly document: Document;
  /** The state of the session in a few words. */
  readonly state: string;
}) {
  return (
    <>
      <a class="skip" href="#main">
        Skip the outline
      </a>
      <header class="top">
        <p class="quiet">Conclave · {state}</p>
        <h1>
          <LineView line={title} />
        </h1>
      </header>
      <nav class="outline" tabIndex={0} aria-label="Contents">
        <details>
          <summary>Contents</summary>
          <Entries sections={sectionsIn(blocks)} depth={2} />
        </details>
      </nav>
      <main id="main" tabIndex={-1}>
        <Comments anchor={null} />
        <Blocks blocks={blocks} level={2} />
      </main>
    </>
  );
}

/** Lists sections and what they contain, some levels deep. */
function Entries({
  sections,
  depth,
}: {
  readonly sections: readonly Block[];
  readonly depth: number;
}) {
  if (sections.length === 0 || depth === 0) return null;
  return (
    <ol>
      {sections.map(({ anchor, line, blocks }) => (
        <li key={anchor}>
          <a href={`#${anchor}`}>
            <LineView line={line} />
          </a>
          <Entries sections={sectionsIn(blocks)} depth={depth - 1} />
        </li>
      ))}
    </ol>
  );
}

function sectionsIn(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block) =>
    block.kind === 'section' ? [block] : block.kind === 'columns' ? block.blocks : [],
  );
}
