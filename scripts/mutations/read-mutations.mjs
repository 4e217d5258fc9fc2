import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/workspace.mjs'
import { findPlace } from './find-place.mjs'

/**
 * A rule of fixtures/README.md, or of another part of the program, and how to remove its code.
 *
 * @typedef {object} Mutation
 * @property {string} item Number in the table; a word for rules outside the format, such as `search`.
 * @property {string} symbol The function, class or value that contains the rule.
 * @property {string} search Text that occurs in it exactly once.
 * @property {string} file Where the symbol is declared; not in the list, so that code can be moved.
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
  const found = mutations.map((mutation) => ({ ...mutation, ...findPlace(mutation) }))
  const lost = found.flatMap(({ item, problem, test }) => {
    if (!existsSync(join(root, test.file))) return [`Item ${item}: there is no ${test.file}.`]
    return problem === undefined ? [] : [`Item ${item}: ${problem}`]
  })
  if (lost.length === 0) return found
  throw new Error(`Put scripts/mutations/${list} right:\n  ${lost.join('\n  ')}`)
}
