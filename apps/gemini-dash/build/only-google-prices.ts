import type { Plugin } from 'vite'

const LIST = '@pydantic/genai-prices/dist/index.js'
const OURS = 'google'

interface Node {
  type: string
  start: number
  end: number
}
interface Property extends Node {
  key: Node & { name?: string; value?: unknown }
  value: Node & { value?: unknown; elements?: ({ value?: unknown } | null)[] }
}

/**
 * The list covers every provider, half a megabyte to load at every start; only Google's models and those they fall back to are ever needed.
 * @throws if the format of the list has changed
 */
export function onlyGooglePrices(): Plugin {
  return {
    name: 'only-google-prices',
    apply: 'build',
    transform(code, id) {
      if (!id.replaceAll('\\', '/').endsWith(LIST)) return null
      const providers = providersIn(this.parse(code) as unknown as { body: Node[] })
      const google = providers.find((each) => textOf(each, 'id') === OURS)
      if (google === undefined) throw new Error(`${LIST} names no provider "${OURS}" where it was expected`)
      const fallbacks = propertyOf(google, 'fallback_model_providers')?.elements ?? []
      const wanted = new Set([OURS, ...fallbacks.map((each) => each?.value)])
      const kept = providers.filter((each) => wanted.has(textOf(each, 'id')))
      const [first, last] = [providers[0] as Node, providers.at(-1) as Node]
      const list = kept.map(({ start, end }) => code.slice(start, end)).join(',')
      return { code: code.slice(0, first.start) + list + code.slice(last.end), map: null }
    },
  }
}

type Provider = Node & { properties: Property[] }

/** The first constant of the file. */
function providersIn({ body }: { body: Node[] }): Provider[] {
  const [declaration] = body.flatMap((each) => ('declarations' in each ? (each.declarations as Node[]) : []))
  const list = declaration !== undefined && 'init' in declaration ? (declaration.init as Node) : null
  return list !== null && 'elements' in list ? (list.elements as Provider[]) : []
}

function propertyOf({ properties }: Provider, name: string): Property['value'] | undefined {
  return properties.find(({ key }) => key.name === name || key.value === name)?.value
}

function textOf(provider: Provider, name: string): unknown {
  return propertyOf(provider, name)?.value
}
