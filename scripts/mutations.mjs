import { parseArgs } from 'node:util'
import { pickAtRandom } from './mutations/pick-at-random.mjs'
import { readMutations } from './mutations/read-mutations.mjs'
import { runMutations } from './mutations/run-mutations.mjs'
import { runNamedTests } from './mutations/run-named-tests.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'

// npm run mutations: removes the code of each rule and expects the rule's test to fail.
//   --sample 10     only this many, picked at random
//   --seed 4711     repeats the same selection
//   --item 23       only those of one item of fixtures/README.md; repeatable
//   --range 41-80   only these positions of the list, to run it in pieces
//   --page          mutations of the page's logic instead, each detected by a component test
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    item: { type: 'string', multiple: true },
    range: { type: 'string' },
    page: { type: 'boolean', default: false },
  },
})

try {
  const all = readMutations(values.page ? 'page-mutations.json' : 'mutations.json')
  const chosen = choose(all)
  // A sample also checks the tests of the whole list: a renamed test would never be noticed otherwise.
  const named = values.sample ? all : chosen
  const notGreen = await runNamedTests(named.map(({ test }) => test))
  const survivors = notGreen.length > 0 ? [] : await runMutations(chosen)
  for (const sentence of [...notGreen, ...survivors]) process.stdout.write(`  ${sentence}\n`)
  const seen = notGreen.length > 0 ? 0 : chosen.length - survivors.length
  process.stdout.write(`${seen} of ${chosen.length} rules: without its code, the test is red\n`)
  process.exitCode = notGreen.length + survivors.length > 0 ? 1 : 0
} catch (error) {
  sayAndExit(error)
}

function choose(all) {
  const { sample, item, range } = values
  if (range) return all.slice(...placesOf(range, all.length))
  if (item) return all.filter((mutation) => item.includes(mutation.item))
  if (!sample) return all
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  process.stdout.write(
    `${sample} mutations of seed ${seed} (again: npm run mutations -- --sample ${sample} --seed ${seed})\n`,
  )
  return pickAtRandom(all, Number(sample), seed)
}

function placesOf(range, count) {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(range) ?? []
  if (first === undefined || Number(first) < 1 || Number(first) > Math.min(Number(last), count))
    throw new Error(`--range wants two places of the ${count}, such as 1-40, and "${range}" is not that.`)
  return [Number(first) - 1, Number(last)]
}
