/** A code block whose fence is longer than any in the code. */
export function fence(code: string, language = ''): string {
  let longest = 2
  for (const [ticks] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${code}${code.endsWith('\n') ? '' : '\n'}${ticks}`
}
