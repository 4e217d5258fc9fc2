import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectKey } from './identity.ts'
import { type FolderEvidence, identifyProjects, tellApart, withPathClues } from './projects.ts'
import { sha256Hex } from './sha256.ts'

const SHOP = '/code/shop'

function folder(folderPath: string, evidence: Partial<FolderEvidence> = {}): FolderEvidence {
  const name = folderPath.slice(folderPath.lastIndexOf('/') + 1)
  return {
    folder: folderPath,
    name,
    marker: null,
    registryPaths: [],
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
      folder('/b/tmp/shop-1', { registryPaths: [SHOP] }),
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
    expect(project?.key).toBe(projectKey(sha256Hex('c:/work/shop'), ''))
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

describe('one folder that its system lets people spell in several ways', () => {
  const hashFolder = (path: string, evidence: Partial<FolderEvidence> = {}) =>
    folder(`/a/tmp/${sha256Hex(path)}`, evidence)

  it('I4: is one project on Windows: two hash folders that their sessions explain, and the slug folder', () => {
    const lower = hashFolder('e:\\work\\Shop', { directories: ['e:\\work\\Shop'] })
    const upper = hashFolder('E:\\Work\\Shop', { directories: ['E:\\Work\\Shop'] })
    const slug = folder('/a/tmp/shop', { marker: 'e:\\work\\shop' })
    for (const folders of [
      [lower, upper],
      [lower, slug],
      [upper, slug],
      [slug, upper, lower],
    ]) {
      const [project, ...others] = identifyProjects(folders, [])
      expect(others).toEqual([])
      expect(project).toMatchObject({ name: 'Shop', folders: folders.map((each) => each.folder).sort() })
    }
    expect(identifyProjects([lower, upper, slug], [])).toMatchObject([
      { path: 'E:\\Work\\Shop', pathSource: 'marker' },
    ])
  })

  it.each([
    [
      'a saved chat or a search names',
      { clues: [{ path: 'E:\\Work\\Shop', evidence: 'tool-arguments' as const }] },
      [],
      [],
    ],
    ['another registry names', {}, ['E:/Work/Shop'], []],
    ['was trusted', {}, [], ['E:\\Work\\Shop']],
  ])('I4: a hash folder of Windows whose path %s is of the slug folder', (_, evidence, known, trusted) => {
    const path = known[0] ?? 'E:\\Work\\Shop'
    const folders = [hashFolder(path, evidence), folder('/a/tmp/shop', { registryPaths: ['e:\\work\\shop'] })]
    expect(identifyProjects(folders, known, trusted)).toMatchObject([{ name: 'Shop', path }])
  })

  it.each([
    ['\\\\nas\\Code\\Shop', '\\\\NAS\\code\\shop'],
    ['/Users/mia/Code/Shop', '/Users/Mia/code/shop'],
    ['/Users/mia/caf\u00e9', '/Users/mia/cafe\u0301'],
    ['/Volumes/Work/Shop', '/Volumes/work/shop'],
  ])('I4: %s and %s are one project, whatever names them', (one, other) => {
    const [slug, slug1] = [
      folder('/a/tmp/shop', { marker: one }),
      folder('/b/tmp/shop-1', { registryPaths: [other] }),
    ]
    const named = hashFolder(other, { directories: [other] })
    for (const folders of [
      [slug, slug1],
      [slug1, slug],
      [slug, named],
      [named, slug1, slug],
    ])
      expect(identifyProjects(folders, [])).toHaveLength(1)
    const keys = [
      [slug, slug1],
      [slug1, slug],
    ].map((folders) => identifyProjects(folders, [])[0]?.key)
    expect(new Set(keys).size).toBe(1)
  })

  it('I4: is two projects on Linux, where two folders may differ in case alone', () => {
    const folders = ['/home/u/dev/Shop', '/home/u/dev/shop'].flatMap((path, at) => [
      folder(`/a/tmp/shop-${at}`, { marker: path }),
      hashFolder(path, { directories: [path] }),
    ])
    const projects = identifyProjects(folders, [])
    expect(projects.map(({ path }) => path).sort()).toEqual(['/home/u/dev/Shop', '/home/u/dev/shop'])
    expect(projects.map((project) => project.folders.length)).toEqual([2, 2])
  })

  it('I4: has a key that no later session changes, however its terminal spelled the folder', () => {
    const slug = (...paths: string[]) =>
      folder('/a/tmp/shop', {
        marker: 'e:\\work\\shop',
        fileHashes: paths.map(sha256Hex),
        directories: paths,
      })
    const keys = [
      slug(),
      slug('E:\\Work\\Shop'),
      slug('E:\\Work\\Shop', 'e:\\work\\Shop'),
      slug('E:\\Work\\Shop', 'e:\\work\\Shop', 'e:\\work\\Shop'),
    ].map((each) => identifyProjects([each], [])[0]?.key)
    expect(new Set(keys).size).toBe(1)
  })

  it('I4: is one whatever the order in which its folders are met', () => {
    const spellings = [
      'E:\\Work\\Shop',
      'e:\\work\\Shop',
      'e:/Work/shop',
      '/Users/Mia/Shop',
      '/Users/mia/shop',
      '/srv/Shop',
      '/srv/shop',
    ]
    const folders = spellings.flatMap((path, at) => [
      hashFolder(path, { directories: [path], fileHashes: [sha256Hex(path)] }),
      folder(`/b/tmp/shop-${at}`, {
        registryPaths: [path],
        fileHashes: [sha256Hex(path)],
        directories: [path],
      }),
    ])
    fc.assert(
      fc.property(
        fc
          .subarray(folders, { minLength: 1 })
          .chain((some) =>
            fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
          ),
        ([some, shuffled]) => {
          expect(identifyProjects(shuffled, [])).toEqual(identifyProjects(some, []))
        },
      ),
    )
    expect(
      identifyProjects(folders, [])
        .map((project) => project.folders.length)
        .sort(),
    ).toEqual([2, 2, 4, 6])
  })
})

describe('a slug for which the registry has several paths', () => {
  const OTHER = '/code/other'
  it.each([[[SHOP, OTHER]], [[OTHER, SHOP]], [[OTHER, '/code/third', SHOP]]])(
    'I5: is the project of the one that a hash proves: %j',
    (registryPaths) => {
      const slug = folder('/a/tmp/shop', { registryPaths, fileHashes: [sha256Hex(SHOP)] })
      const [project, ...others] = identifyProjects([slug], [])
      expect(others).toEqual([])
      expect(project).toMatchObject({ name: 'shop', path: SHOP, pathSource: 'registry' })
      expect(project?.key).toBe(projectKey(sha256Hex(SHOP), ''))
      expect(project?.candidates[0]).toEqual({ path: SHOP, evidence: 'registry', verified: true })
    },
  )

  it('I5: is that of most of its files where two are proven', () => {
    const fileHashes = [SHOP, OTHER, OTHER].map(sha256Hex)
    const slug = folder('/a/tmp/shop', { registryPaths: [OTHER, SHOP], fileHashes })
    expect(identifyProjects([slug], [])).toMatchObject([{ path: OTHER }])
  })

  it('I5: is the one that Windows lower-cased, proven by what a session names', () => {
    const path = 'E:\\Work\\Shop'
    const slug = folder('/a/tmp/shop', {
      registryPaths: ['e:\\work\\shop', 'e:\\work\\other'],
      fileHashes: [sha256Hex(path)],
      directories: [path],
    })
    expect(identifyProjects([slug], [])).toMatchObject([{ name: 'Shop', path, pathSource: 'registry' }])
  })

  it('I5: is not the one registered alone, where a session proves another folder', () => {
    const slug = folder('/a/tmp/shop', {
      registryPaths: [OTHER],
      fileHashes: [sha256Hex(SHOP)],
      directories: [SHOP],
    })
    const hashOnly = folder(`/b/tmp/${sha256Hex(SHOP)}`)
    expect(identifyProjects([slug, hashOnly], [])).toMatchObject([{ name: 'shop', path: SHOP }])
  })

  it('I5: is the last of them where nothing is proven', () => {
    const slug = folder('/a/tmp/shop', { registryPaths: [SHOP, OTHER] })
    expect(identifyProjects([slug], [])).toMatchObject([{ path: OTHER }])
  })
})

describe('projects that share the last part of their paths', () => {
  const named = (...paths: string[]) =>
    identifyProjects(
      paths.map((path, at) => folder(`/a/tmp/p-${at}`, { marker: path })),
      [],
    ).map(({ name, path }) => [path, name])

  it('I6: are called by as much of the path as differs', () => {
    expect(
      Object.fromEntries(
        named(
          '/home/u/dev/shop',
          '/home/u/dev/shop/packages/web',
          '/home/u/dev/other/packages/web',
          '/home/u/dev/shop/docs',
          'C:\\Code\\One\\api',
          'C:\\Code\\Two\\api',
        ),
      ),
    ).toEqual({
      '/home/u/dev/shop': 'shop',
      '/home/u/dev/shop/packages/web': 'shop/packages/web',
      '/home/u/dev/other/packages/web': 'other/packages/web',
      '/home/u/dev/shop/docs': 'docs',
      'C:\\Code\\One\\api': 'One\\api',
      'C:\\Code\\Two\\api': 'Two\\api',
    })
  })

  it('I6: are called by the whole path where that is the end of another', () => {
    expect(Object.fromEntries(named('/web', '/srv/web', '/'))).toEqual({
      '/web': '/web',
      '/srv/web': 'srv/web',
      '/': '/',
    })
  })

  it('I6: no two have one name, whatever is known of them', () => {
    const place = fc.record({
      home: fc.constantFrom('/a', '/b'),
      name: fc.constantFrom('web', 'shop', 'web-1'),
      marker: fc.constantFrom(
        null,
        '/x/web',
        '/y/web',
        '/web',
        '/x/y/web',
        'C:\\x\\web',
        '/x/shop/',
        ' ',
        '',
      ),
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(place, { selector: ({ home, name }) => `${home}/${name}`, minLength: 1 }),
        (places) => {
          const folders = places.map(({ home, name, marker }) =>
            folder(`${home}/.gemini/tmp/${name}`, { registryPaths: marker === null ? [] : [marker] }),
          )
          const names = identifyProjects(folders, []).map(({ name }) => name)
          expect(new Set(names).size).toBe(names.length)
          expect(names.every((name) => name.trim() !== '')).toBe(true)
        },
      ),
    )
  })

  it('I6: keep the names that the user gave, and are told from these', () => {
    const [one, two] = identifyProjects(
      [folder('/a/tmp/p', { marker: '/x/web' }), folder('/a/tmp/q', { marker: '/y/web' })],
      [],
    )
    if (one === undefined || two === undefined) throw new Error('no projects')
    const given = { name: 'web', nameSource: 'user' as const }
    expect(
      tellApart([
        { ...one, ...given },
        { ...two, ...given },
      ]).map(({ name }) => name),
    ).toEqual(['web', 'web'])
    expect(tellApart([{ ...one, ...given }, two]).map(({ name }) => name)).toEqual(['web', 'y/web'])
  })
})

describe('the path of a project', () => {
  it('is the marker rather than the registry', () => {
    const [project] = identifyProjects(
      [folder('/a/tmp/s', { marker: '/new/s', registryPaths: ['/old/s'] })],
      [],
    )
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
      registryPaths: ['/old/s'],
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
      folder('/b/tmp/shop', { registryPaths: [SHOP] }),
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
