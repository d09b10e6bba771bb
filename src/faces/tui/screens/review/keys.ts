import type { Binding } from '../../keys.ts';
import { brokeLine } from '../../widgets/text-field/view.tsx';
import { deleteTask, moveTask, removable, removeField } from './changes.ts';
import { dropDraft, openInEditor } from './in-editor.ts';
import type { PageRows } from './page.ts';
import { type Reviewing, dispatch } from './reviewing.ts';
import { chosenTask, placeOfFinding } from './chosen.ts';
import type { Doubt, ReviewState } from './state.ts';
import {
  approving,
  commonKeys,
  deciding,
  key,
  minor,
  moveKeys,
  pageKeys,
  scrollKeys,
  textKeys,
} from './page-keys.ts';
import { approve, leave, sendComments } from './verdicts.ts';
import {
  accept,
  rewriteComment,
  stepBack,
  writeEntry,
  writeField,
  writeParts,
  writeReason,
  writeTask,
} from './writing.ts';

/** The keys of the page that is open; the next one takes the notice away. */
export function reviewKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const all = keysOf(reviewing, page);
  // What a page has of its own stands for what every page has.
  const once = all.filter(({ keys: [first] }, at) => firstWith(first, all) === at);
  return once.map((binding) => ({
    ...binding,
    run() {
      reviewing.say(null);
      dispatch(reviewing, { type: 'heard' });
      binding.run();
    },
  }));
}

function firstWith(first: string | undefined, all: readonly Binding[]): number {
  return all.findIndex(({ keys }) => keys[0] === first);
}

function keysOf(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const state = reviewing.state.get();
  switch (state.page) {
    case 'overview':
      return overviewKeys(reviewing, page);
    case 'tasks':
      return [...taskKeys(reviewing), ...commonKeys(reviewing, page), toOverview(reviewing)];
    case 'findings':
      return [...findingKeys(reviewing), ...commonKeys(reviewing, page), toOverview(reviewing)];
    case 'changes':
      return [
        deciding(['enter'], 'to the overview', () =>
          dispatch(reviewing, { type: 'tab', to: 'overview' }),
        ),
        ...scrollKeys(reviewing, page),
        ...commonKeys(reviewing, page),
        toOverview(reviewing),
      ];
    case 'comments':
      return [...commentKeys(reviewing), ...commonKeys(reviewing, page), toOverview(reviewing)];
    case 'fields':
      return fieldKeys(reviewing, page);
    case 'write':
      return [
        key(['enter'], enterDoes(state), () => brokeLine(reviewing.field) || accept(reviewing)),
        key(['esc'], 'back', () => stepBack(reviewing)),
      ];
    case 'confirm':
      return doubtKeys(reviewing, state.doubt);
    case 'mend':
      return mendKeys(reviewing);
  }
}

function overviewKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const doubt = () => dispatch(reviewing, { type: 'doubt', doubt: { kind: 'leave' } });
  const { approvedHash, hash } = reviewing.state.get().desk;
  const isApproved = approvedHash !== null && approvedHash === hash;
  return [
    approving(['enter'], isApproved ? 'keep it approved' : 'approve', () => approve(reviewing)),
    ...commonKeys(reviewing, page),
    key(['i'], 'edit its fields', () =>
      dispatch(reviewing, { type: 'fields', of: null, field: null }),
    ),
    key(['esc', 'q'], 'leave', doubt),
    ...scrollKeys(reviewing, page),
  ];
}

function taskKeys(reviewing: Reviewing): readonly Binding[] {
  const { state } = reviewing;
  const open = () =>
    dispatch(reviewing, { type: 'fields', of: chosenTask(state.get()), field: null });
  const remove = () => {
    const task = chosenTask(state.get());
    if (task !== null) dispatch(reviewing, { type: 'doubt', doubt: { kind: 'delete', task } });
  };
  return [
    key(['enter'], 'open', open),
    key(['g'], state.get().asGraph ? 'list' : 'graph', () =>
      dispatch(reviewing, { type: 'graph' }),
    ),
    ...moveKeys(reviewing),
    key(['a'], 'add', () => writeTask(reviewing)),
    key(['p'], 'split', () => writeParts(reviewing)),
    key(['d'], 'delete', remove),
    minor(['K', 'shift+up'], 'move up', () => moveTask(reviewing, -1)),
    minor(['J', 'shift+down'], 'move down', () => moveTask(reviewing, 1)),
  ];
}

