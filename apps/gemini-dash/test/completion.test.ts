import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { projectListSchema, sessionListSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runProgram } from './run-program.ts'

const BAD = ['it\'s $(touch pwned) "x"', '`touch pwned`;x', 'bell\u0007bell', '\u202eright']

let folder: string
let home: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-test-'))
  home = join(folder, 'home')
  for (const [index, name] of ['web shop', ...BAD].entries()) {
    const id = `${index}0f0f0f0-1111-4111-8111-111111111111`
    const chats = join(home, '.gemini', 'tmp', `p${index}`, 'chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(chats, '..', '.project_root'), `/code/${name}`)
    const time = `2026-11-20T10:0${index}:00.000Z`
    const head = {
      sessionId: id,
      projectHash: 'a'.repeat(64),
      startTime: time,
      lastUpdated: time,
      kind: 'main',
    }
    const prompt = { id: 'm', timestamp: time, type: 'user', content: [{ text: `Ask \u001b[31m ${name}` }] }
    writeFileSync(
      join(chats, `session-2026-11-20T10-0${index}-${id.slice(0, 8)}.jsonl`),
      `${JSON.stringify(head)}\n${JSON.stringify(prompt)}\n`,
    )
  }
  writeFileSync(join(folder, 'received file.json'), '[]')
  mkdirSync(join(folder, 'bin'))
  const command = join(folder, 'bin', 'gemini-dash')
  writeFileSync(
    command,
    `#!/bin/sh\nexec '${process.execPath}' '${join(inject('program'), 'cli.js')}' "$@"\n`,
  )
  chmodSync(command, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const json = async (command: string) =>
  JSON.parse((await runProgram([command, '--json', '--no-cache', '--home', home], { HOME: folder })).stdout)

describe('completion asks the program', () => {
  test('for keys that list has, newest first, with what they are about', async () => {
    const before = readdirSync(folder, { recursive: true })
    const { code, stdout, stderr } = await runProgram(['completion', 'keys', '--', 'show', '--home', home], {
      HOME: folder,
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(readdirSync(folder, { recursive: true })).toEqual(before)
    const lines = stdout.trimEnd().split('\n')
    const { sessions } = sessionListSchema.parse(await json('list'))
    expect(sessions.length).toBe(1 + BAD.length)
    expect(lines.map((line) => line.split('\t')[0])).toEqual(sessions.map(({ key }) => key))
    expect(lines.at(-1)?.split('\t')[1]).toBe('Ask \\x1b[31m web shop')
  })

  test('for projects whose names can be typed', async () => {
    const args = ['completion', 'projects', '--', 'list', '--home', home]
    const { stdout } = await runProgram(args, { HOME: folder })
    const { projects } = projectListSchema.parse(await json('projects'))
    const typed = projects
      .map(({ name }) => name)
      .filter((name) => !['\u0007', '\u202e'].some((bad) => name.includes(bad)))
    expect(typed.length).toBe(3)
    expect(stdout.trimEnd().split('\n')).toEqual(typed.sort())
  })

  test('it says nothing where there is nothing', async () => {
    const args = ['completion', 'keys', '--', 'show', '--home', join(folder, 'none')]
    expect(await runProgram(args, { HOME: folder })).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await runProgram(['completion', 'bash', 'more'])).toMatchObject({ code: 2 })
  })
})

const SHELLS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
const find = (shell: string) => SHELLS.map((bin) => join(bin, shell)).find((path) => existsSync(path)) ?? ''
const BASH = find('bash')
const ZSH = find('zsh')
const FISH = find('fish')
const keysInOrder = async () => sessionListSchema.parse(await json('list')).sessions.map(({ key }) => key)

describe.skipIf(BASH === '')('bash (skipped where there is none)', () => {
  test('offers keys and projects as single words in which nothing acts', async () => {
    const { stdout: script } = await runProgram(['completion', 'bash'])
    expect(inBash(script, ['show', ''])).toEqual(expect.arrayContaining(await keysInOrder()))
    expect(inBash(script, ['list', '--project', 'web'])).toEqual(['web shop'])
    expect(inBash(script, ['list', '--project', ''])).toContain(BAD[0])
    expect(inBash(script, ['list', '--project', ''])).toContain(BAD[1])
    expect(readdirSync(folder)).not.toContain('pwned')
  })
})

describe.skipIf(ZSH === '')('zsh (skipped where there is none)', () => {
  test('offers keys, newest first, and projects as single words in which nothing acts', async () => {
    const { stdout: script } = await runProgram(['completion', 'zsh'])
    mkdirSync(join(folder, 'functions'))
    writeFileSync(join(folder, 'functions', '_gemini-dash'), script)
    const keys = await keysInOrder()
    const all = inZsh('show ')
    expect(all.words).toEqual(['show'])
    expect(all.screen.match(/^\S+(?= {2}Ask)/gm)).toEqual(keys)
    expect(all.screen).toContain(`${keys.at(-1)}  Ask \\x1b[31m web shop`)
    expect(inZsh(`show ${keys[0]?.slice(0, 6)}`).words).toEqual(['show', keys[0]])
    expect(inZsh('list --project web').words).toEqual(['list', '--project', 'web shop'])
    expect(inZsh("list --project it\\'s").words).toEqual(['list', '--project', BAD[0]])
    expect(inZsh('list --project \\`').words).toEqual(['list', '--project', BAD[1]])
    expect(inZsh('comp').words).toEqual(['completion'])
    expect(inZsh('search one two --js').words).toEqual(['search', 'one', 'two', '--json'])
    expect(inZsh('keep stat').words).toEqual(['keep', 'status'])
    for (const typed of ['open rec', 'keep add rec'])
      expect(inZsh(typed).words).toEqual([...typed.split(' ').slice(0, -1), 'received file.json'])
    expect(readdirSync(folder)).not.toContain('pwned')
  })
})

describe.skipIf(FISH === '')('fish (skipped where there is none)', () => {
  test('offers keys, newest first, and projects as single words in which nothing acts', async () => {
    const { stdout: script } = await runProgram(['completion', 'fish'])
    const keys = inFish(script, 'show ')
    expect(keys.map((line) => line.split('\t')[0])).toEqual(await keysInOrder())
    expect(keys.at(-1)?.split('\t')[1]).toBe('Ask \\x1b[31m web shop')
    const projects = inFish(script, 'list --project ').map((line) => line.split('\t')[0])
    expect(projects.sort()).toEqual(['web shop', BAD[0], BAD[1]].sort())
    expect(inFish(script, 'open rec').map((line) => line.split('\t')[0])).toEqual(['received file.json'])
    expect(inFish(script, 'comp').map((line) => line.split('\t')[0])).toEqual(['completion'])
    expect(readdirSync(folder)).not.toContain('pwned')
  })
})

const shellEnvironment = () => ({
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  GEMINI_CLI_HOME: home,
  TERM: 'xterm',
})

/** The command line of bash after accepting each offered word. */
function inBash(script: string, typed: string[]): string[] {
  const lines = [
    script,
    'COMP_WORDS=(gemini-dash "$@")',
    'COMP_CWORD=$#',
    '_gemini_dash',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how bash writes variables.
    'eval "printf \'%s\\n\' ${COMPREPLY[*]}"',
  ]
  const words = ['--norc', '-c', lines.join('\n'), 'bash', ...typed]
  return execFileSync(BASH, words, { cwd: folder, env: shellEnvironment(), encoding: 'utf8' })
    .trimEnd()
    .split('\n')
}

/** Types into an interactive zsh and presses Tab: returns the resulting screen, and the words of the line. */
function inZsh(typed: string): { screen: string; words: string[] } {
  const script = [
    'zmodload zsh/zpty',
    'zpty typed zsh -f -i',
    'send() { zpty -w -n typed "$1" }',
    'until_seen() { zpty -r typed REPLY "*$1*" }',
    "send $'PS1=; unsetopt prompt_sp zle_bracketed_paste beep; fpath=(functions $fpath)\\r'",
    'send $\'autoload -Uz compinit; compinit -u -D; print rea""dy\\r\'',
    'until_seen ready',
    'send "gemini-dash $1"$\'\\t\'',
    // inserts a command that prints its words before what was typed; the quotes distinguish the markers from the echo
    'send $\'\\C-aprint -rl -- fr""om \\C-e; print t""o\\r\'',
    "until_seen $'from*\\nto'",
    'print -r -- $REPLY',
    'zpty -d typed',
  ]
  const words = ['-f', '-c', script.join('\n'), 'zsh', typed]
  const env = shellEnvironment()
  const printed = execFileSync(ZSH, words, { cwd: folder, env, encoding: 'utf8', timeout: 30_000 })
  const screen = stripVTControlCharacters(printed).replaceAll('\r', '')
  const [, after = ''] = screen.split('\nfrom\n')
  return { screen, words: after.split('\nto')[0]?.split('\n').slice(1) ?? [] }
}

/** What fish offers, each followed by a tab and its description. */
function inFish(script: string, typed: string): string[] {
  const words = ['--no-config', '-c', `${script}\ncomplete -C "gemini-dash $argv[1]"`, typed]
  return execFileSync(FISH, words, { cwd: folder, env: shellEnvironment(), encoding: 'utf8' })
    .trimEnd()
    .split('\n')
}
