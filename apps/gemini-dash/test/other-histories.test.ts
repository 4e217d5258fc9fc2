import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Doctor, Health, SearchResult, SessionList } from '@gemini-dash/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProgram, startProgram } from './run-program.ts'

/** Makes the program exit if it opens anything below an Antigravity folder whose conversations it does not read. */
const SHIM = `
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
for (const owner of [fs, fs.promises])
  for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream']) {
    const real = owner[name]
    if (real === undefined) continue
    owner[name] = (path, ...rest) => {
      if (/antigravity(?!-(?:cli|sessions))/.test(String(path))) {
        fs.writeSync(2, 'OPENED ' + path)
        process.abort()
      }
      return real(path, ...rest)
    }
  }
syncBuiltinESMExports()
`
const ID = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`

describe('what lies in a home beside sessions', () => {
  let folder: string
  let home: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-others-'))
    home = join(folder, '.gemini')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const run = async (...args: string[]) => {
    const own = ['--home', folder, '--no-cache']
    writeFileSync(join(folder, 'shim.cjs'), SHIM)
    return runProgram([...args, ...own], { NODE_OPTIONS: `--require ${join(folder, 'shim.cjs')}` })
  }

  it('A11: conversations of other programs of Antigravity are named where they lie, and not read', async () => {
    write(`antigravity/conversations/${ID(1)}.db`)
    write(`antigravity/conversations/${ID(1)}.db-wal`)
    write(`antigravity/conversations/${ID(2)}.pb`)
    write(`antigravity/brain/${ID(1)}/.system_generated/logs/transcript_full.jsonl`)
    write(`antigravity/brain/${ID(3)}/task.md`)
    write(`antigravity-backup/conversations/${ID(2)}.pb`)
    write('antigravity-ide/settings.json')
    const path = home.replaceAll('\\', '/')
    const text = `3 conversations of other Antigravity programs, which are not read: ${path}/antigravity, ${path}/antigravity-backup.`
    const antigravity = { folders: ['antigravity', 'antigravity-backup'], conversations: 3, text }

    const listed = await run('list')
    expect([listed.code, listed.stderr.split('\n')]).toEqual([0, expect.arrayContaining([text])])
    const doctor = await run('doctor')
    expect(doctor.stdout).toContain(text)
    const report: Doctor = JSON.parse((await run('doctor', '--json')).stdout)
    expect(report.homes).toEqual([expect.objectContaining({ files: 0, antigravity })])

    const program = startProgram(
      ['serve', '--no-open', '--no-token', '--json', '--port', '0', '--home', folder, '--no-cache'],
      { NODE_OPTIONS: `--require ${join(folder, 'shim.cjs')}` },
    )
    try {
      const { port } = JSON.parse(await program.firstLine)
      const health = (await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()) as Health
      expect(health.homes).toEqual([expect.objectContaining({ antigravity })])
    } finally {
      program.child.kill()
      await program.finished
    }
  })

  it('A11: nothing is said where Antigravity has left no conversation', async () => {
    write('antigravity-ide/settings.json')
    write('tmp/shop/chats/keep')
    expect((await run('list')).stderr).not.toContain('Antigravity')
    expect(JSON.parse((await run('doctor', '--json')).stdout).homes[0]).not.toHaveProperty('antigravity')
  })

  it('A12: a chat that was saved in checkpoints/ is a chat everywhere', async () => {
    const said = (role: string, text: string) => ({ role, parts: [{ text }] })
    const chat = [said('user', 'Paint the fence vermilion'), said('model', 'The fence is vermilion.')]
    write('tmp/shop/.project_root', '/home/nobody/shop')
    write('tmp/shop/checkpoints/checkpoint-fence.json', JSON.stringify(chat))
    write('tmp/shop/checkpoints/2026-11-21T20-30-00_000Z-a.ts-replace.json', '{}')

    const list: SessionList = JSON.parse((await run('list', '--kind', 'all', '--json')).stdout)
    expect(list.sessions).toEqual([
      expect.objectContaining({
        kind: 'checkpoint',
        title: 'fence',
        counts: expect.objectContaining({ prompts: 1 }),
      }),
    ])
    const key = list.sessions[0]?.key ?? ''
    for (const mode of ['words', 'substring']) {
      const found: SearchResult = JSON.parse(
        (await run('search', 'vermilion', '--mode', mode, '--json')).stdout,
      )
      expect(found.hits.map(({ sessionKey, field }) => `${sessionKey} ${field}`).sort()).toEqual([
        `${key} answer`,
        `${key} prompt`,
      ])
    }
    expect((await run('show', key)).stdout).toContain('The fence is vermilion.')
    const doctor: Doctor = JSON.parse((await run('doctor', '--json')).stdout)
    expect(doctor.files.skipped).toEqual([])
    expect(JSON.stringify(doctor)).not.toContain('checkpoint-fence')
  })
})
