/** The trimmed texts of a form that are others than before, by the names of their fields. */
export function changedTexts(data: FormData, before: Record<string, string>): Record<string, string> {
  const texts = [...data].map(([name, text]) => [name, String(text).trim()] as const)
  return Object.fromEntries(texts.filter(([name, text]) => text !== (before[name] ?? '').trim()))
}
