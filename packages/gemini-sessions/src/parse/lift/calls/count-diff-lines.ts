/** Added and removed lines of a unified diff. */
export function countDiffLines(fileDiff: string): { linesAdded: number; linesRemoved: number } {
  let linesAdded = 0
  let linesRemoved = 0
  // Before the first hunk stand the `---` and `+++` headers.
  let start = fileDiff.startsWith('@@') ? 0 : fileDiff.indexOf('\n@@')
  while (start !== -1) {
    const sign = fileDiff[start + 1]
    if (sign === '+') linesAdded += 1
    else if (sign === '-') linesRemoved += 1
    start = fileDiff.indexOf('\n', start + 1)
  }
  return { linesAdded, linesRemoved }
}
