/** `store.js:12:34`, where an error was thrown; null where that is not known. */
export function placeInCode(error: unknown): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return /([\w.-]+\.(?:js|ts):\d+:\d+)/.exec(stack)?.[1] ?? null
}
