import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { onlyGooglePrices } from './only-google-prices.ts'

const fromPricing = createRequire(new URL('../../../packages/pricing/package.json', import.meta.url))
const list = fromPricing.resolve('@pydantic/genai-prices').replace(/index\.cjs$/, 'index.js')

const MODELS = ['gemini-2.5-pro', 'gemini-3-pro-preview', 'claude-sonnet-4-5', 'gpt-5', 'no-such-model']

test('what is asked of the price list is answered as by the whole of it, and the rest is not loaded', async () => {
  const { transform } = onlyGooglePrices() as unknown as {
    transform: (this: unknown, code: string, id: string) => { code: string }
  }
  const context = { parse: (code: string) => parseSync('index.js', code).program }
  const whole = readFileSync(list, 'utf8')
  const { code } = transform.call(context, whole, list)
  expect(code.length).toBeLessThan(whole.length / 4)
  expect(() => transform.call(context, whole.replaceAll('"google"', '"other"'), list)).toThrow('google')

  const folder = mkdtempSync(join(tmpdir(), 'prices-'))
  writeFileSync(join(folder, 'list.mjs'), code)
  const [all, ours] = [await import(list), await import(pathToFileURL(join(folder, 'list.mjs')).href)]
  rmSync(folder, { recursive: true })
  expect(ours.findProvider({ providerId: 'google' })).toEqual(all.findProvider({ providerId: 'google' }))
  const timestamp = new Date('2026-11-20T12:00:00Z')
  const answers = ({ calcPrice }: typeof all) =>
    MODELS.map(
      (model) => calcPrice({ input_tokens: 1 }, model, { providerId: 'google', timestamp })?.total_price,
    )
  expect(answers(ours)).toEqual(answers(all))
})
