import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimFolder, type FolderClaim, STALE_AFTER_MS } from './folder.ts'

let folder: string
const claims: FolderClaim[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'claim-'))
})
afterEach(() => {
  for (const claim of claims.splice(0)) if (claim.kind === 'owned') claim.release()
  rmSync(folder, { recursive: true, force: true })
})

function claim(): FolderClaim {
  const made = claimFolder(folder, () => {})
  claims.push(made)
  return made
}

/** An owner file as another process left it. */
function leaveOwner(owner: { pid: number; host?: string }, ageMs = 0): void {
  const path = join(folder, 'owner.json')
  writeFileSync(path, JSON.stringify({ id: 'another', host: hostname(), ...owner }))
  const time = new Date(Date.now() - ageMs)
  utimesSync(path, time, time)
}

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--version']).pid

describe('claimFolder', () => {
  it('lets one have the folder until it is released', () => {
    const first = claim()
    expect(first.kind).toBe('owned')
    expect(claim().kind).toBe('taken')
    if (first.kind === 'owned') first.release()
    expect(readdirSync(folder)).toEqual([])
    expect(claim().kind).toBe('owned')
  })

  it('takes over from a process that is gone', () => {
    leaveOwner({ pid: deadPid() })
    expect(claim().kind).toBe('owned')
    expect(readdirSync(folder)).toEqual(['owner.json'])
    expect(JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  })

  it('takes over when the heartbeat is old, whoever has that process number now', () => {
    leaveOwner({ pid: process.ppid }, STALE_AFTER_MS + 1_000)
    expect(claim().kind).toBe('owned')
  })

  it('leaves the folder to a living process, here or on another machine', () => {
    leaveOwner({ pid: process.ppid })
    expect(claim().kind).toBe('taken')
    leaveOwner({ pid: deadPid(), host: 'another-machine' })
    expect(claim().kind).toBe('taken')
  })

  it('takes over an owner of its own process number that it never made, as after a restart of a container', () => {
    leaveOwner({ pid: process.pid })
    expect(claim().kind).toBe('owned')
  })

  it('waits for an owner file that is just being written, and replaces one that stayed damaged', () => {
    const path = join(folder, 'owner.json')
    writeFileSync(path, '')
    expect(claim().kind).toBe('taken')
    utimesSync(path, 0, 0)
    expect(claim().kind).toBe('owned')
  })

  it('does not remove the owner file of another on release', () => {
    const mine = claim()
    leaveOwner({ pid: process.ppid })
    if (mine.kind === 'owned') mine.release()
    expect(existsSync(join(folder, 'owner.json'))).toBe(true)
  })
})
