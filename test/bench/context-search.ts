import { searchEarly } from '../context/local/search.ts';

// One search: `node context-search.ts ROOT INDEX` prints its milliseconds, with the opening of the
// repository, how many contents it read, and the most memory that the process had.
const [root = '', folder = ''] = process.argv.slice(2);
const started = performance.now();
const task = 'Round the totals of an invoice before the tax is added';
const { report } = await searchEarly(folder, { root, task });
const ms = performance.now() - started;
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ms, read: report.filesRead, megabytes }));
