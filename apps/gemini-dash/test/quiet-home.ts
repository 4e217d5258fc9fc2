import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { type Finished, runProgram } from './run-program.ts'

/** A Gemini home in a folder of its own, and commands that query it. */
export class QuietHome {
  root = ''
  home = ''
  /** The former folder of a moved project, which is gone, and its current one. */
  before = ''
  now = ''

  begin(): void {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'quiet-home-')))
    this.home = join(this.root, '.gemini')
    this.before = join(this.root, 'old', 'shop')
    this.now = join(this.root, 'new', 'shop')
  }

  /** Written an hour ago. */
  readonly write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(this.home, path)), { recursive: true })
    writeFileSync(join(this.home, path), text)
    const hourAgo = machineTime().getTime() / 1000 - 3600
    utimesSync(join(this.home, path), hourAgo, hourAgo)
  }

  readonly run = (...args: string[]): Promise<Finished> => {
    const own = ['--data-dir', join(this.root, 'data'), '--cache-dir', join(this.root, 'cache')]
    return runProgram([...args, '--home', this.home, ...own])
  }

  readonly json = async (...args: string[]) => JSON.parse((await this.run(...args, '--json')).stdout)

  /** All files, by relative path. */
  readonly inHome = (): string[] =>
    readdirSync(this.home, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.home.length + 1))
      .sort()
}

/** A new one for each test of the file. */
export function useQuietHome(): QuietHome {
  const quiet = new QuietHome()
  beforeEach(() => quiet.begin())
  afterEach(() => rmSync(quiet.root, { recursive: true, force: true }))
  return quiet
}

/** A home with a moved project: the CLI has a folder for both places. */
export function useMovedProject(): QuietHome {
  const quiet = useQuietHome()
  beforeEach(() => {
    mkdirSync(join(quiet.now, 'src'), { recursive: true })
    writeFileSync(join(quiet.now, 'src', 'price.js'), '')
    quiet.write('tmp/shop/.project_root', quiet.before)
    quiet.write('tmp/shop-1/.project_root', quiet.now)
  })
  return quiet
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
export const inLines = (...records: object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
