import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build, mergeConfig } from 'vite'
import { copyProgramFiles } from '../../apps/gemini-dash/build/copy-program-files.ts'
import { programBuild } from '../../apps/gemini-dash/build/program-build.ts'
import { applyMutation } from '../../scripts/mutations/apply-mutation.ts'
import { findPlace } from '../../scripts/mutations/find-place.mjs'
import { openFolder, readArguments } from '../kit-arguments.ts'
import plants from './plants.json' with { type: 'json' }

// npm run faults -- --plants: builds the program once for each defect of plants.json, runs the part of its kind, and expects it to find
// something.
//   --only NAME      the defects for one part; repeatable
//   --seed, --minutes   of each part
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const MINUTES = 2
const AT_ONCE = 2
/** Start of each finding. */
const FOUND = /: seed \d+, run /
const SHOWN_LENGTH = 300

type Plant = (typeof plants)[number]

const { options, ...given } = readArguments({
  plants: { type: 'boolean' },
  only: { type: 'string', multiple: true },
})
const { only } = options
const seed = given.seed ?? Date.now() % 1_000_000
const folder = openFolder('plants')
const chosen = plants.filter(({ part }) => only === undefined || only.includes(part))
const waiting = [...chosen]
let found = 0
process.stdout.write(`seed ${seed} (the same again: npm run faults -- --plants --seed ${seed})\n`)
await Promise.all(Array.from({ length: AT_ONCE }, workOff))
process.stdout.write(`\n${found} of ${chosen.length} planted defects were found\n`)
process.exit(found === chosen.length ? 0 : 1)

async function workOff(): Promise<void> {
  for (let plant = waiting.shift(); plant; plant = waiting.shift()) {
    const sentence = await sentenceOn(plant)
    if (sentence !== null) found += 1
    process.stdout.write(`${plant.part}: ${plant.plants}\n    ${sentence ?? 'NOT FOUND'}\n`)
  }
}

/** The part's first finding in a program with this defect; null if none. */
async function sentenceOn(plant: Plant): Promise<string | null> {
  const program = mkdtempSync(join(folder, 'program-'))
  const place = findPlace(plant)
  if ('problem' in place) throw new Error(place.problem)
  const plugins = [copyProgramFiles(), applyMutation({ ...plant, ...place })]
  await build(mergeConfig(programBuild(program), { configFile: false, logLevel: 'error', plugins }))
  const ofRun = ['--seed', String(seed), '--minutes', String(given.minutes ?? MINUTES), '--until-found']
  const args = [MAIN, '--only', plant.part, '--program', join(program, 'cli.js'), ...ofRun]
  const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = await text(child.stdout)
  rmSync(program, { recursive: true })
  const sentence = output.split('\n').find((line) => FOUND.test(line))
  return sentence?.slice(0, SHOWN_LENGTH) ?? null
}
