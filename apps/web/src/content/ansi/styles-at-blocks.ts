const COLOUR = new RegExp(`${'\u001b'}\\[[\\d;:]*m`, 'g')
const RESET = new RegExp(`^${'\u001b'}\\[0*m$`)
/** More colours than these at once are none that a reader could tell. */
const MAX_OPEN = 200

/** The colour sequences that are in force at the start of each block of lines, so that each can be read by itself. */
export function stylesAtBlocks(lines: readonly string[], blockLines: number): string[] {
  const styles: string[] = []
  // of sequences that repeat only the last one counts
  const open = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (index % blockLines === 0) styles.push([...open].slice(-MAX_OPEN).join(''))
    for (const [sequence] of line.matchAll(COLOUR)) {
      open.delete(sequence)
      if (RESET.test(sequence)) open.clear()
      else open.add(sequence)
    }
  }
  return styles
}
