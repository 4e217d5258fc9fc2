import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectKey } from '../identity/keys.ts'
import { sha256Hex } from '../identity/sha256-hex.ts'
import type { FolderEvidence } from './folder-evidence.ts'
import { identifyProjects } from './identify-projects.ts'
import { withPathClues } from './with-path-clues.ts'

const SHOP = '/code/shop'

function folder(folderPath: string, evidence: Partial<FolderEvidence> = {}): FolderEvidence {
  const name = folderPath.slice(folderPath.lastIndexOf('/') + 1)
  return {
    folder: folderPath,
    name,
    marker: null,
    registryPath: null,
    fileHashes: [],
    directories: [],
    ...evidence,
  }
}

describe('folders of one project', () => {
  it('are a slug folder and the hash folder of its path, in every home', () => {
    const folders = [
      folder('/a/tmp/shop', { marker: SHOP }),
      folder(`/a/tmp/${sha256Hex(SHOP)}`),
      folder('/b/tmp/shop-1', { registryPath: SHOP }),
    ]
    const [project, ...others] = identifyProjects(folders, [])
    expect(others).toEqual([])
    expect(project).toMatchObject({ name: 'shop', path: SHOP, pathSource: 'marker' })
    expect(project?.folders).toEqual(folders.map((each) => each.folder).sort())
    expect(project?.key).toBe(projectKey(sha256Hex(SHOP), ''))
  })

  it('are a slug folder and the hash folder that most of its files name (Windows: paths are lower-cased)', () => {
    const hash = sha256Hex('C:\\Work\\Shop')
    const slug = folder('/a/tmp/shop', {
      marker: 'c:\\work\\shop',
      fileHashes: [hash, hash, 'f'.repeat(64)],
      directories: ['C:\\Work\\Shop'],
    })
    const [project, ...others] = identifyProjects([folder(`/a/tmp/${hash}`), slug], [])
    expect(others).toEqual([])
    expect(project).toMatchObject({ name: 'Shop', path: 'C:\\Work\\Shop', pathSource: 'marker' })
    expect(project?.key).toBe(projectKey(hash, ''))
  })

  it('are a slug folder on Windows and the hash folder of its path, spelled as the shell did', () => {
    const hashFolder = folder(`/a/tmp/${sha256Hex('C:\\Users\\mia\\shop')}`)
    const slug = folder('/a/tmp/shop', { marker: 'c:\\users\\mia\\shop' })
    for (const folders of [
      [hashFolder, slug],
      [slug, hashFolder],
    ]) {
      const [project, ...others] = identifyProjects(folders, [])
      expect(others).toEqual([])
      expect(project).toMatchObject({ path: 'C:\\Users\\mia\\shop', pathSource: 'marker' })
      expect(project?.candidates[0]).toEqual({
        path: 'C:\\Users\\mia\\shop',
        evidence: 'marker',
        verified: true,
      })
    }
  })

  it('are one in two homes, whichever has the marker', () => {
    const fileHashes = [sha256Hex(SHOP)]
    const folders = [folder('/a/tmp/shop', { fileHashes }), folder('/b/tmp/shop-2', { marker: SHOP })]
    expect(identifyProjects(folders, []).map((project) => project.folders.length)).toEqual([2])
  })

  it('stay one when a slug was given anew after the registry was reset: the folder counts, not its files', () => {
    const old = sha256Hex('/old/shop')
    const slug = folder('/a/tmp/shop', { marker: '/new/shop', fileHashes: [old, old] })
    const [project, ...others] = identifyProjects([slug, folder(`/a/tmp/${old}`)], [])
    expect(others).toEqual([])
    expect(project).toMatchObject({ path: '/new/shop', pathSource: 'marker' })
    expect(project?.key).toBe(projectKey(sha256Hex('/new/shop'), ''))
  })

  it('are not two slug folders whose files happen to share a hash', () => {
    const fileHashes = [sha256Hex('/elsewhere')]
    const folders = [
      folder('/a/tmp/x', { marker: '/code/x', fileHashes }),
      folder('/a/tmp/y', { marker: '/code/y' }),
    ]
    expect(identifyProjects(folders, []).map((project) => project.path)).toEqual(['/code/x', '/code/y'])
  })

  it('keep their key whatever is scanned with them, and in whatever order', () => {
    const hashOnly = folder(`/a/tmp/${sha256Hex(SHOP)}`)
    const slug = folder('/b/tmp/shop', { marker: SHOP })
    const keys = [[hashOnly], [slug], [slug, hashOnly], [hashOnly, slug]].map(
      (folders) => identifyProjects(folders, [])[0]?.key,
    )
    expect(new Set(keys).size).toBe(1)
  })
})

