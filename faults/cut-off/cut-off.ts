import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ended, Scene, Stage } from './scenes.ts'

/** Output of a second run that finds everything done. */
const NOTHING_LEFT = /^Nothing to recover|^There is no session|^No project matches/m
const SHIM = fileURLToPath(new URL('../shims/killed-at-step.cjs', import.meta.url))

/** Kills a command at one step of its changes, starting from the same state each time. */
export class CutOff {
  readonly #program: string
  readonly #scene: Scene
  readonly stage: Stage
  readonly #count: string
  readonly #env: Record<string, string>

  /** `folder` is created for all output; `env` is the environment of every program. */
  constructor(program: string, scene: Scene, folder: string, env: Record<string, string>) {
    this.#program = program
    this.#scene = scene
    this.#env = env
    this.#count = join(folder, 'steps')
    const root = join(folder, 'stage')
    const [home, data, cache] = ['.gemini', 'data', 'cache'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    this.stage = { root, home, data, cache, run: (args) => this.#run(args) }
  }

  /** Must be called first. */
  async prepare(): Promise<void> {
    mkdirSync(this.stage.root, { recursive: true })
    await this.#scene.prepare(this.stage)
    this.#copy(this.stage.root, `${this.stage.root}-first`)
  }

  /**
   * Problems after the command was killed at this step and run again; null: it ended before that step. `below`: prefixes of the paths whose
   * changes are counted.
   */
  async killAt(step: number, below = this.#changed()): Promise<string[] | null> {
    const { root } = this.stage
    rmSync(root, { recursive: true })
    this.#copy(`${root}-first`, root)
    rmSync(this.#count, { force: true })
    const args = this.#scene.args(this.stage)
    const shim = {
      NODE_OPTIONS: `--require ${SHIM}`,
      KILL_AT: String(step),
      KILL_BELOW: below,
      KILL_COUNT: this.#count,
    }
    const first = await this.#run(args, shim)
    if (first.signal !== 'SIGKILL') return null
    const second = await this.#run(args)
    const wrong = await this.#scene.findWrong(this.stage, second)
    const told = `${second.code}: ${second.stderr || second.stdout}`.slice(0, 300)
    const isContent = second.code === 0 || NOTHING_LEFT.test(second.stderr)
    return wrong.length === 0 && isContent ? [] : [...wrong, `it ended with ${told}`]
  }

  #changed(): string {
    return this.#scene.changes.map((name) => this.stage[name]).join(':')
  }

  #copy(from: string, to: string): void {
    if (existsSync(from)) cpSync(from, to, { recursive: true, preserveTimestamps: true })
  }

  async #run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
    const { home, data, cache } = this.stage
    const places = ['--home', home, '--data-dir', data, '--cache-dir', cache]
    const child = spawn(process.execPath, [this.#program, ...args, ...places], {
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (piece) => {
      stdout += piece
    })
    child.stderr.on('data', (piece) => {
      stderr += piece
    })
    const [code, signal] = await once(child, 'close')
    return { code, signal, stdout, stderr }
  }
}
