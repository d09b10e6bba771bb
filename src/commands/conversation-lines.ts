// Prints conversations: their rows in the list, their turns, and what a search found in them.
import { type ProjectHit, searchSessions } from '../app/conversation-history.ts';
import { turnFactsIn } from '../conversation/turn-facts.ts';
import { textLines } from '../faces/document-text.ts';
import { ago, shorten } from '../faces/short-forms.ts';
import { cleanText } from '../model/clean-text.ts';
import { wrongUsage } from '../model/failure.ts';
import { counted, oneLine } from '../model/wording.ts';
import { markdownOf } from '../phases/documents/markdown.ts';
import { tellTurn, turnBlocks } from '../phases/documents/turn-document.ts';
import type { HistoryTurn } from '../store/history.ts';
import { printTable } from './columns.ts';
import { printJson, printLines } from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';

/** Prints a conversation that belongs to no planning session. */
export function showConversation(id: string, turns: readonly HistoryTurn[], json: boolean): number {
  if (json) printJson({ session_id: id, turns: turns.map(turnDocument) });
  else {
    const head = `Conversation ${id}, ${counted(turns.length, 'turn')}`;
    printLines(head, '', ...turnLines(turns), `To go on: conclave work --session ${id} "…"`);
  }
  return 0;
}

/** The turns as one document for machines. */
export function turnDocument({ facts, ...turn }: HistoryTurn) {
  return { ...turn, files_changed: turnFactsIn(facts).files_changed };
}

/** The turns in full, as people read them. */
export function turnLines(turns: readonly HistoryTurn[]): readonly string[] {
  return turns.flatMap((turn) => [...textLines(turnBlocks(tellTurn(turn))), '']);
}

/** The turns as a Markdown document. */
export function turnsMarkdown(id: string, turns: readonly HistoryTurn[]): string {
  const told = turns.flatMap((turn) => turnBlocks(tellTurn(turn)));
  return `# Conversation ${id}\n\n${markdownOf(told)}\n`;
}

/** The most hits that are shown. */
const mostHits = 50;

/** Runs `conclave sessions search`; to find nothing is a valid result, too. */
export async function searchCommand(
  words: readonly string[],
  { root, environment, json }: CommonOptions,
): Promise<number> {
  const wanted = words
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) throw wrongUsage('sessions search: give the words to search for.');
  const hits = await searchSessions({ root, environment }, wanted, mostHits);
  if (json) printJson(hits);
  else if (hits.length === 0)
    printLines(
      `No conversation or plan here contains ${wanted.length === 1 ? `"${wanted[0]}"` : 'all of these words'}.`,
    );
  else printTable({ head: ['SESSION', 'WHERE', 'AGE', 'TEXT'], rows: hits.map(hitRow) });
  return 0;
}

function hitRow({ session_id: id, turn, at, excerpt }: ProjectHit): readonly string[] {
  const where = turn === null ? 'plan' : `turn ${turn}`;
  return [id, where, ago(at, Date.now()), shorten(oneLine(cleanText(excerpt)), 160)];
}
