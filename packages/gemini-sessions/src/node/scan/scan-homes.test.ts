import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findHomes, scanHomes } from './find-homes.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scan-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text = '{}'): string {
  const absolute = join(root, path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, text)
  return absolute
}

const scan = () => scanHomes(findHomes({ homeArguments: [root], env: {}, userHome: '/nobody' }))

describe('scanning a home', () => {
  it('finds session files of all forms, with size and times, and passes over what is none', async () => {
    const chats = '.gemini/tmp/shop/chats'
    write(`${chats}/session-2026-11-21T20-30-11111111.json`, '{"sessionId":"x"}')
    write(`${chats}/session-1795293056000-22222222.jsonl`)
    write(`${chats}/session-2026-11-21T20-30-33333333.jsonl.unreadable-1795293056000`)
    write(`${chats}/parent-id/nhiq2f.jsonl`)
    write(`${chats}/session-2026-11-21T20-30-11111111.jsonl.tmp-4711`)
    write(`${chats}/session-2026-11-21T20-30-11111111.json.bak`)
    write('.gemini/tmp/shop/logs/session-44444444.jsonl')
    const { files, skipped } = await scan()
    expect(files.map((file) => file.path.replace('tmp/shop/chats/', '')).sort()).toEqual([
      'parent-id/nhiq2f.jsonl',
      'session-1795293056000-22222222.jsonl',
      'session-2026-11-21T20-30-11111111.json',
      'session-2026-11-21T20-30-33333333.jsonl.unreadable-1795293056000',
    ])
    const file = files.find((candidate) => candidate.path.endsWith('11111111.json'))
    expect(file).toMatchObject({
      sizeBytes: 17,
      home: `${root}/.gemini`,
      projectFolder: `${root}/.gemini/tmp/shop`,
    })
    expect(file?.mtimeNs).toMatch(/^\d{19}$/)
    expect(skipped.map(({ path, code, needsAttention }) => [extension(path), code, needsAttention])).toEqual([
      ['bak', 'left-out', false],
      ['tmp-4711', 'left-out', false],
    ])
  })

  it('takes a folder for a project only if something of a project is in it', async () => {
    write('.gemini/tmp/bin/rg')
    write('.gemini/tmp/background-processes/1.log')
    write('.gemini/tmp/litert-server.log')
    write('.gemini/tmp/by-logs/logs.json', '[]')
    write('.gemini/tmp/by-marker/.project_root', '/code/by-marker')
    write('.gemini/tmp/by-chat/checkpoint-my%20tag%2F1.json', '[]')
    write('.gemini/tmp/by-history/checkpoint.json', '[]')
    write('.gemini/history/by-history/.project_root', '/code/by-history\n')
    const { projects } = await scan()
    expect(
      projects.map(({ name, marker, checkpoints }) => [name, marker, checkpoints.length]).sort(),
    ).toEqual([
      ['by-chat', null, 1],
      ['by-history', '/code/by-history', 1],
      ['by-logs', null, 0],
      ['by-marker', '/code/by-marker', 0],
    ])
  })

  it('tells of what looks like a project or a session but holds or is none', async () => {
    const hash = 'a'.repeat(64)
    write(`.gemini/tmp/${hash}/shell_history`, 'ls')
    write('.gemini/tmp/bin/rg')
    write('.gemini/tmp/session-2026-11-21T20-30-11111111.jsonl')
    write('.gemini/tmp/shop/session-2026-11-21T20-30-22222222.json')
    write('.gemini/tmp/shop/chats/a/b/c/d/session-2026-11-21T20-30-33333333.json')
    symlinkSync(join(root, 'nowhere'), join(root, '.gemini/tmp/shop/chats/session-gone.json'))
    symlinkSync(join(root, 'nowhere'), join(root, '.gemini/tmp/shop/chats/notes'))
    const { skipped } = await scan()
    expect(skipped.map(({ path, code }) => [path.replace(`${root}/.gemini/tmp/`, ''), code]).sort()).toEqual([
      [hash, 'left-out'],
      ['session-2026-11-21T20-30-11111111.jsonl', 'left-out'],
      ['shop/chats/a/b/c/d', 'left-out'],
      ['shop/chats/session-gone.json', 'broken-link'],
      ['shop/session-2026-11-21T20-30-22222222.json', 'left-out'],
    ])
  })

  it('is an empty answer where nothing is', async () => {
    expect(await scan()).toMatchObject({
      projects: [],
      files: [],
      skipped: [],
      missing: [expect.stringMatching(/\.gemini\/tmp$/)],
    })
  })

  it('R25: says why it does not open what is named like a session', async () => {
    const chats = '.gemini/tmp/shop/chats'
    write(`${chats}/session-folder.json/inner.txt`)
    const secret = write('outside/session-secret.json', '{"secret":true}')
    symlinkSync(secret, join(root, chats, 'session-link.json'))
    symlinkSync(join(root, 'outside'), join(root, '.gemini/tmp/linked'))
    symlinkSync(write('.gemini/oauth_creds.json'), join(root, chats, 'session-token.json'))
    execFileSync('mkfifo', [join(root, chats, 'session-pipe.jsonl')])
    const { files, skipped } = await scan()
    expect(files).toEqual([])
    expect(skipped.map(({ path, code }) => [path.replace(`${root}/.gemini/tmp/`, ''), code]).sort()).toEqual([
      ['linked', 'outside-home'],
      ['shop/chats/session-folder.json', 'not-a-file'],
      ['shop/chats/session-link.json', 'outside-home'],
      ['shop/chats/session-pipe.jsonl', 'not-a-file'],
      ['shop/chats/session-token.json', 'outside-home'],
    ])
    for (const { reason } of skipped) expect(reason).toMatch(/^This is .+\.$/)
  })

  it('R24: finds a file behind links inside the home once, and comes out of loops', async () => {
    const chats = '.gemini/tmp/shop/chats'
    const session = write(`${chats}/session-a.jsonl`)
    symlinkSync(session, join(root, chats, 'session-b.jsonl'))
    symlinkSync(join(root, '.gemini/tmp/shop'), join(root, '.gemini/tmp/other'))
    symlinkSync(join(root, chats), join(root, chats, 'loop'))
    const { files, skipped, projects } = await scan()
    expect(files.map((file) => file.path)).toEqual(['tmp/shop/chats/session-a.jsonl'])
    expect(projects.map((project) => project.name)).toEqual(['shop'])
    expect(skipped).toEqual([])
  })
})

