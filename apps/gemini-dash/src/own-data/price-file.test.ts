import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIST_PRICES } from '@gemini-dash/pricing/overrides'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPriceFile } from './price-file.ts'

let folder: string
let file: string
let told: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-prices-'))
  file = join(folder, 'prices.json')
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (place = folder) => openPriceFile(place, (problem) => told.push(problem ?? 'mended'))
const write = (content: object) => writeFileSync(file, JSON.stringify(content))

describe('the prices that a user wrote down', () => {
  it('are list prices where nothing is written, also without a folder', () => {
    expect(open().current()).toBe(LIST_PRICES)
    expect(open(join(folder, 'none')).current()).toBe(LIST_PRICES)
    expect(told).toEqual([])
  })

  it('are read again when the file changes or goes, and only then', () => {
    const table = open()
    expect(table.current().aliases).toEqual({})
    write({ version: 1, aliases: { mine: 'gemini-2.5-pro' } })
    const prices = table.current()
    expect(prices.aliases).toEqual({ mine: 'gemini-2.5-pro' })
    expect(table.current()).toBe(prices)
    write({ version: 1, aliases: { mine: 'gemini-2.5-flash' } })
    expect(table.current().aliases).toEqual({ mine: 'gemini-2.5-flash' })
    rmSync(file)
    expect(table.current()).toBe(LIST_PRICES)
  })

  it('that cannot be used are told of once a writing, with file and place, and list prices stand in', () => {
    write({ version: 1, models: { 'my-model': { inputPerMillion: 'cheap', outputPerMillion: 1 } } })
    const table = open()
    expect([table.current(), table.current()]).toEqual([LIST_PRICES, LIST_PRICES])
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`Your prices in ${file} are not used: models["my-model"].inputPerMillion: `)
    expect(table.problem()).toBe(told[0])
    write({ version: 1, plan: 'nothing' })
    expect(table.current().plan).toBe('nothing')
    expect(table.problem()).toBeNull()
  })

  it('may be no file at all, or far too large', () => {
    mkdirSync(file)
    expect(open().current()).toBe(LIST_PRICES)
    rmSync(file, { recursive: true })
    writeFileSync(file, ' '.repeat(4 * 1024 * 1024 + 1))
    expect(open().current()).toBe(LIST_PRICES)
    expect(told).toEqual([
      expect.stringContaining('it is a folder'),
      expect.stringContaining('larger than 4 MB'),
    ])
  })
})
