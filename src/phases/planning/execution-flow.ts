/** Ids that may run at once, then those that come after them, and so on. */
export type FlowStages = readonly (readonly string[])[];

/**
 * Reads texts such as "T1 → T2 → T3", "T1 -> (T2, T3) -> T4" or "T1, T2 then T3; T4 → T5".
 * One entry for each chain. What is not understood beyond doubt gives no chain: conditions,
 * arrows inside brackets, an id that is not known or stands twice in one chain.
 */
export function flowChains(text: string, known: ReadonlySet<string>): readonly FlowStages[] {
  const byFolded = new Map([...known].map((id) => [id.toLowerCase(), id]));
  return text
    .split(/[;\n]|\.(?=\s|$)/u)
    .map((chain) => stagesOf(chain, byFolded))
    .filter((stages) => stages !== null);
}

const arrow =
  /→|⇒|➔|➜|⟶|[=-]*>+|\b(?:then|next|finally|afterwards|followed by|after (?:that|which))\b/iu;
const unclear =
  /\b(?:after|before|depend\w*|unless|if|or|optional\w*|any ?time|while|until|once|except|else)\b/iu;

function stagesOf(chain: string, known: ReadonlyMap<string, string>): FlowStages | null {
  const parts = chain.split(arrow);
  if (parts.some((part) => unclear.test(part) || !balanced(part))) return null;
  const tokens = parts.map((part) => part.match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? []);
  if (tokens.flat().some((token) => !known.has(token.toLowerCase()) && looksLikeId(token))) {
    return null;
  }
  const stages = tokens
    .map((part) => part.flatMap((token) => known.get(token.toLowerCase()) ?? []))
    .filter((stage) => stage.length > 0);
  const ids = stages.flat();
  return stages.length < 2 || new Set(ids).size < ids.length ? null : stages;
}

function balanced(part: string): boolean {
  return (
    part.split('(').length === part.split(')').length &&
    part.split('[').length === part.split(']').length
  );
}

function looksLikeId(token: string): boolean {
  return /^(?:t|task|step|fix)[-_]?\d/iu.test(token);
}