describe('finding homes', () => {
  const find = (homeArguments: string[], env: Record<string, string> = {}) =>
    findHomes({ homeArguments, env, userHome: join(root, 'user') }).map(({ path, exists }) => [
      path.replace(root, ''),
      exists,
    ])

  it('takes the folder above .gemini, .gemini itself, and a copy by another name', () => {
    mkdirSync(join(root, 'a/.gemini'), { recursive: true })
    mkdirSync(join(root, 'copy/tmp'), { recursive: true })
    expect(find([join(root, 'a'), join(root, 'a/.gemini'), join(root, 'copy'), join(root, 'none')])).toEqual([
      ['/a/.gemini', true],
      ['/copy', true],
      ['/none/.gemini', false],
    ])
  })

  it('prefers --home, then GEMINI_SESSIONS_DIR, then GEMINI_CLI_HOME, then the own home', () => {
    mkdirSync(join(root, 'user/.cache/.gemini'), { recursive: true })
    const env = { GEMINI_SESSIONS_DIR: join(root, 's/tmp'), GEMINI_CLI_HOME: join(root, 'c') }
    expect(find([join(root, 'h')], env)).toEqual([['/h/.gemini', false]])
    expect(find([], env)).toEqual([['/s', false]])
    expect(find([], { GEMINI_CLI_HOME: join(root, 'c') })).toEqual([['/c/.gemini', false]])
    expect(find([])).toEqual([
      ['/user/.gemini', false],
      ['/user/.cache/.gemini', true],
    ])
  })

  it('D5: takes a home, the folder above one and its tmp in GEMINI_SESSIONS_DIR', () => {
    mkdirSync(join(root, 'user/.gemini/tmp/tmp/chats'), { recursive: true })
    for (const given of ['user', 'user/.gemini', 'user/.gemini/tmp'])
      expect(find([], { GEMINI_SESSIONS_DIR: join(root, given) })).toEqual([['/user/.gemini', true]])
  })

  it('scans a folder of sessions whatever it is called', async () => {
    write('saved/shop/chats/session-a.jsonl')
    const env = { GEMINI_SESSIONS_DIR: join(root, 'saved') }
    const { files } = await scanHomes(findHomes({ homeArguments: [], env, userHome: root }))
    expect(files.map(({ home, path }) => [home, path])).toEqual([[root, 'saved/shop/chats/session-a.jsonl']])
  })
})

