import { searchEarly } from '../context/local/search.ts';

// Searches once: `node context-cache-search.ts ROOT INDEX TASK` prints what was found as JSON.
const [root = '', folder = '', task = ''] = process.argv.slice(2);
const { files, report, notes } = await searchEarly(folder, { root, task });
process.stdout.write(JSON.stringify({ files, report, notes }));
