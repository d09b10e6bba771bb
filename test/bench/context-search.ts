import { searchProvider } from '../../src/context/search/provider.ts';
import { openRepository } from '../../src/git/open-repository.ts';

// One search: `node context-search.ts ROOT` prints its milliseconds, with the opening of the
// repository, how many files it had no time for, and the most memory that the process had.
const [root = ''] = process.argv.slice(2);
const started = performance.now();
const task = 'Round the totals of an invoice before the tax is added';
const { signal } = new AbortController();
const opening = { root, base: null, snapshots: null, signal };
let unread = 0;
const provider = searchProvider(await openRepository(opening), {
  onReport: (report) => void (unread = report.unread),
});
await provider.search({ root, task, keywords: [] }, { maxFiles: 12, timeoutMs: 60_000, signal });
const ms = performance.now() - started;
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ms, unread, megabytes }));
