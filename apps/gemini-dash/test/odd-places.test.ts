import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { fixtureHome } from './open-test-server.ts'
import { runProgram, startProgram } from './run-program.ts'

const STACK = /\n\s+at |\.js:\d+|Please report/

describe('places that cannot be used', () => {
  let folder: string
  let file: string
  const home = ['--home', fixtureHome('0.61.0')]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gemini-dash-odd-'))
    file = join(folder, 'file')
    writeFileSync(file, 'not a folder')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each(['list', 'usage', 'doctor'])(
    'B6: %s below a regular file says so in one line and answers from memory',
    async (command) => {
      const own = ['--cache-dir', join(file, 'cache'), '--data-dir', join(file, 'data')]
      const good = await runProgram([command, '--json', ...home, '--no-cache'])
      const { code, stdout, stderr } = await runProgram([command, '--json', ...home, ...own])
      expect(code).toBe(good.code)
      expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(JSON.parse(good.stdout)))
      expect(stderr).toContain(`${file} is a file, not a folder`)
      expect(stderr).not.toMatch(STACK)
    },
  )

  it('R40, R44, B6, S12: serve with a data folder below a regular file says so, and so do the name of a project and a star', async () => {
    const own = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(file, 'data')]
    const program = startProgram([
      'serve',
      '--no-open',
      '--no-token',
      '--json',
      '--port',
      '0',
      ...home,
      ...own,
    ])
    try {
      const { port } = JSON.parse(await program.firstLine)
      const origin = `http://127.0.0.1:${port}`
      const { projects } = (await (await fetch(`${origin}/api/projects`)).json()) as {
        projects: { key: string }[]
      }
      const changed = await fetch(`${origin}/api/projects/${projects[0]?.key}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ name: 'renamed' }),
      })
      expect([changed.status, await changed.text()]).toEqual([
        503,
        expect.stringContaining(`This could not be saved: ${file} is a file, not a folder`),
      ])
      const { sessions } = (await (await fetch(`${origin}/api/sessions`)).json()) as {
        sessions: { key: string }[]
      }
      const starred = await fetch(`${origin}/api/marks/${sessions[0]?.key}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ star: true }),
      })
      expect([starred.status, await starred.text()]).toEqual([
        503,
        expect.stringContaining(`This could not be saved: ${file} is a file, not a folder`),
      ])
      expect(program.printed()).toContain(`${file} is a file, not a folder`)
      expect(program.printed()).not.toMatch(STACK)
    } finally {
      program.child.kill()
      await program.finished
    }
  })

  it.skipIf(!existsSync('/dev/full'))(
    'R44, B6: an answer for which there is no room says so, and ends with 1',
    async () => {
      const full = openSync('/dev/full', 'w')
      const child = spawn(
        process.execPath,
        [join(inject('program'), 'cli.js'), 'list', ...home, '--no-cache'],
        {
          stdio: ['ignore', full, 'pipe'],
        },
      )
      let stderr = ''
      child.stderr?.on('data', (chunk) => {
        stderr += chunk
      })
      const [code] = await once(child, 'close')
      closeSync(full)
      expect(code).toBe(1)
      expect(stderr).toContain('The output could not be written: the destination is full (ENOSPC).')
      expect(stderr).not.toMatch(STACK)
    },
  )
})
