// Shows the blocks of a document as HTML, each with its anchor.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type Block, type GraphNode, textOf } from '../../model/document.ts';
import { readProse } from '../../model/prose.ts';
import { graphOf } from '../task-graph.ts';
import { DiffFile } from './diff-file.tsx';
import { BadgeView, LineView, lineMark } from './line-view.tsx';

/** Shows blocks under a heading of the level above. */
export function Blocks({
  blocks,
  level,
}: {
  readonly blocks: readonly Block[];
  readonly level: number;
}) {
  return blocks.map((block) => <BlockView block={block} level={level} />);
}

function BlockView({ block, level }: { readonly block: Block; readonly level: number }) {
  const { kind, anchor, line, blocks } = block;
  const shown = <LineView line={line} />;
  const inner = <Blocks blocks={blocks} level={level + (kind === 'section' ? 1 : 0)} />;
  const Heading = headings[level - 1] ?? 'h6';
  // A block without an anchor is part of a text, whose line it stands in.
  const lineOf = (content: ComponentChildren) =>
    anchor === '' ? (
      content
    ) : (
      <div class={kind} {...lineMark(anchor)}>
        {content}
      </div>
    );
  switch (kind) {
    case 'section':
      return (
        <details class="section" open={!block.folded}>
          <summary id={anchor} data-line>
            <Heading>{shown}</Heading>
          </summary>
          {inner}
        </details>
      );
    case 'text':
      return lineOf(
        typeof line === 'string' ? (
          <Blocks blocks={readProse(line)} level={level} />
        ) : (
          <p>{shown}</p>
        ),
      );
    case 'facts':
      return <dl>{inner}</dl>;
    case 'fact':
      return lineOf(
        <>
          <dt>{block.name}</dt>
          <dd>{shown}</dd>
        </>,
      );
    case 'list':
      return block.ordered ? <ol>{inner}</ol> : <ul>{inner}</ul>;
    case 'item':
      return (
        <li>
          {lineOf(shown)}
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
                  <th scope="col">{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {blocks.map((row) => (
                <RowView row={row} head={block.head} />
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'code':
      return lineOf(
        <pre class="wide" tabIndex={0}>
          <code>{textOf(line)}</code>
        </pre>,
      );
    case 'diff':
      return <DiffFile diff={block} />;
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

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function RowView({ row, head }: { readonly row: Block; readonly head: readonly string[] }) {
  const cells = row.kind === 'row' ? row.cells : [];
  return (
    <tr {...lineMark(row.anchor)}>
      {cells.map((cell, at) => {
        const Cell = at === 0 ? 'th' : 'td';
        return (
          <Cell scope={at === 0 ? 'row' : undefined} data-name={head[at]}>
            <LineView line={cell} />
          </Cell>
        );
      })}
    </tr>
  );
}

/** The most columns of edges. */
const widest = 24;

/** Draws the tasks with the edges from those that each waits for; each leads to its section. */
function TaskGraph({ nodes }: { readonly nodes: readonly GraphNode[] }) {
  const tasks = nodes.map(({ id, after }) => ({ id, depends_on: [...after] }));
  return (
    <nav aria-label="The tasks and what each waits for">
      <ol class="graph">
        {graphOf(tasks, widest).map(({ task, edges, named }) => {
          const { id = '', title, status = null } = nodes[task] ?? {};
          return (
            <li>
              <span class="edges">{edges}</span>
              <a href={`#${id}`}>
                {status === null ? null : <BadgeView badge={status} />} <b>{id}</b> {title}
                {named.length === 0 ? null : <span class="quiet"> ← {named.join(', ')}</span>}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
