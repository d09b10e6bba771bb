// Asks for the task: field, files, agents and their parts.
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { longestTask } from '../../../../model/text-size.ts';
import { Frame, useBodySize, useIsActive } from '../../frame.tsx';
import type { TuiPorts, AgentState } from '../../ports.ts';
import type { Start } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { useFieldKeys, useTextField, inputRows } from '../../widgets/text-field/field-view.tsx';
import { SessionsScreen } from '../sessions-screen.tsx';
import { useQuestionKeys } from '../../key-bindings.ts';
import { startKeys } from './start-keys.ts';
import {
  type StartState,
  mentionIn,
  offersFor,
  startingStart,
  showsEarlier,
  firstRound,
} from './start-state.ts';
import stringWidth from 'string-width';
import { listed, wordsOfError } from '../../../../model/wording.ts';
import { forecastText, planUnknownText } from '../../../short-forms.ts';
import { choiceRow } from '../../list-page.ts';
import {
  cutTo,
  joinEnds,
  emptyRow,
  fitRow,
  row,
  span,
  type Row,
  wrapText,
} from '../../screen-rows.ts';
import { marks, type Tone } from '../../theme.ts';
import type { TextField } from '../../widgets/text-field/field.ts';

export function StartScreen({ stage }: { readonly stage: Start }) {
  const { store, ports } = useTools();
  const size = useBodySize();
  const [state, change] = useState({ ...startingStart, note: stage.again?.note ?? null });
  const set = (part: Partial<StartState>) => change((now) => ({ ...now, ...part }));
  const field = useTextField(stage.again?.task);
  const text = useStore(field, (now) => now);
  const model = useTextField();
  const { popup, note } = state;
  const active = useIsActive() && !state.isPicking && popup === null;
  const offers = offersFor(state, text);
  const isEmpty = text.text === '';
  useMachineFacts(change, ports);
  useFiles(change, ports, mentionIn(text) !== null && state.files === null);
  // A note is about the text before it changed, and so is the position in the list of files.
  useEffect(
    () => field.subscribe(() => change((now) => ({ ...now, note: null, chosen: 0 }))),
    [field],
  );
  const logIn = (name: string) => {
    ports
      .logIn(name)
      .then((fault) => set({ note: fault }))
      .then(() => ports.agents((standings) => set({ standings })))
      .catch((error: unknown) => set({ note: wordsOfError(error) }));
  };
  const showHelp = () => store.change((shared) => ({ ...shared, overlay: 'help' }));
  const accepts = (task: string) => {
    const bytes = Buffer.byteLength(task);
    if (bytes > longestTask) set({ note: tooLong(bytes) });
    return bytes <= longestTask;
  };
  const takesArrows = offers !== null || showsEarlier(state, text);
  useFieldKeys({
    field,
    active: active && state.agentAt === null,
    width: size.width - gutterWidth,
    lines: 'many',
    accepts,
    leaves: ['tab', ...(takesArrows ? ['up', 'down'] : []), ...(isEmpty ? ['?'] : [])],
  });
  const moves = { state, set, field, model, offers, showHelp, logIn, answer: stage.answer };
  const bindings = useQuestionKeys(stage, startKeys(moves), firstMoment);
  if (state.isPicking) {
    const answer: Start['answer'] = (given) =>
      given === null ? set({ isPicking: false }) : stage.answer(given);
    const picking = { kind: 'sessions', purpose: 'resume', isFirst: false, answer } as const;
    return <SessionsScreen stage={picking} />;
  }
  return (
    <Frame
      bindings={bindings}
      rows={startRows({ state, field: text, active, ...size })}
      popup={popup}
      refused={note}
      typing={state.agentAt === null}
      helps={isEmpty && popup === null}
    />
  );
}

/** The time to read what was typed before the first frame, in ms: none of it starts a session. */
const firstMoment = 50;

type Change = Dispatch<SetStateAction<StartState>>;

/** Loads agents, earlier usage and earlier tasks after the first frame; a failure becomes the note. */
function useMachineFacts(change: Change, ports: TuiPorts): void {
  useEffect(() => {
    const set = (part: Partial<StartState>) => change((now) => ({ ...now, ...part }));
    const fail = (error: unknown) => set({ note: wordsOfError(error) });
    ports.agents((standings) => set({ standings })).catch(fail);
    ports
      .forecast()
      .then((forecast) => set({ forecast }))
      .catch(fail);
    ports
      .earlierTasks()
      .then((earlier) => set({ earlier }))
      .catch(fail);
  }, [change, ports]);
}

