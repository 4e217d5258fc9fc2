import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BudgetStore, openBudgetFile } from './price-file.ts'

let folder: string
let told: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-budgets-'))
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => new BudgetStore(openBudgetFile(folder, (problem) => told.push(problem ?? 'mended')))
const SHOP = { key: 'shop', hashes: ['aa'], folders: ['/h/tmp/aa'] }

describe('the budgets that the user set', () => {
  it('are there for the next run, in a file for this user only, with no more of a project than tells it', () => {
    const project = { ...SHOP, name: 'webshop', path: '/code/shop' }
    open().set(null, 50)
    open().set(project, 10)
    expect(open().all()).toEqual([
      { project: null, usdPerMonth: 50 },
      { project: SHOP, usdPerMonth: 10 },
    ])
    expect(statSync(join(folder, 'budgets.json')).mode & 0o777).toBe(0o600)
  })

  it('are one for each project, also when it gets another key', () => {
    const store = open()
    store.set(SHOP, 10)
    store.set({ key: 'other', hashes: ['aa', 'bb'], folders: [] }, 20)
    expect(store.all().map(({ usdPerMonth }) => usdPerMonth)).toEqual([20])
    store.set(null, 30)
    store.set(SHOP, null)
    expect(store.all()).toEqual([{ project: null, usdPerMonth: 30 }])
  })

  it('that another process set are seen', () => {
    const [one, other] = [open(), open()]
    one.set(null, 5)
    other.set(SHOP, 6)
    expect(one.all()).toHaveLength(2)
  })

  it.each(['{"version":1,"budgets":[{"project":null,"usdPerMonth":-1}]}', '{"version":1}', 'budgets'])(
    'in a file that cannot be used are kept aside and told of: %s',
    (text) => {
      writeFileSync(join(folder, 'budgets.json'), text)
      expect(open().all()).toEqual([])
      expect(told).toEqual([
        expect.stringMatching(
          /^Your budgets could not be read: .* there is no copy\. The damaged file was saved as /,
        ),
      ])
      const aside = told[0]?.match(/saved as (.*)\.$/)?.[1] ?? ''
      expect(readFileSync(aside, 'utf8')).toBe(text)
    },
  )
})
