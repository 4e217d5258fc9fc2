import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findPrice } from './models.ts'
import { LIST_PRICES } from './price-overrides.ts'
import { PRICE_LIST } from './prices-stamp.ts'

const find = (name: string, day = '2026-11-22') => findPrice(name, day, LIST_PRICES)

/** Recorded name → the name under which its price is listed, and input, cached and output rate of the lowest tier. */
const PRICED: Record<string, [priced: string, input: number, cached: number, output: number]> = {
  // Requested by the CLI (0.1 to 0.61) itself.
  'gemini-2.5-pro': ['gemini-2.5-pro', 1.25, 0.125, 10],
  'gemini-2.5-flash': ['gemini-2.5-flash', 0.3, 0.03, 2.5],
  'gemini-2.5-flash-lite': ['gemini-2.5-flash-lite', 0.1, 0.01, 0.4],
  'gemini-3-pro-preview': ['gemini-3-pro-preview', 2, 0.2, 12],
  'gemini-3-flash-preview': ['gemini-3-flash-preview', 0.5, 0.05, 3],
  'gemini-3.1-pro-preview': ['gemini-3.1-pro-preview', 2, 0.2, 12],
  'gemini-3.1-pro-preview-customtools': ['gemini-3.1-pro-preview', 2, 0.2, 12],
  'gemini-3.1-flash-lite': ['gemini-3.1-flash-lite', 0.25, 0.025, 1.5],
  'gemini-3.5-flash': ['gemini-3.5-flash', 1.5, 0.15, 9],
  'gemini-3.5-flash-lite': ['gemini-3.5-flash-lite', 0.3, 0.03, 2.5],
  'gemini-3.8-flash': ['gemini-3.8-flash', 0.75, 0.075, 3.75],
  // Other spellings of them.
  'models/gemini-2.5-pro': ['gemini-2.5-pro', 1.25, 0.125, 10],
  'publishers/google/models/gemini-2.5-pro': ['gemini-2.5-pro', 1.25, 0.125, 10],
  'projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash': [
    'gemini-2.5-flash',
    0.3,
    0.03,
    2.5,
  ],
  'google/gemini-2.5-pro': ['gemini-2.5-pro', 1.25, 0.125, 10],
  ' Gemini-2.5-Pro ': ['gemini-2.5-pro', 1.25, 0.125, 10],
  // As recorded by Antigravity CLI: the chosen label, or with a thinking level.
  'Gemini 3.5 Flash (Medium)': ['gemini-3.5-flash', 1.5, 0.15, 9],
  'Gemini 3.5 Flash Lite': ['gemini-3.5-flash-lite', 0.3, 0.03, 2.5],
  'claude-opus-4-6-thinking': ['claude-opus-4-6', 5, 0.5, 25],
  'gemini-2.5-pro-high': ['gemini-2.5-pro', 1.25, 0.125, 10],
  // Dated, numbered and preview editions.
  'gemini-2.5-pro-preview-05-06': ['gemini-2.5-pro', 1.25, 0.125, 10],
  'gemini-2.5-pro-preview-06-05': ['gemini-2.5-pro', 1.25, 0.125, 10],
  'gemini-2.5-pro-latest': ['gemini-2.5-pro', 1.25, 0.125, 10],
  'gemini-2.5-flash-001': ['gemini-2.5-flash', 0.3, 0.03, 2.5],
  'gemini-2.5-flash-latest': ['gemini-2.5-flash', 0.3, 0.03, 2.5],
  'gemini-2.5-flash-preview-09-2025': ['gemini-2.5-flash', 0.3, 0.03, 2.5],
  'gemini-2.5-flash-lite-preview-06-17': ['gemini-2.5-flash-lite', 0.1, 0.01, 0.4],
  'gemini-2.5-flash-preview-05-20': ['gemini-2.5-flash-preview', 0.15, 0.15, 0.6],
  'gemini-2.0-flash': ['gemini-2.0-flash', 0.1, 0.025, 0.4],
  'gemini-2.0-flash-001': ['gemini-2.0-flash', 0.1, 0.025, 0.4],
  'gemini-2.0-flash-exp': ['gemini-2.0-flash', 0.1, 0.025, 0.4],
  'gemini-3-pro-preview-11-2025': ['gemini-3-pro-preview', 2, 0.2, 12],
}

