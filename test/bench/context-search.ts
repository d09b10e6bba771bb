import { searchIn } from '../context/local/search.ts';
import { openRepository } from '../../src/context/open-repository.ts';

// One search: `node context-search.ts ROOT INDEX` prints its milliseconds, with the opening of the
// repository, how many contents it read, and the most memory that the process had.
const [root = '', folder = ''] = process.argv.slice(2);
const started = performance.now();
const { signal } = new AbortController();
const repository = await openRepository({ root, base: null, snapshots: null, signal });
const task = 'Round the totals of an invoice before the tax is added';
const { report } = await searchIn(folder, { repository, task });
const ms = performance.now() - started;
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ms, read: report.filesRead, megabytes }));
