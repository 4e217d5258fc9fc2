import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openNeighbour } from './neighbours.ts'

let root: string
let folder: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'neighbour-'))
  folder = join(root, 'tmp/webshop')
  mkdirSync(join(folder, 'images'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'not yours')
  writeFileSync(join(folder, 'images/a.png'), 'picture')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function isOpened(place: string): boolean {
  const opened = openNeighbour({ folder, place })
  if (opened !== null) closeSync(opened.descriptor)
  return opened !== null
}

describe('opening a file beside a session', () => {
  it('opens a regular file and tells its size', () => {
    const opened = openNeighbour({ folder, place: 'images/a.png' })
    expect(opened?.sizeBytes).toBe(7)
    if (opened !== null) closeSync(opened.descriptor)
  })

  it('opens nothing outside the project’s own folder', () => {
    writeFileSync(join(root, 'tmp/other.txt'), 'of another project')
    expect(isOpened('../../secret.txt')).toBe(false)
    expect(isOpened('images/../../other.txt')).toBe(false)
  })

  it('opens no link, wherever it leads, and nothing in a folder that leads out', () => {
    symlinkSync(join(root, 'secret.txt'), join(folder, 'images/out.png'))
    symlinkSync(join(folder, 'images/a.png'), join(folder, 'images/in.png'))
    symlinkSync(root, join(folder, 'plans'))
    expect(isOpened('images/out.png')).toBe(false)
    expect(isOpened('images/in.png')).toBe(false)
    expect(isOpened('plans/secret.txt')).toBe(false)
  })

  it('opens no folder and no pipe, and does not wait for the other end of one', () => {
    execFileSync('mkfifo', [join(folder, 'images/pipe.png')])
    expect(isOpened('images')).toBe(false)
    expect(isOpened('images/pipe.png')).toBe(false)
  })

  it('opens nothing if the project’s folder itself was moved away and a link put in its place', () => {
    const elsewhere = join(root, 'elsewhere')
    mkdirSync(join(elsewhere, 'images'), { recursive: true })
    symlinkSync(join(root, 'secret.txt'), join(elsewhere, 'images/b.png'))
    renameSync(folder, `${folder}-old`)
    symlinkSync(elsewhere, folder)
    expect(isOpened('images/b.png')).toBe(false)
  })

  it('is nothing where there is no such file', () => {
    expect(isOpened('images/none.png')).toBe(false)
  })
})
