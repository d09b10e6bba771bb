/** How the tool of a known kind of server is called; the user only names the program. */
export interface McpTool {
  readonly tool: string;
  /** Values may hold {query}, {task}, {root} and {limit}. */
  readonly arguments: Readonly<Record<string, McpArgument>>;
  /** Each is asked by itself. They may hold {task}, {keywords} and {keyword}, the best one. */
  readonly queries: readonly string[];
  /** Variables with the user’s access to the service, passed on from our own environment. */
  readonly variables: readonly string[];
}

export type McpArgument = string | number | boolean | readonly string[];

/** One query with the task as it is, for a server that has no better ones. */
export const plainQueries: readonly string[] = ['{task}'];

/** Architecture, existing implementations, code patterns, integration points. */
const fourQueries = [
  'Project architecture related to {keywords}',
  'Existing implementations of {keyword}',
  'Code patterns for {keywords} features',
  'Integration points for {keyword}',
];

export const presets: Readonly<Record<'ace' | 'augment' | 'claude-context', McpTool>> = {
  ace: {
    tool: 'search_context',
    arguments: { project_root_path: '{root}', query: '{query}' },
    queries: fourQueries,
    variables: ['ACE_*', 'ACEMCP_*'],
  },
  // Older servers know no directory_path: an argument that the tool does not list is left out.
  augment: {
    tool: 'codebase-retrieval',
    arguments: { information_request: '{query}', directory_path: '{root}' },
    queries: plainQueries,
    variables: ['AUGMENT_*'],
  },
  'claude-context': {
    tool: 'search_code',
    arguments: { path: '{root}', query: '{query}', limit: '{limit}' },
    queries: plainQueries,
    variables: ['EMBEDDING_*', 'MILVUS_*', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OLLAMA_*'],
  },
};

/** In one pass, so that a task that holds a placeholder itself is passed on as it is. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? place) : place,
  );
}
