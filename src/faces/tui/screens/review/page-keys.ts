import type { Binding } from '../../keys.ts';
import { readAgain } from './changes.ts';
import { clamp } from './chosen.ts';
import { fileOf, openInEditor } from './in-editor.ts';
import type { PageRows } from './page.ts';
import { type Reviewing, dispatch } from './reviewing.ts';
import { type ReviewAction, tabs } from './state.ts';
import { sendComments } from './verdicts.ts';
import { writeComment } from './writing.ts';

/** What every page between which the tabs lead has. */
export function commonKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const to = (action: ReviewAction) => () => dispatch(reviewing, action);
  const hasComments = reviewing.state.get().comments.length > 0;
  const send = () => sendComments(reviewing);
  return [
    key(['tab', 'right', 'l'], 'next page', to({ type: 'next-tab', by: 1 })),
    minor(['shift+tab', 'left', 'h'], 'page before', to({ type: 'next-tab', by: -1 })),
    ...textKeys(reviewing),
    hasComments ? deciding(['s'], 'send comments', send) : minor(['s'], 'send comments', send),
    key(['v'], 'the run', reviewing.lookAtRun),
    ...tabs.map((tab, index) => minor([String(index + 1)], tab, to({ type: 'tab', to: tab }))),
    minor(['r'], 'read the files again', () => readAgain(reviewing)),
    ...pageKeys(reviewing, page),
  ];
}

export function textKeys(reviewing: Reviewing): readonly Binding[] {
  const edit = () => openInEditor(reviewing, fileOf(reviewing.state.get()));
  return [
    key(['c'], 'comment', () => writeComment(reviewing)),
    key(['e'], 'open in $EDITOR', edit),
  ];
}

export function moveKeys(reviewing: Reviewing): readonly Binding[] {
  const move = (by: number) => () => dispatch(reviewing, { type: 'move', by });
  return [
    minor(['down', 'j'], 'down', move(1)),
    minor(['up', 'k'], 'up', move(-1)),
    minor(['home'], 'first', move(-Infinity)),
    minor(['end'], 'last', move(Infinity)),
  ];
}

export function scrollKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  return [
    minor(['down', 'j'], 'down', () => scroll(reviewing, page, 1)),
    minor(['up', 'k'], 'up', () => scroll(reviewing, page, -1)),
  ];
}

export function pageKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  return [
    minor(['pagedown', 'space'], 'page down', () => scroll(reviewing, page, page.height - 1)),
    minor(['pageup'], 'page up', () => scroll(reviewing, page, 1 - page.height)),
  ];
}

function scroll(reviewing: Reviewing, { base, most }: PageRows, by: number): void {
  const from = clamp(base + reviewing.state.get().scroll + by, most + 1);
  dispatch(reviewing, { type: 'scroll', to: from - base });
}

export function key(keys: readonly string[], does: string, run: () => unknown): Binding {
  return { keys, does, run: () => void run() };
}

/** A key that answers the question, or leads past what it shows first. */
export function deciding(keys: readonly string[], does: string, run: () => unknown): Binding {
  return { ...key(keys, does, run), decides: true };
}

/** A key that approves the plan. */
export function approving(keys: readonly string[], does: string, run: () => unknown): Binding {
  return { ...deciding(keys, does, run), fresh: true };
}

export function minor(keys: readonly string[], does: string, run: () => unknown): Binding {
  return { ...key(keys, does, run), minor: true };
}
