import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { readSandboxSetting, readSessionRetention } from './cli-settings.ts'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'retention-'))
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const UNSET = { is: 'unset' }
const NOTHING_SET = {
  isFileValid: true,
  all: UNSET,
  enabled: UNSET,
  maxAgeDays: UNSET,
  maxCount: UNSET,
  minRetentionDays: UNSET,
}
const valid = (value: unknown) => ({ is: 'valid', value })
const invalid = (written: string, given: unknown = JSON.parse(written)) => ({ is: 'invalid', written, given })

function write(text: string): void {
  writeFileSync(join(path, 'settings.json'), text)
}

function retain(sessionRetention: unknown) {
  write(JSON.stringify({ general: { sessionRetention } }))
  return readSessionRetention({ path }, { DAYS: '90' })
}

it('reads the retention out of settings with comments, and nothing else', () => {
  write(`{
      // "quoted" comment
      "apiKey": "secret // not a comment",
      "general": { /* ours */ "sessionRetention": { "enabled": true, "maxAge": "2w", "maxCount": 50, }, },
    }`)
  expect(readSessionRetention({ path })).toEqual({
    isFileValid: true,
    all: valid(true),
    enabled: valid(true),
    maxAgeDays: valid(14),
    maxCount: valid(50),
    minRetentionDays: UNSET,
  })
})

it('T6: what is not set is something else than what is not valid', () => {
  expect(readSessionRetention({ path })).toEqual(NOTHING_SET)
  write('{"general":{}}')
  expect(readSessionRetention({ path })).toEqual(NOTHING_SET)
  expect(retain({})).toEqual({ ...NOTHING_SET, all: valid(true) })
  expect(retain({ enabled: 'yes', maxAge: 30, maxCount: 0, minRetention: '' })).toEqual({
    isFileValid: true,
    all: valid(true),
    enabled: invalid('"yes"'),
    maxAgeDays: invalid('30'),
    maxCount: invalid('0'),
    minRetentionDays: invalid('""'),
  })
})

test.each([null, 'off', 30, false, [1]])('T6: %j in the place of the group is not valid', (given) => {
  expect(retain(given)).toEqual({ ...NOTHING_SET, all: invalid(JSON.stringify(given)) })
  write(JSON.stringify({ general: given }))
  expect(readSessionRetention({ path }).all).toEqual(invalid(JSON.stringify(given)))
})

test.each(['not json', '[]', '"x"', 'null', '{'])('T6: %s is no settings file', (text) => {
  write(text)
  expect(readSessionRetention({ path })).toEqual({ ...NOTHING_SET, isFileValid: false })
})

test.each([
  ['30d', 30],
  ['36h', 1.5],
  ['2w', 14],
  ['1m', 30],
])('an age of %s is %d days', (maxAge, days) => {
  expect(retain({ maxAge }).maxAgeDays).toEqual(valid(days))
})

test('T6: a switch and a number can be in quotes', () => {
  expect(retain({ enabled: 'False', maxCount: '50' })).toMatchObject({
    enabled: valid(false),
    maxCount: valid(50),
  })
  expect(retain({ enabled: 'TRUE', maxCount: 1.5 })).toMatchObject({
    enabled: valid(true),
    maxCount: valid(2),
  })
  expect(retain({ maxCount: 0.5 }).maxCount).toEqual(invalid('0.5'))
  expect(retain({ maxCount: '' }).maxCount).toEqual(invalid('""'))
})

test.each(['1Y', '90 days', '0d', ' 30d', '30d ', '30D', '-1d', '1.5d', 'd', ''])(
  'T6: an age of "%s" is not valid',
  (maxAge) => {
    expect(retain({ maxAge }).maxAgeDays).toEqual(invalid(JSON.stringify(maxAge)))
  },
)

test('T6: variables are replaced as Gemini CLI replaces them, and shown as they are written', () => {
  expect(retain({ maxAge: `\${DAYS}d` }).maxAgeDays).toEqual(valid(90))
  expect(retain({ maxAge: `\${NONE:-2w}` }).maxAgeDays).toEqual(valid(14))
  expect(retain({ maxAge: '$NONE' }).maxAgeDays).toEqual(invalid('"$NONE"'))
  expect(retain({ maxAge: `\${DAYS} days` }).maxAgeDays).toEqual(invalid(`"\${DAYS} days"`, '90 days'))
})

test('the settings of the macOS sandbox are those of the user’s own home', () => {
  const own = join(path, '.gemini')
  mkdirSync(own)
  writeFileSync(join(own, 'settings.json'), '{"general":{"sessionRetention":{"enabled":false}}}')
  const ofSandbox = readSessionRetention({ path: `${path.replaceAll('\\\\', '/')}/.cache/.gemini` })
  expect(ofSandbox).toEqual(readSessionRetention({ path: own }))
  expect(ofSandbox.enabled).toEqual(valid(false))
})

test('what is quoted of a setting is short', () => {
  const { maxAgeDays } = retain({ maxAge: 'x'.repeat(1_000) })
  expect(maxAgeDays.is === 'invalid' && maxAgeDays.written.length).toBeLessThan(80)
})

test.each([
  ['"docker"', 'docker'],
  ['true', true],
  ['false', false],
  ['{"enabled":true,"command":"podman"}', 'podman'],
  ['{"enabled":true}', true],
  ['{"enabled":false,"command":"docker"}', false],
  ['["docker"]', null],
  ['7', null],
])('T14: a sandbox of %s is read', (sandbox, expected) => {
  write(`{"tools":{"sandbox":${sandbox},"secret":1}}`)
  expect(readSandboxSetting({ path })).toBe(expected)
})

test('T14: without settings no sandbox is set, and the old place of the setting does not count', () => {
  expect(readSandboxSetting({ path })).toBeNull()
  write('{"sandbox":"docker","tools":7}')
  expect(readSandboxSetting({ path })).toBeNull()
})
