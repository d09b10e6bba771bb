// Shows the options and asks for the decision: side by side, one in full, agreement, and the code around a place.
import { Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys } from '../../key-bindings.ts';
import type { QuestionProps, QuestionStage } from '../../screen-state.ts';
import { createStore, useStore } from '../../store.ts';
import { useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import { decisionKeys } from './decision-keys.ts';
import { referencesOf, startingDecision, type DecisionState } from './decision-state.ts';
import { documentOf, prose } from '../../../../model/document.ts';
import type { Synthesis } from '../../../../model/synthesis.ts';
import { counted } from '../../../../model/wording.ts';
import {
  agreementBlocks,
  markLegend,
  optionSection,
  optionsBlocks,
} from '../../../../phases/documents/options-document.ts';
import { documentRows, plainRows } from '../../document-rows.ts';
import { type ItemRow, type ListPage, choiceRow, listPage, rowsOfItem } from '../../list-page.ts';
import {
  type Row,
  emptyRow,
  fileSpan,
  row,
  sideBySide,
  span,
  wrapText,
} from '../../screen-rows.ts';
import { marks } from '../../theme.ts';

export function openDecision() {
  return {
    state: createStore(startingDecision),
    more: createStore(textField()),
    constraint: createStore(textField()),
  };
}

/** Shows the options side by side; Enter takes the chosen one. */
export function DecisionScreen({ stage, stores }: QuestionProps<'decide', typeof openDecision>) {
  const { ports, say, lookAtRun } = useTools();
  const { question, answer } = stage;
  const state = useStore(stores.state, (now) => now);
  const page = decisionPage(question, state, useBodySize());
  const deciding = { ...stores, question, answer, ports, say, lookAtRun };
  const bindings = useQuestionKeys(question, decisionKeys(deciding, page));
  const solution = question.synthesis.solutions[state.chosen];
  const place = referencesOf(solution)[state.reference];
  const isPlace = state.page === 'code' || state.page === 'detail';
  const summary = solution === undefined ? null : `${solution.name}\n${solution.summary}`;
  const copies = isPlace && place !== undefined ? `${place.path}:${place.line}` : summary;
  return <Frame bindings={bindings} rows={page.rows} popup={state.popup} copies={copies} />;
}

interface Room {
  readonly width: number;
  readonly height: number;
}

type Offered = QuestionStage<'decide'>['question'];

/** The page that is open. */
export function decisionPage(offered: Offered, state: DecisionState, room: Room): ListPage {
  const { reference: chosen, top } = state;
  const { height } = room;
  return listPage(pageRows(offered, state, room), { chosen, top, height });
}

function pageRows(offered: Offered, state: DecisionState, room: Room): readonly ItemRow[] {
  const { synthesis } = offered;
  switch (state.page) {
    case 'options':
      return rowsOfItem(null, optionRows(offered, state, room));
    case 'detail':
      return detailRows(synthesis, state.chosen, room.width);
    case 'code':
      return rowsOfItem(null, codeRows(offered, state, room.width));
    case 'agreement':
      return rowsOfItem(null, plainRows(agreementBlocks(synthesis), room));
  }
}

/** As many options side by side as fit, or the chosen one alone where only so all of its card is seen. */
function optionRows(
  offered: Offered,
  state: DecisionState,
  { width, height }: Room,
): readonly Row[] {
  const { solutions } = offered.synthesis;
  const most = Math.max(1, Math.min(solutions.length, Math.floor((width + 1) / (narrowest + 1))));
  const headWith = (columns: number) =>
    headRows(offered, state, { width, hidden: solutions.length - columns });
  // The last row may say that more follows.
  const isWholeIn = (columns: number) => {
    const card = cardRows(offered, state.chosen, columnWidth(columns, width));
    return headWith(columns).length + card.length < height;
  };
  const fit = isWholeIn(most) || !isWholeIn(1) ? most : 1;
  const first = Math.max(0, state.chosen - fit + 1);
  const columns = solutions.slice(first, first + fit).map((_, index) => {
    const at = first + index;
    const [name = emptyRow, ...rows] = cardRows(offered, at, columnWidth(fit, width));
    const lead = choiceRow(name, at === state.chosen);
    return {
      width: columnWidth(fit, width),
      rows: [lead, ...rows.map((line) => choiceRow(line, false))],
    };
  });
  const head = headWith(fit);
  // On a small screen the options come first, so that nobody chooses one unseen.
  const isSmall = head.length * 2 > height;
  return [
    ...(isSmall ? [] : head),
    ...sideBySide(columns),
    emptyRow,
    ...(isSmall ? head : []),
    ...plainRows([prose(markLegend)], { width }),
  ];
}

/** The narrowest column in which a solution is readable. */
const narrowest = 38;

function columnWidth(columns: number, width: number): number {
  return Math.floor((width - (columns - 1)) / columns);
}

/** The card of a solution in a column of that width. */
function cardRows({ synthesis }: Offered, at: number, each: number): readonly Row[] {
  const solution = synthesis.solutions[at];
  if (solution === undefined) return [];
  const number = at + 1;
  const { blocks = [] } = optionSection({ solution, synthesis, number, isCard: true }) ?? {};
  const name = wrapText(`${number}. ${solution.name}`, { width: each - 3 });
  return [...name, ...plainRows(blocks, { width: each - 3, folds: 'out' })];
}

/** The state of the discussion, how many more options there are, and what the plan has to keep to. */
function headRows(
  offered: Offered,
  { constraints }: DecisionState,
  { width, hidden }: { readonly width: number; readonly hidden: number },
): readonly Row[] {
  const blocks = optionsBlocks(offered).slice(0, -1);
  const rows = plainRows(blocks, { width });
  const more = row(span(`${counted(hidden, 'more option')}: ← →`, 'accent'));
  return [
    ...rows.toSpliced(
      plainRows(blocks.slice(0, 1), { width }).length,
      0,
      ...(hidden > 0 ? [more] : []),
    ),
    ...constraints.flatMap((text) => wrapText(`${marks.bullet} keep to: ${text}`, { width })),
    emptyRow,
  ];
}

/** Everything that is known of a solution; its places in the code can be chosen. */
function detailRows(synthesis: Synthesis, chosen: number, width: number): readonly ItemRow[] {
  const solution = synthesis.solutions[chosen];
  if (solution === undefined) return [];
  const whole = optionSection({ solution, synthesis, number: chosen + 1 });
  const [{ anchor, blocks } = { anchor: '', blocks: [] }] = documentOf('', [whole]).blocks;
  const rows = documentRows(blocks, { width: width - 2, folds: 'open' });
  const places: string[] = [];
  const itemOf = (at: string | null) => {
    const [, place = null] = (at ?? '').split(`${anchor}.references.`);
    if (place === null) return null;
    if (!places.includes(place)) places.push(place);
    return places.indexOf(place);
  };
  return rows.map((one) => ({ cells: one.cells, item: itemOf(one.anchor) }));
}

/** The code around the chosen place, with its line marked; says so if it cannot be shown. */
function codeRows(
  { synthesis }: Offered,
  { chosen, reference, code }: DecisionState,
  width: number,
): readonly Row[] {
  const place = referencesOf(synthesis.solutions[chosen])[reference];
  if (place === undefined) return [];
  const head = [row(fileSpan(place.path, `${place.path}:${place.line}`, 'strong')), emptyRow];
  if (code === null) {
    const text = 'The repository has no such text file.';
    return [...head, ...wrapText(text, { width, tone: 'warn' })];
  }
  const digits = String(code.start + code.lines.length - 1).length;
  return [
    ...head,
    ...code.lines.map((text, index) => {
      const number = code.start + index;
      const line = row(
        span(`${String(number).padStart(digits)}  `, 'quiet'),
        span(text.replaceAll('\t', '  ')),
      );
      return choiceRow(line, number === place.line);
    }),
  ];
}
