// Shows the blocks of a document as HTML, each with its anchor; comments stand below a line.
/** @jsxImportSource preact */
import { useContext } from 'preact/hooks';
import { type Block, textOf } from '../../model/document.ts';
import { DiffFile } from './diff-file.tsx';
import { LineView, Prose } from './line-view.tsx';
import { Margin } from './page-live.ts';
import { TaskGraph } from './page-graph.tsx';

/** Shows blocks under a heading of the level above. */
export function Blocks({
  blocks,
  level,
}: {
  readonly blocks: readonly Block[];
  readonly level: number;
}) {
  return blocks.map((block, at) => (
    <BlockView key={`${block.kind} ${block.anchor} ${at}`} block={block} level={level} />
  ));
}

interface BlockProps {
  readonly block: Block;
  readonly level: number;
}

function BlockView({ block, level }: BlockProps) {
  const { anchor, line, blocks } = block;
  const margin = useContext(Margin)(anchor);
  const inner = <Blocks blocks={blocks} level={level} />;
  const own = { id: anchor, 'data-line': textOf(line), tabIndex: -1 };
  switch (block.kind) {
    case 'section':
      return <SectionView block={block} level={level} />;
    case 'text':
      return (
        <div class="prose" {...own}>
          {typeof line === 'string' ? (
            <Prose text={line} />
          ) : (
            <p>
              <LineView line={line} />
            </p>
          )}
          {margin}
        </div>
      );
    case 'facts':
      return <dl>{inner}</dl>;
    case 'fact':
      return (
        <div {...own}>
          <dt>{block.name}</dt>
          <dd>
            <LineView line={line} />
            {inner}
            {margin}
          </dd>
        </div>
      );
    case 'list':
      return block.ordered ? <ol>{inner}</ol> : <ul>{inner}</ul>;
    case 'item':
      return (
        <li>
          <div {...own}>
            <LineView line={line} />
            {margin}
          </div>
          {inner}
        </li>
      );
    case 'table':
      return (
        <div class="wide" tabIndex={0} role="region" aria-label={block.head.join(', ')}>
          <table>
            <thead>
              <tr>
                {block.head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {blocks.map((row) => (
                <RowView key={row.anchor} row={row} head={block.head} />
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'code':
      return (
        <div {...own}>
          <pre class="wide" tabIndex={0}>
            <code>{textOf(line)}</code>
          </pre>
          {margin}
        </div>
      );
    case 'diff':
      return <DiffFile diff={block} path={block.path} />;
    case 'graph':
      return <TaskGraph nodes={block.nodes} />;
    case 'columns':
      return <div class="columns">{inner}</div>;
    case 'row':
    case 'note':
    case 'form':
      return null;
  }
}

/** A section, which folds. */
function SectionView({ block: { anchor, line, blocks, ...block }, level }: BlockProps) {
  const margin = useContext(Margin)(anchor);
  const Heading = headings[Math.min(level, headings.length) - 1] ?? 'h6';
  return (
    <details class={`section level-${level}`} open={block.kind !== 'section' || !block.folded}>
      <summary id={anchor} data-line={textOf(line)}>
        <Heading>
          <LineView line={line} />
        </Heading>
      </summary>
      {margin}
      <Blocks blocks={blocks} level={level + 1} />
    </details>
  );
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function RowView({ row, head }: { readonly row: Block; readonly head: readonly string[] }) {
  const margin = useContext(Margin)(row.anchor);
  const cells = row.kind === 'row' ? row.cells : [];
  return (
    <tr id={row.anchor} data-line={cells.map(textOf).join(' · ')} tabIndex={-1}>
      {cells.map((cell, at) =>
        at === 0 ? (
          <th key={at} scope="row">
            <LineView line={cell} />
            {margin}
          </th>
        ) : (
          <td key={at} data-name={head[at]}>
            <LineView line={cell} />
          </td>
        ),
      )}
    </tr>
  );
}
