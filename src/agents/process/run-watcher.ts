// Runs as a separate program for each run: ends what the run left when the process behind it is gone.
import { endMarked } from './process-tree.ts';

const [mark = '', graceMs = '0'] = process.argv.slice(2);
// That process holds the other end of this pipe, and the kernel closes it however the process ends.
process.stdin.resume();
process.stdin.once('close', () => void endMarked(mark, Number(graceMs)));
