/** `line 35`, `line 1, message 3`, `message 3`; the file itself where it is one record. */
export function recordPlace({
  line,
  index,
}: {
  line?: number | null | undefined
  index?: number | null | undefined
}): string {
  const parts = [line == null ? [] : `line ${line}`, index == null ? [] : `message ${index + 1}`]
  return parts.flat().join(', ') || 'record'
}

export function fileName(path: string): string {
  return path.split('/').at(-1) ?? path
}
