// Lists what models say for a word, a field, a number or a command.
import { isObject } from '../../model/json.ts';

/** Other words of models for a word of a required enum, by that word in small letters. */
const synonyms: Readonly<Record<string, string>> = {
  low: 'lo l minor minimal small tiny trivial easy simple negligible very_low hour hours minutes 低 较低 很低 小 低い',
  medium: 'med mid m moderate average normal day days 中 中等 一般 中程度',
  high: 'hi h hard large big major significant complex severe very_high week weeks month months 高 较高 很高 大 高い',
  support:
    'supports agree agrees approve approved accept endorse favour favor for yes 支持 赞成 赞同 同意 賛成',
  oppose:
    'opposes disagree disagrees reject rejected object against no do_not_support cannot_support 反对 不支持 不同意 反対',
  unsure:
    'neutral abstain undecided mixed partial uncertain maybe conditional unknown 不确定 中立 保留',
  modify:
    'update updated edit edited change changed modified extend refactor fix existing replace rewrite rename renamed move moved test tests 修改 更新 変更',
  create: 'add added new created write introduce 新建 创建 新增 添加 作成 追加',
  delete: 'remove removed deleted drop 删除 移除 削除',
};

/** Other names of models for a field. What another field of the same object says may stand in. */
const aliases: Readonly<Record<string, string>> = {
  name: 'title label heading task summary description approach',
  title: 'name label heading task summary description',
  summary: 'description overview abstract approach name',
  approach: 'strategy method how description summary',
  description: 'details detail text what body summary name title',
  path: 'file filename filepath location source_file',
  file: 'path filename filepath location name',
  action: 'change_type operation kind type change',
  line: 'line_number lineno line_no lines start_line line_start',
  statement: 'claim text fact description assertion quote',
  quote: 'snippet code excerpt evidence text line_text',
  depends_on: 'dependencies requires needs after blocked_by depends prerequisites',
  key_point: 'note notes detail details description',
  claims: 'evidence facts references',
  evidence: 'claims facts references',
  solutions: 'proposals options alternatives solution candidates',
  solution: 'label option id letter name',
  stances: 'examinations evaluations assessments reviews votes verdicts',
  stance: 'verdict position vote opinion decision',
  reasons: 'reason rationale why arguments comments objections',
  technical_concerns: 'concerns edge_cases',
  tasks: 'steps task_list items',
  implementation_plan: 'plan implementation',
  execution_flow: 'flow order sequence',
  feasibility: 'confidence feasibility_score probability',
  effort: 'complexity size estimate',
  questions: 'open_questions clarifications',
  criteria: 'acceptance_criteria done_when conditions',
  convergence: 'acceptance_criteria criteria definition_of_done',
  preferred: 'preference choice favourite favorite best winner recommended',
  recommended: 'recommendation recommended_solution preferred best choice',
  rationale: 'reason why because decision',
  argv: 'command cmd args run commands',
  describes: 'description text criterion what title command name',
};

/** The values that stand for required fields where they are missing. */
export const defaults: Readonly<Record<string, unknown>> = {
  feasibility: 0.5,
  effort: 'medium',
  risk: 'medium',
  probability: 'medium',
  impact: 'medium',
  mitigation: 'none named',
  action: 'modify',
  line: 1,
  quote: '',
  dependencies: { internal: [], external: [] },
  execution_flow: '',
  exists: true,
};

/** Lower case, with one `_` for whatever parts words: `keyPoint` and `Key-point` are one. */
export function fold(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+-]+|(?<=[a-z])-(?=[a-z])/gu, '_')
    .replace(/^_+|_+$/g, '');
}

/** The field names that may mean a field, the likeliest first. */
export function aliasesOf(name: string): readonly string[] {
  return aliases[name]?.split(' ') ?? [];
}

/**
 * The word of an enum that a text means, or null. A remark after it does not count ("low (1 day)");
 * of a range the later word counts; a reservation makes a stance unsure.
 */
export function wordFor(text: string, words: readonly string[]): string | null {
  const head = text.slice(0, 200).replace(/[(:;.–—（：；。].*$/s, '');
  const unsure = words.includes('unsure') ? 'unsure' : null;
  const exact = meant(fold(text), words);
  if (exact !== null) return exact;
  if (unsure !== null && reservation.test(head)) return unsure;
  const short = meant(fold(head.replace(/[,，、].*$/s, '')), words);
  if (short !== null) return short;
  if (negation.test(head)) return unsure;
  const parts = head.split(/[^\w+-]+|-(?=[a-z])|_/i);
  return parts.map((part) => meant(fold(part), words)).findLast((word) => word !== null) ?? null;
}

const reservation =
  /\b(?:but|if|unless|except|only|with|partial\w*|condition\w*|weak\w*|lean\w*|reserv\w*)\b|但|如果|除非|只要/i;
const negation = /\b(?:not|no|never|cannot|neither|nor)\b|n['’]t\b/i;

function meant(text: string, words: readonly string[]): string | null {
  if (text === '') return null;
  return (
    words.find((word) => fold(word) === text) ??
    words.find((word) => synonyms[fold(word)]?.split(' ').includes(text)) ??
    null
  );
}

const nothing =
  /^(?:none(?: of (?:them|these))?|neither|null|nil|n\/?a|no|nothing|nobody|无|-+|)\.?$/i;

/** Tells if a value means that there is nothing. */
export function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return nothing.test(value.trim());
  if (value === null || value === undefined || value === false) return true;
  return isObject(value)
    ? Object.values(value).every(isNothing)
    : Array.isArray(value) && value.length === 0;
}

/** A text as the program and arguments of a command; null where it is none, or one for a shell. */
export function argvIn(text: string): readonly string[] | null {
  const line = text.trim().replace(/^(?:\$\s+|`+|run:?\s+)|`+$/gi, '');
  if (!runner.test(line) || /[|&;<>$`\n]/.test(line)) return null;
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/s, '$2'));
}

const runner =
  /^(?:\.{0,2}\/?[\w./-]*\/)?(?:npm|npx|pnpm|yarn|bun|node|deno|tsc|vitest|jest|mocha|eslint|prettier|python3?|pytest|tox|uv|poetry|ruff|mypy|go|cargo|make|just|mvn|gradle|gradlew|dotnet|ruby|bundle|rspec|rake|php|composer|git|grep|rg|test|ls|cmake|ctest|bazel|swift|mix|curl)(?:\s+\S.*)?$/;

/** The first number of a text, a percentage or fraction as a share; null where there is none. */
export function numberIn(text: string): number | null {
  const [, number, mark, of] =
    /(?<![\d.])(-?\d{1,15}(?:[.,]\d{1,15})?)\s*(%|percent)?(?:\s*(?:\/|out of)\s*(\d+))?/i.exec(
      text,
    ) ?? [];
  if (number === undefined) return null;
  const value = Number(number.replace(',', '.'));
  if (mark !== undefined) return value / 100;
  return of === undefined || Number(of) === 0 ? value : value / Number(of);
}
