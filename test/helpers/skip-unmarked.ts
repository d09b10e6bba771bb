// Skips the end-to-end tests without a mark where only the short form is to run.
import { beforeEach } from 'vitest';
import { short } from './short-form.ts';

if (process.env['CONCLAVE_E2E'] === 'short') {
  beforeEach(({ task, skip }) => skip(task.tags?.includes(short.tags) !== true));
}