const UNKNOWN: Record<string, string[]> = {
  'routing-name': ['auto', 'auto-gemini-2.5', 'auto-gemini-3', 'pro', 'flash', 'flash-lite'],
  'unpriced-model': ['gemma-3-27b-it', 'gemma-4-31b-it', 'gemma-4-26b-a4b-it', 'models/gemma-3n-e4b-it'],
  'unknown-model': [
    // Antigravity CLI's internal names, and models it has no name for.
    'gemini-3-flash-a',
    'gemini-default',
    'MODEL_PLACEHOLDER_M50',
    // The list’s own rules would give these the price of the model they start with.
    'gemini-3.8-flash-lite',
    'gemini-2.5-pro-exp-03-25',
    'gemini-2.5-pro-tuned-by-us',
    'gemini-3-pro-preview-image',
    'my-gemini-1.5-pro-proxy',
    // Names whose target changes every few months.
    'gemini-pro-latest',
    'gemini-flash-latest',
    // No price was published under these.
    'gemini-3-flash',
    'gemini-2.5-flash-preview-12-2025',
    'gemini-9-pro',
    'tunedModels/mine',
    'openrouter/google/gemini-2.5-pro',
    'gpt-5',
    'acme-model-9',
    'model-1',
    'toString',
    `gemini-2.5-pro${'-'.repeat(10_000)}`,
  ],
}

describe('the price of a recorded name', () => {
  it.each(Object.entries(PRICED))('is known: %s', (name, [priced, input, cached, output]) => {
    const found = find(name)
    expect(found.priced).toBe(priced)
    expect(found.price?.tiers[0]).toEqual({ aboveInputTokens: 0, input, cached, output })
  })

  it.each(Object.entries(UNKNOWN).flatMap(([reason, names]) => names.map((name) => ({ name, reason }))))(
    'is not known: $name ($reason)',
    ({ name, reason }) => {
      expect(find(name)).toMatchObject({ price: null, reason })
    },
  )

  it('has a tier beyond 200,000 input tokens for the pro models, none for the others', () => {
    const starts = (name: string) => find(name).price?.tiers.map(({ aboveInputTokens }) => aboveInputTokens)
    for (const name of ['gemini-2.5-pro', 'gemini-3-pro-preview', 'gemini-3.1-pro-preview'])
      expect(starts(name)).toEqual([0, 200_000])
    for (const name of ['gemini-2.5-flash', 'gemini-3-flash-preview']) expect(starts(name)).toEqual([0])
    expect(starts('gemini-1.5-flash')).toEqual([0, 128_000])
  })

  it('is that of embeddings for input alone', () => {
    expect(find('gemini-embedding-001').price?.tiers[0]).toEqual({
      aboveInputTokens: 0,
      input: 0.15,
      cached: 0.15,
      output: null,
    })
  })
})

describe('names in the fixtures', () => {
  it('are all in these tables', () => {
    const known = new Set([...Object.keys(PRICED), ...Object.values(UNKNOWN).flat()])
    const recorded = ['homes', 'home', 'sessions'].flatMap(modelsBelow)
    expect(recorded.length).toBeGreaterThan(1000)
    expect([...new Set(recorded)].filter((name) => !known.has(name))).toEqual([])
  })

  function modelsBelow(name: string): string[] {
    const folder = fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url))
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name) && entry.parentPath.includes('chats'))
      .flatMap((entry) => {
        const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
        return [...text.matchAll(/"model": ?"([^"\\]+)"/g)].map(([, model = '']) => model)
      })
  }
})

describe('the price list', () => {
  it('is the edition that explanations name', () => {
    const place = createRequire(import.meta.url).resolve('@pydantic/genai-prices')
    const manifest = z.object({ name: z.string(), version: z.string() })
    const { name, version } = manifest.parse(
      JSON.parse(readFileSync(join(place, '../../package.json'), 'utf8')),
    )
    expect({ name, version }).toEqual({ name: PRICE_LIST.name, version: PRICE_LIST.version })
  })
})
