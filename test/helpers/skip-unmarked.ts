// Skips the tests without a mark of a battery of which only the short form is to run.
import { beforeEach } from 'vitest';
import { short } from './short-form.ts';

beforeEach(({ task, skip }) => {
  const battery = task.file.filepath.includes('/test/machines/') ? 'MACHINES' : 'E2E';
  const isShort = process.env[`CONCLAVE_${battery}`] === 'short';
  skip(isShort && task.tags?.includes(short.tags) !== true);
});
