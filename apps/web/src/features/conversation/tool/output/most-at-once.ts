/** Lines, or files, of one output, and letters of one of its lines: more of them at once would hold the page up. */
export const MOST_AT_ONCE = {
  text: 50_000,
  terminal: 5_000,
  diff: 20_000,
  search: 20_000,
  files: 10_000,
  letters: 4_000,
}