function useFiles(change: Change, ports: TuiPorts, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    ports
      .files()
      .then((files) => change((now) => ({ ...now, files })))
      .catch((error: unknown) =>
        change((now) => ({ ...now, files: [], note: wordsOfError(error) })),
      );
  }, [change, ports, isWanted]);
}

function tooLong(bytes: number): string {
  const [has, most] = [bytes, longestTask].map((count) => `${Math.ceil(count / 1024)} KB`);
  return `Not taken: the text would be ${has} long, and ${most} is the most.`;
}

/** Columns before the field. */
const gutterWidth = 2;

/** The whole screen: the question, the field, and below it the files or the agents. */
export function startRows({
  state,
  field,
  width,
  height,
  active,
}: {
  readonly state: StartState;
  readonly field: TextField;
  readonly width: number;
  readonly height: number;
  readonly active: boolean;
}): readonly Row[] {
  const below = belowRows(state, field, width);
  const { note } = state;
  const noteRows = note === null ? [emptyRow] : wrapText(note, { width, tone: 'warn' });
  const room = Math.max(3, height - below.length - noteRows.length - 2);
  const lines = inputRows(field, {
    width: width - gutterWidth,
    height: room,
    placeholder: 'e.g. Add rate limiting to the login endpoint',
    active: active && state.agentAt === null,
  });
  const question = row(span('What do you want done?', 'strong'));
  return [
    joinEnds(question, row(span('@ adds a file · / lists commands', 'quiet')), width),
    ...lines.map((line): Row => [span('│ ', 'accent'), ...line]),
    ...noteRows,
    ...below,
  ].slice(0, height);
}

function belowRows(state: StartState, field: TextField, width: number): readonly Row[] {
  const offers = offersFor(state, field);
  if (offers === null) return agentRows(state, width);
  const { entries, chosen } = offers;
  if (entries.length === 0) return [row(span('No file matches.', 'quiet'))];
  return entries.map(([text, does], at) =>
    choiceRow(row(span(text.padEnd(12)), span(does, 'quiet')), at === chosen),
  );
}

/** The agents that take part, and how to get a missing one. */
function agentRows(state: StartState, width: number): readonly Row[] {
  const { standings, agentAt, forecast, models } = state;
  if (standings.length === 0) return [row(span('Looking for agents…', 'quiet'))];
  const name = 3 + Math.max(...standings.map((one) => one.name.length));
  const room = agentAt === null ? width : width - 2;
  const shown = inOrder(state);
  const known = (forecast?.windows ?? []).map(({ agent }) => agent);
  const tellers = firstRound(state).filter(
    (one) => one.state === 'ready' && one.tellsPlan === true,
  );
  const untold = tellers.map((one) => one.name).filter((one) => !known.includes(one));
  return [
    ...roundRows(state, width),
    ...(forecast === null ? [] : [row(span(forecastText(forecast), 'quiet'))]),
    ...(untold.length === 0 ? [] : [row(span(planUnknownText(untold), 'quiet'))]),
    emptyRow,
    ...shown.flatMap((standing) => {
      const index = standings.indexOf(standing);
      const own = { ...standing, ...chosenModel(models[standing.name]) };
      const rows = rowsOf(own, { name, width: room, part: partIn(state, standing) });
      if (agentAt === null) return rows;
      return rows.map((line, at) => choiceRow(line, index === agentAt && at === 0));
    }),
    ...(agentAt === null ? absentRows(standings, width) : []),
  ];
}

/** The model that the user has just typed; its vendor is not known here. */
function chosenModel(model: string | undefined) {
  return model === undefined ? {} : { model, vendor: null };
}

/** Sorts seated agents first; absent agents are listed only while the agent list has the focus. */
function inOrder({ standings, agentAt, ...state }: StartState): readonly AgentState[] {
  if (agentAt !== null) return standings;
  const seated = firstRound({ standings, agentAt, ...state });
  const others = standings.filter((one) => !seated.includes(one) && !absent.has(one.state));
  return [...seated.filter((one) => !absent.has(one.state)), ...others];
}

const absent: ReadonlySet<AgentState['state']> = new Set(['not-installed', 'disabled', 'offered']);

