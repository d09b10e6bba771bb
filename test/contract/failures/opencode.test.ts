// Tests how opencode fails; a file for each CLI, so that they fail side by side.
import { testFailures } from './failures.ts';

testFailures('opencode');
