// Defines the state of the review screen, and how keys change it.
import type { PlanRejection } from '../../../../model/decision.ts';
import {
  type AnchoredLine,
  type Block,
  type Document,
  blockAt,
  documentOf,
  listAnchors,
} from '../../../../model/document.ts';
import type { SavedComment } from '../../../../model/plan-edit.ts';
import { readingSection } from '../../../../phases/documents/plan-document.ts';
import { taskOf, unsentIn } from '../../../../phases/planning/comments.ts';
import type { PlanOnDesk, ReadingNews } from '../../../../workflow/view-port.ts';
import type { Popup } from '../../popup.tsx';
import { anchorsShown } from '../../document-rows.ts';
import { clamp } from '../../list-page.ts';

export interface ReviewState {
  readonly desk: PlanOnDesk;
  /** The rejection in force, if there is one. */
  readonly rejected: PlanRejection | null;
  /** Agents that are reading the plan now. */
  readonly waitsFor: readonly string[];
  /** The author of the plan, if it can answer the findings, else null. */
  readonly replier: string | null;
  /** The anchor of the chosen line; empty for the plan as a whole. */
  readonly anchor: string;
  /** The anchors of the parts of the plan that were opened or closed. */
  readonly toggled: ReadonlySet<string>;
  /** A comparison of two versions, shown in place of the plan. */
  readonly compared: Document | null;
  /** The first row after scrolling; null while the chosen line is visible. */
  readonly top: number | null;
  readonly popup: Popup | null;
  /** Why the last edit was refused. */
  readonly refused: string | null;
  /** True while the desk or the editor is at work: keys wait for it. */
  readonly busy: boolean;
}

/** Makes the first state: the cursor of a plan that a person sent back is on its changes. */
export function startingReview(
  desk: PlanOnDesk,
  rejected: PlanRejection | null = null,
): ReviewState {
  return {
    desk,
    rejected,
    waitsFor: [],
    replier: null,
    anchor: desk.version > (desk.reading?.version ?? 1) ? 'changes' : '',
    toggled: new Set(),
    compared: null,
    top: null,
    popup: null,
    refused: null,
    busy: false,
  };
}

/** Takes in news of the reading by others; what they found comes first. */
export function withNews(
  state: ReviewState,
  { reading, waitsFor, asksAuthor }: ReadingNews,
  author: string,
): ReviewState {
  const { document } = state.desk;
  const found = documentOf('', [readingSection(reading)]).blocks;
  const others = (document?.blocks ?? []).filter(({ anchor }) => anchor !== 'findings');
  const first = others.findIndex(({ kind }) => kind === 'section');
  const blocks = others.toSpliced(Math.max(0, first), 0, ...found);
  const told = document === null ? null : { ...document, blocks };
  const desk = { ...state.desk, reading, document: told };
  return { ...state, desk, waitsFor, replier: asksAuthor ? author : null };
}

/** A change of the state by a key. */
export type Change = (state: ReviewState) => ReviewState;

/** The blocks on the page. */
export function blocksOn({ desk, compared }: ReviewState): readonly Block[] {
  return (compared ?? desk.document)?.blocks ?? [];
}

/** The anchors of the lines that can be chosen, in the order shown; the plan as a whole comes first. */
export function linesOn(state: ReviewState): readonly string[] {
  const [blocks, { toggled }] = [blocksOn(state), state];
  const known = linesKnown.get(blocks);
  if (known?.toggled === toggled) return known.lines;
  const lines = ['', ...anchorsShown(blocks, toggled)];
  linesKnown.set(blocks, { toggled, lines });
  return lines;
}

/** The lines of each page that was shown: to find them takes as long as to draw it, and each key asks for them. */
const linesKnown = new WeakMap<
  readonly Block[],
  { readonly toggled: ReadonlySet<string>; readonly lines: readonly string[] }
>();

export function chosenIndex(state: ReviewState): number {
  return Math.max(0, linesOn(state).indexOf(state.anchor));
}

export function moveBy(by: number): Change {
  return (state) => {
    const lines = linesOn(state);
    return moveTo(lines[clamp(chosenIndex(state) + by, lines.length)])(state);
  };
}

/** Moves to a line, or stays where there is none. */
export function moveTo(anchor: string | undefined): Change {
  return (state) => ({ ...state, anchor: anchor ?? state.anchor, top: null });
}

/** Moves to the next section of the page, or to the one before. */
export function moveSection(by: 1 | -1): Change {
  return (state) => {
    const parts = blocksOn(state).filter(({ kind }) => kind === 'section');
    const at = parts.findIndex((part) => blockAt([part], state.anchor) !== undefined);
    return moveTo(parts[at + by]?.anchor ?? (by < 0 ? '' : undefined))(state);
  };
}

/** The anchor that the chosen line leads to. */
export function linkIn(state: ReviewState): string | undefined {
  const line = blockAt(blocksOn(state), state.anchor)?.line ?? '';
  if (typeof line === 'string') return undefined;
  return line.flatMap((piece) => (typeof piece === 'object' && 'to' in piece ? piece.to : []))[0];
}

/** Closes what is open over the page first, then a comparison. */
export function closeOne(state: ReviewState): ReviewState {
  const left = { ...state, popup: null, refused: null, top: null };
  return state.popup === null ? { ...left, compared: null } : left;
}

/** Takes in the current files; where the chosen line is gone, the one in its place is chosen. */
export function withDesk(state: ReviewState, desk: PlanOnDesk): ReviewState {
  const next = { ...state, desk };
  const lines = linesOn(next);
  const near = lines[clamp(chosenIndex(state), lines.length)] ?? '';
  return { ...next, anchor: lines.includes(state.anchor) ? state.anchor : near };
}

/** The comments that the planner has not got. */
export function unsent({ desk }: ReviewState): readonly SavedComment[] {
  return unsentIn(desk.comments, 'plan');
}

/** The chosen line of the plan; undefined for the plan as a whole. */
export function currentLine(state: ReviewState): AnchoredLine | undefined {
  return listAnchors(blocksOn(state)).find(({ anchor }) => anchor === state.anchor);
}

/** The task that the chosen line belongs to; null for the plan. */
export function taskInView({ desk, anchor }: ReviewState): string | null {
  return taskOf(
    anchor,
    desk.tasks.map(({ id }) => id),
  );
}

/** Opens or closes the part of the plan that the chosen line heads or stands in. */
export const toggleFold: Change = (state) => {
  const part = sectionsAround(blocksOn(state), state.anchor).at(-1);
  if (part === undefined) return state;
  const toggled = new Set(state.toggled);
  if (!toggled.delete(part)) toggled.add(part);
  return { ...state, toggled, anchor: part, top: null };
};

/** The anchors of the sections that a line heads or stands in, the innermost last. */
function sectionsAround(blocks: readonly Block[], anchor: string): readonly string[] {
  const around = blocks.find((block) => blockAt([block], anchor) !== undefined);
  if (around === undefined) return [];
  const own = around.kind === 'section' ? [around.anchor] : [];
  return [...own, ...sectionsAround(around.blocks, anchor)];
}
