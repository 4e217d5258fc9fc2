/** Enough of each value to recognize it. */
const SHOWN_LENGTH = 120

/** Compares two answers field by field: a line with the path of each difference. */
export function findDifferences(seen: unknown, expected: unknown): string[] {
  const differences: string[] = []
  const look = (a: unknown, b: unknown, path: string): void => {
    if (Object.is(a, b)) return
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
      differences.push(`${path}: ${show(a)}, a fresh start says ${show(b)}`)
      return
    }
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      look(a[name], b[name], `${path}.${name}`)
    }
  }
  look(seen, expected, '')
  return differences
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text
}