function absentRows(standings: readonly AgentState[], width: number): readonly Row[] {
  const named = (state: AgentState['state'], words: string) => {
    const names = standings.filter((one) => one.state === state).map(({ name }) => name);
    return names.length === 0 ? [] : [`${words}: ${names.join(', ')}`];
  };
  const all = [
    ...named('offered', 'Local models'),
    ...named('not-installed', 'not installed'),
    ...named('disabled', 'off in the settings'),
  ];
  if (all.length === 0) return [];
  const text = `${all.join(' · ')} (tab shows more)`;
  return [cutTo(row(span(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`, 'quiet')), width)];
}

const stateWidth = 14;
const partWidth = 10;
const versionWidth = 12;

/** Rows of an agent; `name` is the width of mark and name. The last column is wrapped within itself. */
function rowsOf(
  standing: AgentState,
  { name, width, part }: { readonly name: number; readonly width: number; readonly part: string },
): readonly Row[] {
  const [mark, words, tone] = states[standing.state];
  const lead = [
    ...fitRow(row(span(`${mark} `, tone), span(standing.name)), name),
    ...fitRow(row(span(words, tone)), stateWidth),
    ...fitRow(row(span(part, 'quiet')), partWidth),
  ];
  const indent = name + stateWidth + partWidth;
  return detail(standing, width - indent).map((line, index) => [
    ...(index === 0 ? lead : [span(' '.repeat(indent))]),
    ...line,
  ]);
}

function detail(standing: AgentState, width: number): readonly Row[] {
  const { kind, state, transport, version, model, vendor, remedy, why } = standing;
  if (kind === 'analyst') return [row(span('built in, uses no model', 'quiet'))];
  if (state === 'looking') return [emptyRow];
  if (state !== 'ready') {
    // The state says what is missing, so that the room is used for what to type.
    const text = (remedy ?? why ?? '').replace(/^(?:Install it|Log in): |\.$/g, '');
    // The rest of the list needs the room.
    return state === 'disabled' ? [cutTo(row(span(text)), width)] : wrapText(text, { width });
  }
  const facts = row(span(version ?? '', 'quiet'));
  const answers = [model ?? 'default model', vendor ?? '', transport ?? ''].filter(Boolean);
  const text = joinWithin(answers, width - versionWidth);
  return [[...fitRow(facts, versionWidth), span(text, 'quiet')]];
}

/** Joins as many facts as fit, and always the first. */
function joinWithin(facts: readonly string[], room: number): string {
  const text = facts.join(' · ');
  return stringWidth(text) <= room || facts.length < 2
    ? text
    : joinWithin(facts.slice(0, -1), room);
}

function roundRows(state: StartState, width: number): readonly Row[] {
  const seated = firstRound(state);
  if (seated.some((one) => one.state === 'looking')) {
    return [row(span('First round: ', 'strong'), span('looking for agents…', 'quiet'))];
  }
  const names = listed(seated.map((one) => one.name));
  if (state.asked !== null || seated.some(({ kind }) => kind === 'model')) {
    const line = row(span('First round: ', 'strong'), span(names), span(whySeated(state), 'quiet'));
    return [cutTo(line, width)];
  }
  const isWish = state.standings.some((one) => one.kind === 'model' && one.state === 'ready');
  const why = isWish ? 'You chose to ask no model' : 'No agent with a model is ready';
  const text =
    seated.length === 0
      ? 'No one can take part: no agent is ready, and the built-in analysts are off.'
      : `${why}, so the built-in analysts (${names}) will write a draft. They use no model: they read the code and its history, and you check what they found.`;
  return wrapText(text, { width, tone: 'warn' });
}

/** Says who chose the seats of the first round, and whose seat another agent took. */
function whySeated({ standings, asked }: StartState): string {
  if (asked !== null) return ', as you chose';
  const missed = standings.filter((one) => one.isMissed === true);
  const told = missed.map(({ name, state }) => `${name} (${states[state][1]})`);
  return told.length === 0 ? ', as set' : `, the first that are ready, without ${listed(told)}`;
}

const states: Readonly<Record<AgentState['state'], readonly [string, string, Tone]>> = {
  looking: [marks.waiting, 'checking…', 'quiet'],
  ready: [marks.done, 'ready', 'good'],
  'not-installed': [marks.failed, 'not installed', 'bad'],
  'not-logged-in': [marks.warning, 'not logged in', 'warn'],
  disabled: [marks.later, 'disabled', 'quiet'],
  offered: [marks.later, 'not set up', 'quiet'],
};

function partIn(state: StartState, standing: AgentState): string {
  const seated = firstRound(state);
  if (seated.includes(standing)) return 'asked';
  // The state already says what is missing.
  if (standing.state !== 'ready' && standing.state !== 'looking') return '';
  // No model replaces analysts that the person chose.
  if (state.asked !== null && seated.every(({ kind }) => kind === 'analyst')) return 'not used';
  return standing.part === 'asked' ? 'backup' : standing.part;
}