describe('the path of a project', () => {
  it('is the marker rather than the registry', () => {
    const [project] = identifyProjects([folder('/a/tmp/s', { marker: '/new/s', registryPath: '/old/s' })], [])
    expect(project).toMatchObject({ path: '/new/s', pathSource: 'marker' })
  })

  it('of a hash folder is any known path with that hash', () => {
    const [project] = identifyProjects([folder(`/a/tmp/${sha256Hex(SHOP)}`)], ['/other', SHOP])
    expect(project).toMatchObject({ name: 'shop', path: SHOP, pathSource: 'hash' })
  })

  it('of a hash folder is not that of files which were copied into it', () => {
    const fileHashes = [sha256Hex(SHOP)]
    const foreign = folder(`/a/tmp/${'e'.repeat(64)}`, { fileHashes, directories: [SHOP] })
    expect(identifyProjects([foreign], [SHOP])[0]).toMatchObject({
      path: null,
      candidates: [{ path: SHOP, verified: false }],
    })
  })

  it('of a hash folder is a directory its sessions name, if the hash proves it', () => {
    const name = sha256Hex(SHOP)
    const [proven] = identifyProjects([folder(`/a/tmp/${name}`, { directories: ['/code', SHOP] })], [])
    expect(proven).toMatchObject({ path: SHOP, pathSource: 'content' })
    const [unproven] = identifyProjects([folder(`/a/tmp/${name}`, { directories: ['/code'] })], [])
    expect(unproven).toMatchObject({ name: `${name.slice(0, 8)}…`, path: null, pathSource: 'none' })
  })

  it('is unknown for a slug folder without evidence, which keeps its slug as name', () => {
    const [project] = identifyProjects([folder('/a/tmp/my-shop')], [])
    expect(project).toMatchObject({ name: 'my-shop', path: null, pathSource: 'none', projectHash: null })
  })

  it('is proven by a folder that was trusted', () => {
    const [project] = identifyProjects([folder(`/a/tmp/${sha256Hex(SHOP)}`)], [], ['/other', SHOP])
    expect(project).toMatchObject({
      path: SHOP,
      pathSource: 'hash',
      candidates: [{ path: SHOP, evidence: 'trusted-folder', verified: true }],
    })
  })

  it('on Windows is the spelling that gives the hash', () => {
    const name = sha256Hex('D:\\Work')
    const [project] = identifyProjects([folder(`/a/tmp/${name}`)], ['d:/Work'])
    expect(project).toMatchObject({ path: 'D:\\Work', candidates: [{ verified: true }] })
  })
})

describe('what speaks for a path', () => {
  it('is kept where marker and registry disagree', () => {
    const slug = folder('/a/tmp/s', {
      marker: '/new/s',
      registryPath: '/old/s',
      fileHashes: [sha256Hex('/new/s')],
    })
    expect(identifyProjects([slug], [])[0]?.candidates).toEqual([
      { path: '/new/s', evidence: 'marker', verified: true },
      { path: '/old/s', evidence: 'registry', verified: false },
    ])
  })

  it('are guesses as long as nothing is proven, the best first', () => {
    const clues: FolderEvidence['clues'] = [
      { path: '/code/guess', evidence: 'tool-arguments', sessions: 3 },
      { path: '/code/other', evidence: 'session-context', sessions: 1 },
      { path: '/home/mia/.gemini/tmp/x/plans', evidence: 'session-context' },
      { path: '/code/guess', evidence: 'tool-arguments', sessions: 2 },
    ]
    const [project] = identifyProjects([folder(`/a/tmp/${'e'.repeat(64)}`, { clues })], [])
    expect(project).toMatchObject({ path: null, nameSource: 'hash', name: 'eeeeeeee…' })
    expect(project?.candidates).toEqual([
      { path: '/code/other', evidence: 'session-context', verified: false, sessions: 1 },
      { path: '/code/guess', evidence: 'tool-arguments', verified: false, sessions: 5 },
    ])
  })

  it('leaves out guesses once the root is proven', () => {
    const fileHashes = [sha256Hex(SHOP)]
    const slug = folder('/a/tmp/shop', { marker: SHOP, fileHashes, directories: [SHOP, '/code/second'] })
    expect(identifyProjects([slug], [])[0]?.candidates).toEqual([
      { path: SHOP, evidence: 'marker', verified: true },
      { path: SHOP, evidence: 'directories', verified: true },
    ])
  })

  it('may be the user, whose word is shown whether it is proven or not', () => {
    const [unknown] = identifyProjects([folder(`/a/tmp/${sha256Hex(SHOP)}`)], [])
    if (unknown === undefined) throw new Error('no project')
    const told = withPathClues(unknown, [{ path: '/moved/shop', evidence: 'user' }])
    expect(told).toMatchObject({ name: 'shop', path: '/moved/shop', pathSource: 'user', key: unknown.key })
    expect(told.candidates).toEqual([{ path: '/moved/shop', evidence: 'user', verified: false }])
    const proven = withPathClues(unknown, [{ path: SHOP, evidence: 'user' }])
    expect(proven.candidates).toEqual([{ path: SHOP, evidence: 'user', verified: true }])
  })

  it('is the same whatever the order of the folders', () => {
    const hash = sha256Hex(SHOP)
    const folders = [
      folder('/a/tmp/shop', { marker: SHOP, fileHashes: [hash] }),
      folder(`/a/tmp/${hash}`, { fileHashes: [hash] }),
      folder('/b/tmp/shop', { registryPath: SHOP }),
      folder('/b/tmp/x', { marker: '/code/x', fileHashes: [hash, hash] }),
      folder(`/b/tmp/${'f'.repeat(64)}`),
    ]
    const expected = identifyProjects(folders, [])
    fc.assert(
      fc.property(fc.shuffledSubarray(folders, { minLength: folders.length }), (shuffled) => {
        expect(identifyProjects(shuffled, [])).toEqual(expected)
      }),
    )
  })
})
