import { visibleControls } from './visible-controls.ts'

/** A JSON value whose texts and names write invisible characters out, as `[U+202E]`. */
export function showControls(value: unknown): unknown {
  if (typeof value === 'string') return writeOut(value)
  if (Array.isArray(value)) return value.map(showControls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [writeOut(name), showControls(item)]))
}

function writeOut(text: string): string {
  return visibleControls(text)
    .map((run) => (run.control === null ? run.text : `[${run.control}]`))
    .join('')
}
