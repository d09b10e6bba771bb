import { searchIn } from '../context/local/search.ts';
import { openRepository } from '../../src/context/open-repository.ts';

// Searches once: `node context-cache-search.ts ROOT INDEX TASK` prints what was found as JSON.
const [root = '', folder = '', task = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const repository = await openRepository({ root, base: null, snapshots: null, signal });
const { files, report } = await searchIn(folder, { repository, task });
process.stdout.write(JSON.stringify({ files, report }));
