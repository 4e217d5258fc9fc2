import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps/workspace.mjs'

/** A declaration at the top of a file, and the text up to the next one. */
const DECLARATION =
  /^(?:export )?(?:async )?(?:function\*?|class|abstract class|const|let|interface|type) (\w+)/gm

/** By name, where it is declared. @type {Map<string, { file: string, text: string }[]> | undefined} */
let places

/**
 * The file with the code that a mutation changes, wherever it was moved to.
 *
 * @param {{ symbol: string, search: string }} change `symbol`: a function, class or value that is declared at the top of a file and
 *   contains `search`
 * @returns {{ file: string } | { problem: string }}
 */
export function findPlace({ symbol, search }) {
  places ??= readPlaces()
  const declared = places.get(symbol) ?? []
  const counts = declared.map(({ file, text }) => ({ file, count: text.split(search).length - 1 }))
  const found = counts.filter(({ count }) => count > 0)
  const [place] = found
  if (place !== undefined && found.length === 1 && place.count === 1) return { file: place.file }
  const times = found.reduce((sum, { count }) => sum + count, 0)
  return {
    problem:
      declared.length === 0
        ? `Nothing is named ${symbol}.`
        : `"${search}" is ${times} times in ${symbol}, not once.`,
  }
}

function readPlaces() {
  const found = new Map()
  for (const top of ['apps', 'packages'])
    for (const name of readdirSync(join(root, top))) {
      const sources = `${top}/${name}/src`
      for (const path of sourcesIn(sources)) {
        const file = `${sources}/${path}`
        const text = readFileSync(join(root, file), 'utf8')
        const starts = [...text.matchAll(DECLARATION)]
        for (const [index, start] of starts.entries()) {
          const known = found.get(start[1]) ?? []
          known.push({ file, text: text.slice(start.index, starts[index + 1]?.index) })
          found.set(start[1], known)
        }
      }
    }
  return found
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
}
