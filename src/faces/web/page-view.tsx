// Lays a session out as a page: its title, its outline, its document, and what a browser adds to them.
/** @jsxImportSource preact */
import { useMemo } from 'preact/hooks';
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
          <Outline blocks={blocks} />
        </details>
      </nav>
      <main id="main" tabIndex={-1}>
        <Comments anchor={null} />
        {blocks.map((block) => (
          <Part key={`${block.kind} ${block.anchor}`} block={block} />
        ))}
      </main>
    </>
  );
}

/** A part of the document, drawn again only when it has changed. */
function Part({ block }: { readonly block: Block }) {
  return useMemo(() => <Blocks blocks={[block]} level={2} />, [block]);
}

/** Lists the sections, and under each those that it contains. */
function Outline({ blocks }: { readonly blocks: readonly Block[] }) {
  const entries = sectionsIn(blocks).flatMap((one) => [one, ...sectionsIn(one.blocks)]);
  return (
    <ol>
      {entries.map((one) => (
        <li key={one.anchor} class={blocks.includes(one) ? '' : 'inner'}>
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
