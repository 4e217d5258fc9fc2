import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BudgetBook } from './budget-book.ts'
import { openBudgetFile } from './budget-file.ts'

let folder: string
let told: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-budgets-'))
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => new BudgetBook(openBudgetFile(folder, (message) => told.push(message ?? 'over')))
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
    const book = open()
    book.set(SHOP, 10)
    book.set({ key: 'other', hashes: ['aa', 'bb'], folders: [] }, 20)
    expect(book.all().map(({ usdPerMonth }) => usdPerMonth)).toEqual([20])
    book.set(null, 30)
    book.set(SHOP, null)
    expect(book.all()).toEqual([{ project: null, usdPerMonth: 30 }])
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
          /^The budgets that you set could not be read: .* was damaged, and there is no copy of it\. What it said is lost\. The damaged file is kept as /,
        ),
      ])
      const aside = told[0]?.match(/kept as (.*)\.$/)?.[1] ?? ''
      expect(readFileSync(aside, 'utf8')).toBe(text)
    },
  )
})
