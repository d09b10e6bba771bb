/** The screens of the help in their order. */
export const screenNames = ['start', 'run', 'options', 'graph', 'changes', 'execution'] as const;

export type ScreenName = (typeof screenNames)[number];

/** Where a screen stands on its page; the group holds the screen itself. */
export function screenPlace(name: ScreenName): RegExp {
  const text = '(?:(?!<!-- screen)[^])*?';
  return new RegExp(`(<!-- screen: ${name} -->\n${text}\`\`\`text\n)(${text})(\n\`\`\`)`);
}

/** The page with these screens in their places. Throws where a place is missing. */
export function withScreens(page: string, screens: Readonly<Record<ScreenName, string>>): string {
  return screenNames.reduce((text, name) => {
    const place = screenPlace(name);
    if (!place.test(text)) throw new Error(`screens.md has no place for the screen "${name}"`);
    return text.replace(place, (_, head: string, __, tail: string) => head + screens[name] + tail);
  }, page);
}

/** What differs from run to run always the same, in the width that it had; few empty lines. */
export function steady(screen: string): string {
  return screen
    .replaceAll(/(MCP-[a-z0-9-]+)-\d{4}-\d\d-\d\d-[a-z0-9]{4}/g, '$1-2026-01-01-k3f9')
    .replaceAll(/\b\d+(?:\.\d)? s\b/g, (time) => '3 s'.padStart(time.length))
    .replaceAll(/ \b[0-9a-f]{12}\b/g, ' 8a1f388c9b53')
    .replaceAll(/[^\S\n]+$/gm, '')
    .replaceAll(/\n{4,}/g, '\n\n\n');
}