function extension(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

describe('nothing vanishes silently', () => {
  const CHATS = '.gemini/tmp/shop/chats'
  const bytes = (path: string) => Buffer.from(join(root, path), 'latin1')
  const isStrict = process.platform !== 'linux'

  it.skipIf(isStrict)('A10: what has a name that is not UTF-8 is named with its bytes', async () => {
    write(`${CHATS}/session-a.json`)
    writeFileSync(bytes(`${CHATS}/session-\xe9.json`), '{}')
    writeFileSync(bytes(`${CHATS}/session-\xe8.json`), '{}')
    mkdirSync(bytes('.gemini/tmp/caf\xe9'))
    write(`${CHATS}/session-\ufffd.json`)
    const { files, skipped } = await scan()
    expect(files.map(({ path }) => path).sort()).toEqual([
      'tmp/shop/chats/session-a.json',
      'tmp/shop/chats/session-\ufffd.json',
    ])
    expect(skipped.map(({ path }) => path).sort()).toEqual([
      `${root}/.gemini/tmp/caf\\xe9`,
      `${root}/${CHATS}/session-\\xe8.json`,
      `${root}/${CHATS}/session-\\xe9.json`,
    ])
    for (const { reason, needsAttention } of skipped) {
      expect(reason).toContain('not UTF-8')
      expect(needsAttention).toBe(true)
    }
  })

  it.skipIf(process.platform === 'win32')(
    'A10: a session whose name holds a line break is a session',
    async () => {
      write(`${CHATS}/session-a\nb.jsonl`)
      write('.gemini/tmp/shop/checkpoint-a\nb.json', '[]')
      const { files, projects, skipped } = await scan()
      expect(files.map(({ path }) => path)).toEqual(['tmp/shop/chats/session-a\nb.jsonl'])
      expect(projects[0]?.checkpoints.map(({ path }) => path)).toEqual(['tmp/shop/checkpoint-a\nb.json'])
      expect(skipped).toEqual([])
    },
  )

  it('R24, A10: a link in the place of a folder that belongs to sessions is named', async () => {
    write(`${CHATS}/session-a.json`)
    mkdirSync(join(root, 'outside'))
    mkdirSync(join(root, '.gemini/tmp/shop/kept'))
    symlinkSync(join(root, 'outside'), join(root, CHATS, '11111111-2222'))
    symlinkSync(join(root, 'outside'), join(root, '.gemini/tmp/shop/tool-outputs'))
    symlinkSync(join(root, '.gemini/tmp/shop/kept'), join(root, '.gemini/tmp/shop/images'))
    symlinkSync(join(root, 'outside'), join(root, '.gemini/tmp/shop/whatever'))
    const { skipped } = await scan()
    expect(skipped.map(({ path, reason }) => [path.slice(root.length), reason.split(';')[0]]).sort()).toEqual(
      [
        [`/${CHATS}/11111111-2222`, 'This is a link to a place outside the folder of sessions'],
        ['/.gemini/tmp/shop/images', 'This is a link to another place in the folder of sessions'],
        ['/.gemini/tmp/shop/tool-outputs', 'This is a link to a place outside the folder of sessions'],
      ],
    )
  })

  it('A12: a chat that was saved in checkpoints/ is a saved chat, a restore point is none', async () => {
    write('.gemini/tmp/shop/checkpoints/checkpoint-before.json', '[]')
    write('.gemini/tmp/shop/checkpoints/2026-11-21T20-30-00_000Z-a.ts-replace.json')
    const { projects } = await scan()
    expect(projects[0]?.checkpoints.map(({ path }) => path)).toEqual([
      'tmp/shop/checkpoints/checkpoint-before.json',
    ])
  })
})
