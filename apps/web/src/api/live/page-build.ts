let isOutdated = false
const listeners = new Set<() => void>()

/**
 * Whether the server came back with another build of the page than this tab was loaded from: parts that were not loaded yet
 * may be gone. Read through `useSyncExternalStore`.
 */
export const pageBuild = {
  isOutdated: (): boolean => isOutdated,
  /** `script`: what the server's page begins with now; null where it has none. */
  serverHas(script: string | null) {
    const own = ownScript()
    const next = own !== null && script !== null && own !== script
    if (next === isOutdated) return
    isOutdated = next
    for (const notify of listeners) notify()
  },
  /** Asks the server for its page. No answer, or one that is no page, says nothing of its build. */
  async ask(): Promise<void> {
    const answer = await fetch('/', { cache: 'no-store' }).catch(() => null)
    if (!answer?.ok) return
    const script = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(await answer.text())
    pageBuild.serverHas(script?.[1] ?? null)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** null for a page that is not built: `pnpm dev`. */
function ownScript(): string | null {
  const script = document.querySelector('script[type="module"][src^="/assets/"]')
  return script?.getAttribute('src') ?? null
}
