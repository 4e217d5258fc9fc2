import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/workspace.mjs'

/**
 * A rule of fixtures/README.md, or of another part of the program, and how to remove its code.
 *
 * @typedef {object} Mutation
 * @property {string} item Number in the table; a word for rules outside the format, such as `search`.
 * @property {string} file The file that contains the rule.
 * @property {string} search Text that occurs in it exactly once.
 * @property {string} replace Its replacement.
 * @property {{ file: string, name: string }} test The test that must fail; `name` is the end of its full name.
 */

/**
 * Reads a list. Throws a sentence for each mutation whose place is not found.
 *
 * @param {'mutations.json' | 'page-mutations.json'} list
 * @returns {Mutation[]}
 */
export function readMutations(list) {
  const mutations = JSON.parse(readFileSync(join(root, 'scripts', 'mutations', list), 'utf8'))
  const lost = mutations.flatMap(({ item, file, search, test }) => {
    if (!existsSync(join(root, test.file))) return [`Item ${item}: there is no ${test.file}.`]
    if (!existsSync(join(root, file))) return [`Item ${item}: there is no ${file}.`]
    const count = readFileSync(join(root, file), 'utf8').split(search).length - 1
    return count === 1 ? [] : [`Item ${item}: "${search}" stands ${count} times in ${file}, not once.`]
  })
  if (lost.length === 0) return mutations
  throw new Error(`Put scripts/mutations/${list} right:\n  ${lost.join('\n  ')}`)
}
