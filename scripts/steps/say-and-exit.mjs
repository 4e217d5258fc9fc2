/**
 * Exits with the message of an error, without its stack.
 *
 * @param {unknown} error
 * @returns {never}
 */
export function sayAndExit(error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
