import { type KeptChoice, keptChoice } from './kept-choice.ts'

/** Light or dark. Read through `useSyncExternalStore`, as all of these. */
export const theme = onRoot('theme', ['system', 'light', 'dark'])

/** How high rows and lines are. */
export const density = onRoot('density', ['comfortable', 'compact'])

/** What stands beside a page: projects and filters, or a session's outline. */
export const sidebar = onRoot('sidebar', ['shown', 'hidden'])

/** Outline and strip beside a conversation. */
export const outline = onRoot('outline', ['shown', 'hidden'])

export const OPENED_PARTS = ['failures', 'edits', 'thoughts'] as const
export type OpenedPart = (typeof OPENED_PARTS)[number]

/** What of a conversation is open before the reader chose. */
export const openAtFirst = keptChoice<readonly OpenedPart[]>(
  'gemini-dash.open-at-first',
  (kept) => (kept === null ? ['failures'] : OPENED_PARTS.filter((part) => kept.split(' ').includes(part))),
  (parts) => parts.join(' '),
)

/** The next of its values, and again from the first. */
export function stepThrough<Value extends string>(
  choice: KeptChoice<Value> & { values: readonly Value[] },
): void {
  const { values } = choice
  const next = values[(values.indexOf(choice.get()) + 1) % values.length]
  if (next !== undefined) choice.set(next)
}

/**
 * One of a few words, the first where nothing was chosen; any other stands at the root, where the styles see it.
 * public/theme.js puts it there before the first paint.
 */
function onRoot<const Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const [first] = values
  const kept = keptChoice<Value>(
    `gemini-dash.${name}`,
    (text) => values.find((value) => value === text) ?? first,
    (value) => (value === first ? null : value),
  )
  kept.subscribe(() => {
    const value = kept.get()
    if (value === first) delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = value
  })
  return { ...kept, values }
}
