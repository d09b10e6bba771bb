import { expect, test } from 'vitest';
import { textLines } from '../../../src/faces/document-text.ts';
import { PlanReading } from '../../../src/model/plan-reading.ts';
import { readingSection } from '../../../src/phases/documents/plan-document.ts';
import { stateFacts } from '../../../src/phases/documents/plan-state.ts';

const finding = {
  id: 'F1',
  agent: 'beta',
  severity: 'minor',
  task: null,
  problem: 'The name is long.',
  suggestion: 'Shorten it.',
  evidence: [],
  fate: 'open',
  reply: '',
  reply_evidence: [],
};
const reader = { agent: 'beta', vendor: null, summary: '', tokens: null, cost_usd: null };
const reading = PlanReading.parse({
  version: 1,
  readers: [reader],
  unread: '',
  notes: [],
  findings: [finding],
});

const stateOf = (version: number) =>
  textLines([
    stateFacts({
      version,
      findings: [],
      reading,
      changes: [],
      comments: [],
      hash: null,
      approvedHash: null,
      rejected: null,
      isTextEdited: false,
    }),
  ]);

test('what readers found in version 1 is open there, and told of that version in the next one', () => {
  expect(stateOf(1)).toContain('Readers: beta: 1 finding (1 open)');
  const later = 'beta read version 1, not this one: 1 finding (1 open)';
  expect(stateOf(2)).toContain(`Readers: ${later}`);
  expect(textLines([readingSection(reading, 2)])).toContain(`  ${later}.`);
  expect(textLines([readingSection(reading, 1)])).toContain('  Read by beta: 1 finding (1 open).');
});
