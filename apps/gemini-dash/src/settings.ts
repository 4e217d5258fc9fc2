import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings, SettingsChange } from '@gemini-dash/api'
import { PRICE_LIST, type PriceOverrides } from '@gemini-dash/pricing/overrides'
import type { TokenStore } from './access.ts'
import type { HomeNames, PriceTable } from './own-data/price-file.ts'
import type { OwnCache } from './store/cache.ts'
import type { Store } from './store/store.ts'

interface OwnSettingsParts {
  store: Store
  /** null: nothing is kept, as with `--no-cache` and for the samples. */
  dataFolder: string | null
  /** Signed-in browsers; null if no sign-in is required. */
  browsers: Pick<TokenStore, 'count' | 'revokeAll'> | null
  cache: OwnCache
  homeNames: HomeNames
  prices: PriceTable
}

/** What the data folder contains, by prefix of the file names. */
const PARTS: readonly [name: RegExp, what: string][] = [
  [/\.damaged-/, 'A damaged file, set aside: delete it if nothing is missing'],
  [/^prices\.json\.before/, 'Your prices before the last change'],
  [/\.copy$/, 'A copy in case of damage'],
  [/^keys\.jsonl/, 'Which session each link means: hashes, and ids of first messages'],
  [/^marks\.jsonl/, 'Your stars, notes, tags and titles'],
  [/^views\.json/, 'Your saved views'],
  [/^homes\.json/, 'Your labels for Gemini folders'],
  [/^projects\.json/, 'Project names and folders, set by you or found'],
  [/^prices\.json/, 'Your prices and your plan'],
  [/^budgets\.json/, 'Your budgets'],
  [/^keep\.json/, 'Which Gemini folders are archived, and the limits'],
  [/^archive$/, 'The archive: every version of every session, while it is on'],
  [/^home-writes$/, 'The log of changes to the Gemini folder by Recover and Move'],
  [/^forgotten\.json/, 'Hashes of sessions that you deleted, so they are not archived again'],
  [/^forgetting$/, 'A session that is being deleted from gemini-dash'],
  [/^browser-sessions$/, 'Which browsers are signed in: hashes'],
  [/^(?:codes|command-sessions)$/, 'One-time codes: hashes'],
  [/^writing\.json/, 'Which gemini-dash is writing to one of these'],
  [/^servers$/, 'Which gemini-dash are running'],
  [/^open-[0-9a-f]{16}\.html$/, 'The page that opens your browser; gone within a minute'],
]

/** What the program keeps on this computer, including the choices made on the settings page. */
export class OwnSettings {
  readonly #parts: OwnSettingsParts

  constructor(parts: OwnSettingsParts) {
    this.#parts = parts
  }

  async read(): Promise<Omit<Settings, 'schemaVersion'>> {
    const { dataFolder, browsers, cache, prices } = this.#parts
    const { plan, models, aliases } = prices.current()
    return {
      data: dataFolder === null ? null : { path: dataFolder, parts: await partsOf(dataFolder) },
      cache: cache.state(),
      signIn: browsers !== null,
      browsers: browsers?.count() ?? null,
      homes: this.#homes(),
      prices: {
        list: PRICE_LIST,
        used: await this.#usedPrices(),
        file: dataFolder === null ? null : prices.file,
        problem: prices.problem(),
        plan,
        models: Object.entries(models).map(([name, { tiers, from, ...rates }]) => ({
          name,
          inputPerMillion: rates.inputPerMillion,
          cachedPerMillion: rates.cachedPerMillion ?? null,
          outputPerMillion: rates.outputPerMillion,
          saysMore: tiers !== undefined || from !== undefined,
        })),
        aliases: Object.entries(aliases).map(([name, model]) => ({ name, model })),
      },
    }
  }

  /** Returns whether prices have changed. @throws if it could not be saved; what was saved before stays */
  change({ signOutBrowsers, homes, plan, price }: SettingsChange): boolean {
    const { dataFolder, browsers, homeNames, prices } = this.#parts
    if (signOutBrowsers === true) {
      browsers?.revokeAll()
      return false
    }
    if (dataFolder === null) throw new Error('this dashboard saves nothing')
    if (homes !== undefined) {
      const clash = sharedLabel(this.#homes(), homes)
      if (clash !== null) throw new Error(`two Gemini folders can’t both be called ${clash}`)
      homeNames.change(homes)
    }
    if (plan === undefined && price === undefined) return false
    prices.update((before) => ({
      ...before,
      plan: plan ?? before.plan,
      models: withPrice(before.models, price),
    }))
    return true
  }

  /** The price list is slow to load, so it is imported only where it is needed. */
  async #usedPrices(): Promise<Settings['prices']['used']> {
    const { listedRates } = await import('@gemini-dash/pricing')
    const { rows } = this.#parts.store.usage({ by: 'model', format: 'json' })
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
    return rows.flatMap(({ key: model }) => {
      const rates = listedRates(model, today)
      return rates === null ? [] : [{ model, ...rates }]
    })
  }

  #homes(): Settings['homes'] {
    const { store, homeNames } = this.#parts
    const given = homeNames.all()
    const { homes } = store.health()
    return homes.map(({ path, label, exists }) => ({
      path,
      exists,
      label,
      ownLabel: given.get(path) ?? null,
    }))
  }
}

/** A label that more than one home would have; null if none. */
function sharedLabel(homes: Settings['homes'], changes: NonNullable<SettingsChange['homes']>): string | null {
  const said = new Map(changes.map(({ path, label }) => [path, label]))
  const labels = homes.map(
    ({ path, label, ownLabel }) => said.get(path) ?? (said.has(path) ? null : (ownLabel ?? label)),
  )
  return labels.find((label, place) => label !== null && labels.indexOf(label) !== place) ?? null
}

function withPrice(
  models: PriceOverrides['models'],
  change: SettingsChange['price'],
): PriceOverrides['models'] {
  if (change === undefined) return models
  const { [change.model]: _before, ...others } = models
  if (change.price === null) return others
  const { inputPerMillion, cachedPerMillion, outputPerMillion } = change.price
  const cached = cachedPerMillion === null ? {} : { cachedPerMillion }
  return { ...others, [change.model]: { inputPerMillion, ...cached, outputPerMillion } }
}

async function partsOf(folder: string): Promise<NonNullable<Settings['data']>['parts']> {
  const names = await namesIn(folder)
  return Promise.all(
    names.map(async (name) => ({
      name,
      what: PARTS.find(([pattern]) => pattern.test(name))?.[1] ?? null,
      sizeBytes: await sizeOf(join(folder, name)),
    })),
  )
}

/** Of a file, or of all files below a folder, one after the other: an archive has many. Does not follow links. */
async function sizeOf(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isDirectory()) return stats?.isFile() ? stats.size : 0
  let sizeBytes = 0
  for (const name of await namesIn(path)) sizeBytes += await sizeOf(join(path, name))
  return sizeBytes
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}
