import type { Doctor } from '@gemini-dash/api'

/** Names as programs choose them, alone or in a list; anything else may be somebody's text. */
const CHOSEN_BY_A_PROGRAM = /^[$\w.,()-]{1,64}$/

/**
 * What to file with the bug report: names of fields and how often they stand where. No text, no path, no title, and no
 * file name but its form.
 */
export function driftReport(drift: Doctor['drift'], version: string): string {
  const rows = drift.map(({ where, name, count, sessions, example }) => {
    const shown = CHOSEN_BY_A_PROGRAM.test(name) ? `\`${name}\`` : '(not shown: no plain name)'
    return `| ${where} | ${shown} | ${count} | ${sessions} | ${fileForm(example)} |`
  })
  return [
    `Names that gemini-dash ${version} does not know in Gemini CLI session files:`,
    '',
    '| where | name | count | sessions | kind of file |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function fileForm(example: string): string {
  if (/\/checkpoint[^/]*\.json/.test(example)) return 'checkpoint-*.json'
  const ending = /\.jsonl\b/.test(example) ? 'jsonl' : 'json'
  return /\/session-[^/]*$/.test(example) ? `session-*.${ending}` : `*.${ending}`
}
