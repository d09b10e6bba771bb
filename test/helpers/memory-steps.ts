import { encodeRecord, type JournalRecord } from '../../src/store/journal-record.ts';
import { journalSteps } from '../../src/store/logged-steps.ts';
import type { Steps } from '../../src/store/steps-port.ts';

/**
 * Steps recorded in memory. Handing over the records of an earlier run resumes it; new ones are
 * added to them.
 */
export function memorySteps(records: JournalRecord[] = []): Steps {
  const append = (record: JournalRecord): Promise<void> => {
    // Refuses what a journal would refuse.
    encodeRecord(record);
    records.push(record);
    return Promise.resolve();
  };
  return journalSteps({ session: 'memory', records, append });
}
