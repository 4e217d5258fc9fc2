import { describe, expect, it } from 'vitest'
import type { FolderEvidence } from './folder-evidence.ts'
import { identifyProjects } from './identify-projects.ts'
import { projectKey } from './project-key.ts'
import { sha256Hex } from './sha256-hex.ts'

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
})
