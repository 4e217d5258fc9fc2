import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cleanUpOf } from './retention-rule.ts'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'gemini-dash-rule-'))
})
afterEach(() => rmSync(path, { recursive: true }))

function retain(sessionRetention: unknown) {
  writeFileSync(join(path, 'settings.json'), JSON.stringify({ general: { sessionRetention } }))
  return cleanUpOf({ path })
}

const NAME = 'general.sessionRetention'
const ON = { maxAgeDays: 30, maxCount: null, isExplicit: false }

describe('settings that are valid', () => {
  test.each([
    [undefined, ON],
    [{}, ON],
    [{ enabled: true }, { ...ON, isExplicit: true }],
    [{ enabled: false, maxAge: '1Y' }, null],
    [{ maxAge: '90d' }, { ...ON, maxAgeDays: 90 }],
    [{ maxAge: '24h' }, { ...ON, maxAgeDays: 1 }],
    [{ enabled: 'false' }, null],
    [{ maxCount: 5 }, { ...ON, maxCount: 5 }],
    [{ maxCount: '2' }, { ...ON, maxCount: 2 }],
    [{ maxCount: 1.5 }, { ...ON, maxCount: 2 }],
    [
      { maxAge: '7d', minRetention: '7d' },
      { ...ON, maxAgeDays: 7 },
    ],
  ])('T6: %j', (sessionRetention, rule) => {
    expect(retain(sessionRetention)).toEqual({ rule, problems: [] })
  })
})

// the behavior of Gemini CLI 0.61.0 itself in each case
describe('settings that are not valid', () => {
  test.each([
    [{ enabled: true, maxAge: '1Y' }, 'maxAge', '"1Y"'],
    [{ maxAge: '90 days' }, 'maxAge', '"90 days"'],
    [{ maxAge: ' 30d' }, 'maxAge', '" 30d"'],
    [{ maxAge: '0d' }, 'maxAge', '"0d"'],
    [{ maxAge: 30 }, 'maxAge', '30'],
    [{ maxAge: '' }, 'maxAge', '""'],
    [{ maxAge: null }, 'maxAge', 'null'],
    [{ maxCount: 0 }, 'maxCount', '0'],
    [{ maxCount: -1 }, 'maxCount', '-1'],
    [{ maxCount: null }, 'maxCount', 'null'],
    [{ maxCount: false }, 'maxCount', 'false'],
    [{ enabled: null }, 'enabled', 'null'],
    [{ enabled: 0 }, 'enabled', '0'],
    [{ maxAge: '2h' }, 'maxAge', null],
    [{ maxAge: '2d', minRetention: '3d' }, 'maxAge', null],
    [{ minRetention: '60d' }, 'maxAge', null],
  ])('T6: %j switches the clean-up off, and is named', (sessionRetention, setting, value) => {
    const { rule, problems } = retain(sessionRetention)
    expect(rule).toBeNull()
    expect(problems).toEqual([
      {
        path: `${path}/settings.json`,
        setting: `${NAME}.${setting}`,
        value,
        reason: expect.stringMatching(/(no session is deleted|cleanup is off)\.$/),
        advice: expect.stringMatching(/^Write .+\.$/),
      },
    ])
  })

  test.each([
    [{ enabled: 'yes' }, { ...ON, isExplicit: true }, ['enabled']],
    [{ maxCount: true }, { ...ON, maxCount: 1 }, ['maxCount']],
    [{ maxAge: '7d', minRetention: 'x' }, { ...ON, maxAgeDays: 7 }, ['minRetention']],
    [{ maxAge: '', maxCount: 2 }, { ...ON, maxAgeDays: null, maxCount: 2 }, ['maxAge']],
    [{ maxCount: 'x' }, ON, ['maxCount']],
  ])('T6: %j leaves it on, and is named too', (sessionRetention, rule, settings) => {
    const cleanUp = retain(sessionRetention)
    expect(cleanUp.rule).toEqual(rule)
    expect(cleanUp.problems.map(({ setting }) => setting)).toEqual(settings.map((name) => `${NAME}.${name}`))
    expect(cleanUp.problems[0]?.reason).not.toContain('no session is deleted.')
  })

  test.each(['off', null, []])('T6: %j in the place of the settings', (sessionRetention) => {
    const { rule, problems } = retain(sessionRetention)
    expect([rule, problems.map(({ setting }) => setting)]).toEqual([null, [NAME]])
  })

  test('T6: with a settings file that is no JSON Gemini CLI does not even start', () => {
    writeFileSync(join(path, 'settings.json'), '{"general":')
    const { rule, problems } = cleanUpOf({ path })
    expect([rule, problems]).toEqual([null, [expect.objectContaining({ setting: 'settings.json' })]])
  })
})
