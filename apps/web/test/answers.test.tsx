import type { CostWhy, SessionCost } from '@gemini-dash/api'
import { sessionPath } from '@gemini-dash/api/paths'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import type { ChangeStep, SessionChanges } from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CommandStep } from '../src/features/session-changes.tsx'
import { formatClock } from '../src/lib/dates.ts'
import { askDetail, ROUNDING } from './ask-server.ts'
import { openPage } from './open-page.tsx'

const [WORKED, FAILED] = ['2026-11-25T11:14:04.000Z', '2026-11-25T11:14:46.000Z']
const STILL_FAILING: Extract<ChangeStep, { kind: 'command' }> = {
  kind: 'command',
  messageKey: 'm',
  offset: 3,
  callId: 'c',
  timestamp: FAILED,
  superseded: null,
  command: 'npm run build',
  folder: null,
  state: 'failed',
  exitCode: 2,
  said: 'error TS2304',
  fate: 'stillFailing',
  sinceWorked: { worked: { messageKey: 'w', timestamp: WORKED }, count: 3, files: ['a.ts', 'b.ts'] },
  isFirstFailure: true,
  isLastRun: true,
}

async function ask<Answer>(path: string): Promise<Answer> {
  return (await fetch(path)).json()
}

const texts = (selector: string) =>
  [...document.querySelectorAll(selector)].map((each) => each.textContent?.trim() ?? '')
const drawnAt = (selector: string) => expect.poll(() => document.querySelector(selector)).not.toBeNull()

describe('the changes of a session', () => {
  test('are its edits and commands in order, under their prompts, with diffs open and the fate of each', async () => {
    const { turns, files } = await ask<SessionChanges>(sessionPath('changes', ROUNDING))
    await openPage(`/s/${ROUNDING}?view=changes`)
    await drawnAt('.change .diff-table tr')
    const steps = turns.flatMap((turn) => turn.steps)
    expect(texts('.change-name')).toEqual(
      steps.map((step) => (step.kind === 'edit' ? step.name : step.command)),
    )
    expect(texts('.changes-feed h2')).toHaveLength(turns.length)
    expect(texts('.changes-files li')).toEqual(files.map(({ name }) => name))
    const failed = steps.flatMap((step) => (step.kind === 'command' && step.state === 'failed' ? [step] : []))
    expect(failed.map(({ fate }) => fate)).toEqual(['neverRerun'])
    expect(texts('.change-run.amber')).toEqual([
      expect.stringMatching(/failed, exit 1.*Not rerun after this\..*AssertionError: expected/),
    ])
    expect(texts('.change-file .change-state')).toContain('Not made')
    // after another word a state starts in lower case
    const undone = steps.filter((step) => step.kind === 'edit' && step.superseded !== null)
    expect(texts('.change-state').filter((text) => /, [a-z]/.test(text)).length).toBeGreaterThanOrEqual(
      undone.length,
    )
    expect(texts('.change-state').filter((text) => /, [A-Z]/.test(text))).toEqual([])
  })

  test('lead from a file in the list to its last edit, and from an edit to the history of its file and to the conversation', async () => {
    const { files } = await ask<SessionChanges>(sessionPath('changes', ROUNDING))
    const router = await openPage(`/s/${ROUNDING}?view=changes`)
    await drawnAt('.change')
    const last = files.at(-1)
    await page
      .getByRole('navigation', { name: 'Changed files' })
      .getByText(last?.name ?? '')
      .click()
    expect(document.activeElement?.textContent).toBe(last?.name)
    const edit = document.activeElement
    await page.getByRole('link', { name: 'Open in conversation' }).first().click()
    expect(router.state.location.search).toEqual({})
    expect(router.state.location.hash).toMatch(/^m-/)
    expect(edit?.getAttribute('href')).toContain(`/search?q=file%3A`)
  })
})

test('a command that still fails says in red when it worked, when it failed, and what was edited in between', async () => {
  const root = createRootRoute({
    component: () => <CommandStep step={STILL_FAILING} sessionRef="a" />,
  })
  const session = createRoute({ getParentRoute: () => root, path: '/s/$key' })
  const router = createRouter({
    routeTree: root.addChildren([session]),
    history: createMemoryHistory({ initialEntries: ['/s/a'] }),
  })
  const { container } = await render(<RouterProvider router={router as never} />)
  await expect.poll(() => container.querySelector('.change-run.red')).not.toBeNull()
  const at = (iso: string) => formatClock(iso, 'seconds')
  expect([...container.querySelectorAll('.change-run > p')].map((line) => line.textContent)).toEqual([
    'npm run buildfailed, exit 2Open in conversation',
    `Worked at ${at(WORKED)}, failed at ${at(FAILED)}, 3 edits in between: a.ts, b.ts`,
    'Not rerun after this. Still failing when the session ended.',
    'error TS2304',
  ])
})

describe('the cost of a session', () => {
  test('says why, shows the context, and has requests and tokens of each kind of every turn outside of the fold', async () => {
    const why = await ask<CostWhy>(sessionPath('why', ROUNDING))
    const { family } = await ask<SessionCost>(sessionPath('cost', ROUNDING))
    const { outline } = await askDetail(ROUNDING)
    await openPage(`/s/${ROUNDING}?view=cost`)
    // reasons, turns and context load separately
    await drawnAt('.turn-costs tfoot')
    await drawnAt('.why-usd')
    expect(texts('.why-usd')).toEqual(why.lines.map(({ shown }) => shown))
    await drawnAt('.context-line')
    expect(texts('.context-rate text')).toEqual(['200k', 'Higher rate above this line'])
    expect(texts('.context-plot .plot-strong')).toEqual(['Compressed, 208k to 11.9k'])
    expect(texts('.turn-costs thead th')).toEqual([
      'Turn',
      'Requests',
      'New input',
      'Cached input',
      'Output',
      'Thinking',
      'Tokens',
      'Cost',
    ])
    await page.getByRole('button', { name: /^Show \d+ more turns/ }).click()
    const rows = () => document.querySelectorAll('.turn-costs tbody tr').length
    await expect.poll(rows).toBe(outline.length + (family?.subagents.length ?? 0))
    expect(document.querySelector('.turn-costs tfoot')?.textContent).toBe('Total28301k638k2.3k2.2k943k$0.68')
  })

  test('has the arithmetic folded, in which the bill adds up to the total', async () => {
    await openPage(`/s/${ROUNDING}?view=cost`)
    await drawnAt('.arithmetic')
    expect(document.querySelector('.arithmetic table')).toBeNull()
    await page.getByRole('button', { name: /^All the arithmetic/ }).click()
    const bill = () => document.querySelector('table[aria-label="Bill"]')
    await expect.poll(() => bill()).not.toBeNull()
    const usd = [...(bill()?.querySelectorAll('tbody td:last-child') ?? [])].map((cell) =>
      Number((cell as HTMLElement).title.slice(1)),
    )
    expect(usd.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0.680727025, 9)
    expect(bill()?.querySelector('tfoot')?.textContent).toBe('Total942,922$0.6807')
    for (const name of ['Most re-sent', 'Same tokens, other prices', 'Repeated work'])
      await expect.element(page.getByRole('table', { name })).toBeVisible()
  })

  test('has an address of before', async () => {
    await openPage(`/s/${ROUNDING}?view=context`)
    await drawnAt('.session-cost .why-panel')
  })
})
