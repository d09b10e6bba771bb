// Tells where a plan stands that a person is to judge: its check, its readers, its version, its approval.
import type { PlanRejection } from '../../model/decision.ts';
import { type Badge, type Block, facts } from '../../model/document.ts';
import type { Finding } from '../../model/finding.ts';
import type { PlanChange, SavedComment } from '../../model/plan-edit.ts';
import type { PlanReading } from '../../model/plan-reading.ts';
import { readersText } from '../../model/reading-summary.ts';
import { counted, listed, rejectionText } from '../../model/wording.ts';
import { unsentIn } from '../planning/comments.ts';
import { badge } from './badges.ts';

/** What a person who judges a plan has to know besides it. */
export interface PlanState {
  readonly version: number;
  readonly findings: readonly Finding[];
  readonly reading: PlanReading | null;
  readonly changes: readonly PlanChange[];
  readonly comments: readonly SavedComment[];
  readonly hash: string | null;
  readonly approvedHash: string | null;
  readonly rejected: PlanRejection | null;
  readonly isTextEdited: boolean;
  /** The agents that are reading it now. */
  readonly waitsFor?: readonly string[];
}

/** Tells where a plan stands: its check, its readers, its version, and its approval. */
export function stateFacts(state: PlanState): Block | null {
  const { version, findings, reading, changes, comments, waitsFor = [] } = state;
  const blocking = findings.filter(({ severity }) => severity === 'blocking').length;
  const warnings = findings.length - blocking;
  const before = version === 1 ? 'it was written' : `version ${version - 1}`;
  const count = changes.length === 0 ? 'no change' : counted(changes.length, 'change');
  const unsent = unsentIn(comments, 'plan').length;
  return facts([
    [
      'Check',
      findings.length === 0
        ? [badge('good', '✓', 'no problems')]
        : [
            blocking === 0 ? '' : badge('bad', '✗', `${blocking} blocking`),
            blocking === 0 || warnings === 0 ? '' : ', ',
            warnings === 0 ? '' : badge('warn', '!', counted(warnings, 'warning')),
          ],
    ],
    ['Readers', reading === null ? null : [readersBadge(reading, version, waitsFor)]],
    ['Version', `${version}, ${count} since ${before}`],
    ['Comments', unsent === 0 ? null : `${counted(unsent, 'comment')} not sent yet`],
    ['Approval', [approvalBadge(state)]],
    [
      'plan.md',
      state.isTextEdited
        ? [badge('warn', '!', 'was edited, which changes nothing; edit the plan in the review (e)')]
        : null,
    ],
  ]);
}

function readersBadge(reading: PlanReading, version: number, waitsFor: readonly string[]): Badge {
  const { readers, unread, findings } = reading;
  const isRead = readers.length > 0;
  const found = readersText(reading, version);
  if (waitsFor.length > 0) {
    const now = `${listed(waitsFor)} ${waitsFor.length === 1 ? 'is' : 'are'} reading the plan…`;
    return badge('accent', '●', isRead ? `${found}; ${now}` : now);
  }
  if (!isRead) return badge('quiet', '○', `not yet read by others: ${unread}`);
  if (reading.version < version) return badge('quiet', '○', found);
  return findings.some(({ fate }) => fate === 'open')
    ? badge('warn', '!', found)
    : badge('good', '✓', found);
}

/** A few words on the approval of a plan. */
export function approvalBadge({
  rejected,
  approvedHash,
  hash,
}: Pick<PlanState, 'rejected' | 'approvedHash' | 'hash'>): Badge {
  if (rejected !== null) return badge('bad', '✗', rejectionText(rejected));
  if (approvedHash === null) return badge('quiet', '○', 'not approved yet');
  return approvedHash === hash
    ? badge('good', '✓', 'approved')
    : badge('warn', '!', 'changed since it was approved, so it needs a new approval');
}
