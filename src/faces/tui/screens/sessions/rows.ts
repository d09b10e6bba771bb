import { rejectedText } from '../../../../model/decision.ts';
import { counted } from '../../../../model/wording.ts';
import { ago } from '../../../short-forms.ts';
import type { SavedEntry } from '../../ports.ts';
import { type Row, emptyRow, fitted, row, span, windowOf, wrapped } from '../../rows.ts';
import { type Tone, marks } from '../../theme.ts';
import { inputRows } from '../../widgets/text-field/view.tsx';
import type { TextField } from '../../widgets/text-field/field.ts';
import { type SessionsState, chosenEntry, fitting } from './state.ts';

interface Shown {
  readonly state: SessionsState;
  readonly purpose: 'resume' | 'review';
  readonly field: TextField;
  readonly width: number;
  readonly height: number;
  readonly active: boolean;
}

/** What was typed to search, the sessions that fit, and more on the chosen one. */
export function sessionsRows(shown: Shown): readonly Row[] {
  const { field, width, height, active, purpose } = shown;
  const placeholder = 'type to search by task, phase, status or id';
  const [search = emptyRow] = inputRows(field, {
    width: width - 9,
    height: 1,
    placeholder,
    active,
  });
  const title = purpose === 'resume' ? 'Resume a saved session' : 'Review the plan of a session';
  const detail = detailRows(shown);
  return [
    [...fitted(row(span(title, 'strong')), width - 16), ...countRow(shown)],
    [span('search › ', 'quiet'), ...search],
    emptyRow,
    ...listRows(shown, Math.max(1, height - 3 - detail.length)),
    ...detail,
  ].slice(0, height);
}

function countRow({ state, field }: Shown): Row {
  const all = state.entries?.length ?? 0;
  const fit = fitting(state.entries ?? [], field.text).length;
  return row(span(fit === all ? counted(all, 'session') : `${fit} of ${all}`, 'quiet'));
}

function listRows(shown: Shown, room: number): readonly Row[] {
  const { state, field, width } = shown;
  const entries = fitting(state.entries ?? [], field.text);
  if (entries.length === 0) return windowOf(emptyRows(shown), 0, room);
  const at = entries.findIndex(({ id }) => id === chosenEntry(state, field.text)?.id);
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), entries.length - room + 1));
  const lines = entries.map((entry, index) => entryRow(entry, { state, isChosen: index === at }));
  const head = line(
    ['PHASE', 'STATUS', 'AGE', 'SCORE', 'TASK'].map((text) => [text, 'quiet']),
    false,
  );
  return [head, ...windowOf(lines, from, room - 1)].map((one) => fitted(one, width));
}

function emptyRows({ state, field, purpose }: Shown): readonly Row[] {
  if (state.entries === null) return [row(span('Reading the saved sessions…', 'quiet'))];
  if (state.entries.length > 0) return [row(span(`No session matches "${field.text}".`))];
  const what =
    purpose === 'review' ? 'No session here has a plan.' : 'There are no saved sessions here.';
  return [
    row(span(what)),
    emptyRow,
    row(span('Start one with: '), span('conclave "what you want done"', 'strong')),
  ];
}

function entryRow(
  entry: SavedEntry,
  { state, isChosen }: { readonly state: SessionsState; readonly isChosen: boolean },
): Row {
  const tone: Tone = isChosen ? 'strong' : 'plain';
  if (state.removing === entry.id) {
    return row(
      span(`${marks.chosen} `, 'warn'),
      span('Remove this session and all its files?', 'warn'),
    );
  }
  if (entry.fault !== null) {
    const reason = entry.fault.replace(/^Session \S+ cannot be read: /, '');
    return line(
      [
        ['', tone],
        ['unreadable', 'bad'],
        ['', tone],
        ['', tone],
        [reason, 'quiet'],
      ],
      isChosen,
    );
  }
  return line(
    [
      [entry.phase, tone],
      [entry.status, statusTones[entry.status] ?? tone],
      [ago(entry.changed, state.readAt), 'quiet'],
      [entry.score?.toFixed(2) ?? '-', 'quiet'],
      [entry.task, tone],
    ],
    isChosen,
  );
}

const statusTones: Readonly<Record<string, Tone>> = {
  done: 'good',
  failed: 'bad',
  interrupted: 'warn',
  running: 'accent',
  waiting: 'accent',
};

const widths = [12, 13, 8, 7];

function line(cells: readonly (readonly [string, Tone])[], isChosen: boolean): Row {
  return [
    span(isChosen ? `${marks.chosen} ` : '  ', 'accent'),
    ...cells.flatMap(([text, tone], index): Row => {
      const width = widths[index];
      return width === undefined ? [span(text, tone)] : fitted(row(span(text, tone)), width);
    }),
  ];
}

/** The whole task and the id of the chosen one, or what there is to say. */
function detailRows({ state, field, width }: Shown): readonly Row[] {
  const entry = chosenEntry(state, field.text);
  const note = state.note === null ? [] : [row(span(state.note, 'warn'))];
  if (entry === undefined) return note;
  const text = entry.fault ?? entry.task;
  return [
    row(span('─'.repeat(width), 'quiet')),
    ...wrapped(text, { width }).slice(0, 2),
    ...rejectedRows(entry, width),
    row(span(entry.id, 'quiet')),
    ...note,
  ];
}

function rejectedRows({ rejected }: SavedEntry, width: number): readonly Row[] {
  if (rejected === null) return [];
  return wrapped(`The plan is ${rejectedText(rejected)}`, { width, tone: 'warn' }).slice(0, 2);
}