function findingKeys(reviewing: Reviewing): readonly Binding[] {
  const place = placeOfFinding(reviewing.state.get());
  const open = () => place !== null && dispatch(reviewing, { type: 'fields', ...place });
  return [
    ...(place === null ? [] : [key(['enter'], 'open the place', open)]),
    ...moveKeys(reviewing),
  ];
}

function commentKeys(reviewing: Reviewing): readonly Binding[] {
  if (reviewing.state.get().comments.length === 0) return [];
  const drop = () => {
    const { comments, comment: index } = reviewing.state.get();
    if (comments[index] === undefined) return;
    dispatch(reviewing, { type: 'doubt', doubt: { kind: 'drop-comment', index } });
  };
  return [
    key(['enter'], 'change it', () => rewriteComment(reviewing)),
    deciding(['s'], 'send comments', () => sendComments(reviewing)),
    key(['d'], 'delete it', drop),
    ...moveKeys(reviewing),
  ];
}

function fieldKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const remove = () => {
    const place = removable(reviewing.state.get());
    if (place !== null) dispatch(reviewing, { type: 'doubt', doubt: { kind: 'remove', ...place } });
  };
  const beside = (by: 1 | -1) => () => dispatch(reviewing, { type: 'neighbour', by });
  return [
    key(['enter'], 'edit', () => writeField(reviewing)),
    ...moveKeys(reviewing),
    key(['a'], 'add an entry', () => writeEntry(reviewing)),
    key(['d'], 'take out', remove),
    ...textKeys(reviewing),
    ...(reviewing.state.get().about === null
      ? []
      : [
          key(['right', 'l', 'tab'], 'next task', beside(1)),
          minor(['left', 'h', 'shift+tab'], 'task before', beside(-1)),
        ]),
    ...pageKeys(reviewing, page),
    key(['esc', 'q'], 'back', () => dispatch(reviewing, { type: 'back' })),
  ];
}

function doubtKeys(reviewing: Reviewing, doubt: Doubt | null): readonly Binding[] {
  const back = () => dispatch(reviewing, { type: 'back' });
  const no = key(['esc', 'n'], 'back', back);
  switch (doubt?.kind) {
    case undefined:
      return [no];
    case 'leave': {
      const { approvedHash } = reviewing.state.get().desk;
      const does = approvedHash === null ? 'reject the plan' : 'take the approval back';
      return [
        deciding(['enter', 'y'], 'save and leave', () => leave(reviewing)),
        key(['r'], does, () => writeReason(reviewing)),
        no,
      ];
    }
    case 'approve':
      return [
        approving(['enter', 'y'], 'approve without sending them', () => approve(reviewing)),
        no,
      ];
    case 'delete':
      return [key(['enter', 'y'], 'delete it', () => deleteTask(reviewing, doubt.task)), no];
    case 'remove':
      return [key(['enter', 'y'], 'take it out', () => removeField(reviewing, doubt)), no];
    case 'drop-comment':
      return [key(['enter', 'y'], 'delete it', () => dropComment(reviewing, doubt.index)), no];
  }
}

function mendKeys(reviewing: Reviewing): readonly Binding[] {
  const file = reviewing.state.get().drafts.at(-1)?.file ?? 'plan.json';
  const again = () => openInEditor(reviewing, file);
  return [
    key(['enter', 'e'], 'edit your text again', again),
    key(['d'], 'drop it', () => dropDraft(reviewing, file)),
    key(['esc'], 'back, keep it', () => dispatch(reviewing, { type: 'back' })),
  ];
}

function dropComment(reviewing: Reviewing, index: number): void {
  const { comments } = reviewing.state.get();
  dispatch(reviewing, { type: 'comments', comments: comments.toSpliced(index, 1) });
  dispatch(reviewing, { type: 'back' });
}

function toOverview(reviewing: Reviewing): Binding {
  return key(['esc', 'q'], 'back', () => dispatch(reviewing, { type: 'tab', to: 'overview' }));
}

function enterDoes({ writing }: ReviewState): string {
  if (writing?.kind === 'reject') return 'reject the plan and leave';
  if (writing?.kind === 'split')
    return writing.titles.length < 2 ? 'next part' : 'next part, or split';
  return 'keep it';
}
