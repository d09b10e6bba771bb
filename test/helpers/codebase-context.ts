import type { CodebaseContext } from '../../src/model/context.ts';

/** What phase 1 gives where it found nothing; the parts given replace the usual ones. */
export function codebaseContext(parts: Partial<CodebaseContext> = {}): CodebaseContext {
  return {
    session_id: 'MCP-test',
    task_description: 'T',
    keywords: [],
    relevant_files: [],
    detected_patterns: [],
    architecture_insights: [],
    project_facts: [],
    build_facts: [],
    provider: 'search',
    degraded: false,
    falls: [],
    notes: [],
    duration_ms: 0,
    base: { commit: null, dirty: {} },
    ...parts,
  };
}
