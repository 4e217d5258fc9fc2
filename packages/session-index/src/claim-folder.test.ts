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
import { machineTime } from '../../../fixtures/machine-time.ts'
import { claimFolder, type FolderClaim } from './folder.ts'
import { STALE_AFTER_MS } from './owner-file.ts'
import { ownIdentity } from './process-identity.ts'

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

/** An owner file left by another process. */
function leaveOwner(owner: { pid: number; host?: string; began?: string }, ageMs = 0): void {
  const place = owner.began === undefined ? {} : { place: ownIdentity().place }
  writeFileSync(ownerPath(), JSON.stringify({ id: 'another', host: hostname(), ...place, ...owner }))
  setAge(ageMs)
}

const ownerPath = () => join(folder, 'owner.json')

function setAge(ageMs: number): void {
  const time = new Date(machineTime().getTime() - ageMs)
  utimesSync(ownerPath(), time, time)
}

/** The pid of a process that has ended. */
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
    expect(claim()).toEqual({ kind: 'taken', pid: process.ppid })
    leaveOwner({ pid: deadPid(), host: 'another-machine' })
    expect(claim().kind).toBe('taken')
  })

  it('takes over an owner of its own process number that it never made, as after a restart of a container', () => {
    leaveOwner({ pid: process.pid })
    expect(claim().kind).toBe('owned')
  })

  it('takes over from a process whose number another one has by now', () => {
    leaveOwner({ pid: process.ppid, began: 'earlier' })
    expect(claim().kind).toBe('owned')
  })

  it('knows this process again, in whatever thread it claimed', () => {
    leaveOwner(ownIdentity())
    expect(claim()).toEqual({ kind: 'taken', pid: process.pid })
  })

  it('passes over an owner file that is empty or torn, as a full disk leaves it', () => {
    for (const text of ['', '{"id":', 'null']) {
      writeFileSync(ownerPath(), text)
      const made = claim()
      expect(made.kind).toBe('owned')
      expect(readdirSync(folder)).toEqual(['owner.json'])
      if (made.kind === 'owned') made.release()
    }
  })

  it('passes over a heartbeat of the future', () => {
    leaveOwner({ pid: process.ppid }, -STALE_AFTER_MS - 60_000)
    expect(claim().kind).toBe('owned')
  })

  it('does not remove the owner file of another on release', () => {
    const mine = claim()
    leaveOwner({ pid: process.ppid })
    if (mine.kind === 'owned') mine.release()
    expect(existsSync(join(folder, 'owner.json'))).toBe(true)
  })
})
