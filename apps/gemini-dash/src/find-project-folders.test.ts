import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProjectIdentity } from 'gemini-sessions/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProjectFolders } from './folder-search.ts'

let userHome: string
beforeEach(() => {
  userHome = mkdtempSync(join(tmpdir(), 'gemini-dash-folders-'))
})
afterEach(() => rmSync(userHome, { recursive: true, force: true }))

function folder(path: string): string {
  mkdirSync(join(userHome, path), { recursive: true })
  return join(userHome, path)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const project = (key: string, hash: string, slug = hash): ProjectIdentity => ({
  key,
  name: key,
  nameSource: 'hash',
  path: null,
  pathSource: 'none',
  candidates: [],
  folders: [`${userHome}/.gemini/tmp/${slug}`],
  projectHash: hash,
  hashes: [hash],
})

function find(projects: ProjectIdentity[], options: { signal?: AbortSignal; maxFolders?: number } = {}) {
  const homes = [{ path: `${userHome}/.gemini`, tmpPath: `${userHome}/.gemini/tmp`, exists: true }]
  const { signal = new AbortController().signal, maxFolders = 1000 } = options
  return findProjectFolders(projects, { homes, userHome: '/nobody' }, signal, {
    maxFolders,
    maxTimeMs: 20_000,
  })
}

describe('looking for the folders of projects', () => {
  it('finds them by their hash, four levels deep below folders of code', async () => {
    const shop = folder('Code/clients/acme/web/shop')
    const plain = folder('plain')
    const { found, looked } = await find([project('a', sha256(shop)), project('b', sha256(plain))])
    expect(Object.fromEntries(found)).toEqual({ a: shop, b: plain })
    expect(looked).toMatchObject({ end: 'all', places: expect.arrayContaining([join(userHome, 'Code')]) })
  })

  it('says how many folders were looked at when none is it', async () => {
    folder('src/one')
    folder('src/two/three')
    const { found, looked } = await find([project('a', 'f'.repeat(64))])
    expect(found.size).toBe(0)
    // The home folder, src, one, two and three.
    expect(looked).toMatchObject({ folders: 5, end: 'all' })
  })

  it('passes by packages, hidden folders, links and what lies deeper', async () => {
    const hidden = [
      folder('src/app/node_modules/shop'),
      folder('src/.cache/shop'),
      folder('src/1/2/3/4/shop'),
      join(userHome, 'src/link/inner'),
    ]
    folder('elsewhere/1/2/3/inner')
    symlinkSync(join(userHome, 'elsewhere/1/2/3'), join(userHome, 'src/link'))
    const { found } = await find(hidden.map((path, at) => project(String(at), sha256(path))))
    expect([...found]).toEqual([])
  })

  it('takes folders that are called like the slug as guesses only', async () => {
    const guess = folder('work/My Shop!')
    const { found, guesses } = await find([project('a', 'f'.repeat(64), 'my-shop-1')])
    expect([found.size, guesses.get('a')]).toEqual([0, [guess]])
  })

  it('ends at its bound, and when nobody wants it any more', async () => {
    for (let n = 0; n < 50; n++) folder(`src/${n}`)
    const bounded = await find([project('a', 'f'.repeat(64))], { maxFolders: 10 })
    expect(bounded.looked.end).toBe('folders')
    expect(bounded.looked.folders).toBeLessThan(20)
    const { looked } = await find([project('a', 'f'.repeat(64))], { signal: AbortSignal.abort() })
    expect(looked).toMatchObject({ folders: 0, end: 'cancelled' })
  })

  it('comes to an end where there is nothing at all', async () => {
    rmSync(userHome, { recursive: true })
    expect((await find([project('a', 'f'.repeat(64))])).looked.end).toBe('all')
  })
})
