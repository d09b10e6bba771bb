import { encodeRecord, type JournalRecord } from './journal-record.ts';
import { LoggedSteps } from './logged-steps.ts';
import type { Steps } from './steps.ts';

/**
 * Steps recorded in memory, for tests and dry runs. Handing over the records of an earlier run
 * resumes it; new ones are added to them.
 */
export function memorySteps(records: JournalRecord[] = []): Steps {
  return new LoggedSteps(
    {
      session: 'memory',
      records,
      append: (record) => {
        // Refuses what a journal would refuse.
        encodeRecord(record);
        records.push(record);
        return Promise.resolve();
      },
    },
    {},
  );
}
