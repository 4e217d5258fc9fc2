import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { machineTime } from '../fixtures/machine-time.ts'
import { atRest, restingTop } from './fixtures/at-rest.ts'
import { expect, test } from './fixtures/test.ts'
import { chatsOf, writeAsCli } from './fixtures/write-as-cli.ts'

test.use({ ownProgram: 'live-growth' })

test('whatever is written to a log, what the reader opened, selected and focused stays', async ({
  page,
  program,
}) => {
  const id = '5ab10000-1111-4222-8333-444455556666'
  const file = join(chatsOf(program), `session-2026-11-21T23-00-${id.slice(0, 8)}.jsonl`)
  const write = (record: object) => writeAsCli(file, 'record', JSON.stringify(record))
  const records = [
    metadata(id),
    prompt('gone', 'Words that were rewound'),
    answer('gone-answer', 'An answer that was taken back'),
    { $rewindTo: 'gone' },
    ...conversation(),
  ]
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await openWhenKnown(page, id)
  await page.getByRole('button', { name: /Turn 1 \(rewound\)/ }).click()
  const takenBack = page.getByText('An answer that was taken back')
  await expect(takenBack).toBeVisible()
  await openThree(page)
  const areKept = async () => {
    await expectKept(page)
    await expect(takenBack).toBeVisible()
  }
  // the session's data arrives after its messages, as may happen on a busy machine
  await page.route(`**/api/sessions/${id}?outline=*`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })

  await test.step('a message is appended', async () => {
    write(prompt('third', 'A third prompt'))
    await expect(page.getByRole('article').getByText('A third prompt')).toBeVisible()
    await areKept()
  })
  await test.step('a message is appended once more, in full, with the result of its call', async () => {
    write({
      ...answer('late', 'A late answer'),
      toolCalls: [call('late-call', 'late.txt', 'text of the late call')],
    })
    await expect(page.getByText('late.txt')).toBeVisible()
    await areKept()
  })
  await test.step('the last turn is rewound: it is folded, and has not vanished', async () => {
    write({ $rewindTo: 'third' })
    await expect(page.getByRole('button', { name: /Turn 4 \(rewound\)/ })).toBeVisible()
    await areKept()
  })
  await test.step('the context is compressed: what went before is still there to be read', async () => {
    const snapshot = prompt('snapshot', '<state_snapshot>\nAll was said.\n</state_snapshot>')
    write({ $set: { messages: [snapshot, answer('got-it', 'Got it. Thanks for the additional context!')] } })
    await expect(page.getByText('Context compressed')).toBeVisible()
    await areKept()
  })
})

test('a file that is rewritten whole at every event takes nothing from the reader', async ({
  page,
  program,
}) => {
  const id = '5ab20000-1111-4222-8333-444455556666'
  const file = join(chatsOf(program), `session-2026-11-21T23-01-${id.slice(0, 8)}.json`)
  const rewrite = (messages: object[]) => {
    writeFileSync(`${file}.new`, JSON.stringify({ ...metadata(id), messages }, null, 2))
    renameSync(`${file}.new`, file)
  }
  rewrite(conversation())
  await openWhenKnown(page, id)
  await openThree(page)
  rewrite([...conversation(), prompt('third', 'A third prompt')])
  await expect(page.getByRole('article').getByText('A third prompt')).toBeVisible()
  await expectKept(page)
  rewrite([...conversation(), prompt('third', 'A third prompt'), answer('fourth', 'A fourth answer')])
  await expect(page.getByText('A fourth answer')).toBeVisible()
  await expectKept(page)
})

test('the head says what the end of the log waits for', async ({ page, program }) => {
  const id = '5ab30000-1111-4222-8333-444455556666'
  const file = join(chatsOf(program), `session-2026-11-21T23-02-${id.slice(0, 8)}.jsonl`)
  const now = () => ({ timestamp: machineTime().toISOString() })
  const write = (record: object) => writeAsCli(file, 'record', JSON.stringify(record))
  write(metadata(id))
  write({ ...prompt('first', 'Mend it'), ...now() })
  await openWhenKnown(page, id)
  await expect(page.getByText(/Running: waiting for the model/)).toBeVisible()
  write({ ...answer('calls', ''), ...now() })
  await expect(page.getByText('Running: a tool, or waiting for your approval')).toBeVisible()
  write({ ...answer('says', 'It is mended.'), ...now() })
  await expect(page.getByText('waiting for you', { exact: false }).first()).toBeVisible()
})

test('following can be paused at the end, and new messages are counted until it goes on', async ({
  page,
  program,
}) => {
  const id = '5ab40000-1111-4222-8333-444455556666'
  const file = join(chatsOf(program), `session-2026-11-21T23-03-${id.slice(0, 8)}.jsonl`)
  const answers = Array.from({ length: 30 }, (_, place) =>
    answer(`many-${place}`, `Answer ${place + 1} of many`),
  )
  writeFileSync(file, [metadata(id), ...answers].map((record) => `${JSON.stringify(record)}\n`).join(''))
  writeAsCli(file, 'answer', 'An answer of just now')
  await openWhenKnown(page, id)
  await expect(page.getByText('Answer 1 of many', { exact: true })).toBeVisible()
  const pause = page.getByRole('button', { name: 'Following; pause' })
  await expect(async () => {
    await page.keyboard.press('Shift+G')
    await expect(pause).toBeInViewport({ timeout: 60_000 })
  }).toPass()
  await pause.click()
  const before = await atRest(() => page.evaluate('scrollY'))
  // new content is first a placeholder and then a message: its page is slow here, as on a busy machine
  await page.route('**/messages?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  writeAsCli(file, 'answer', 'Words that nobody follows')
  await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible()
  writeAsCli(file, 'answer', 'More of them')
  const pill = page.getByRole('button', { name: '2 new messages' })
  await expect(pill).toBeVisible()
  await expect(page.getByText('More of them')).toBeAttached()
  expect(await page.evaluate('scrollY')).toBe(before)
  await pill.click()
  await expect(page.getByText('More of them')).toBeInViewport()
  await expect(pause).toBeVisible()
})

test('what is read stays where it is, however often the head changes its height meanwhile', async ({
  page,
  program,
}) => {
  const id = '5ab50000-1111-4222-8333-444455556666'
  const file = join(chatsOf(program), `session-2026-11-21T23-04-${id.slice(0, 8)}.jsonl`)
  const answers = Array.from({ length: 40 }, (_, place) => answer(`read-${place}`, `Answer ${place + 1}`))
  writeFileSync(file, [metadata(id), ...answers].map((record) => `${JSON.stringify(record)}\n`).join(''))
  await openWhenKnown(page, id)
  const read = page.getByText('Answer 16', { exact: true })
  await read.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const before = await restingTop(read)
  const shake = (isOn: boolean) =>
    page.evaluate(`(() => {
      const { style } = document.querySelector('main h1')
      let step = 0
      clearInterval(window.shaking)
      if (${isOn}) window.shaking = setInterval(() => { style.paddingBottom = (step++ % 2) * 52 + 'px' }, 20)
      else style.paddingBottom = ''
    })()`)
  await shake(true)
  for (let count = 1; count <= 10; count++) {
    writeAsCli(file, 'answer', `Written meanwhile, ${count}`)
    await expect(page.getByRole('button', { name: new RegExp(`^${count} new message`) })).toBeVisible()
  }
  await shake(false)
  await expect.poll(async () => (await read.boundingBox())?.y).toBeCloseTo(before, 0)
})

/** Opens thoughts, a tool call and its text, selects words, and focuses the head of the thoughts. */
async function openThree(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Thinking.*Weighing the choice/ }).click()
  await page.getByRole('button', { name: /ReadFile.*choice\.txt/ }).click()
  await page.getByRole('button', { name: /^Thinking/ }).focus()
  await page.evaluate(
    `getSelection().selectAllChildren([...document.querySelectorAll('article p')].find((paragraph) =>
      paragraph.textContent.includes('The words that are selected')))`,
  )
  await expectKept(page)
}

async function expectKept(page: Page): Promise<void> {
  await expect(page.getByText('The left one is lighter.')).toBeVisible()
  await expect(page.getByText('text of the choice')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Thinking/ })).toBeFocused()
  expect(await page.evaluate('getSelection().toString()')).toContain('The words that are selected')
}

function conversation(): object[] {
  const thoughts = [
    { subject: 'Weighing the choice', description: 'The left one is lighter.', timestamp: TIME },
  ]
  return [
    prompt('first', 'The first prompt'),
    {
      ...answer('thinking', 'The words that are selected'),
      thoughts,
      toolCalls: [call('choice-call', 'choice.txt', 'text of the choice')],
    },
    prompt('second', 'The second prompt'),
    answer('late', 'A late answer'),
  ]
}

const TIME = '2026-11-21T23:00:00.000Z'

function metadata(sessionId: string) {
  return { sessionId, projectHash: 'c'.repeat(64), startTime: TIME, lastUpdated: TIME, kind: 'main' }
}

function prompt(id: string, text: string) {
  return { id, timestamp: TIME, type: 'user', content: [{ text }] }
}

function answer(id: string, content: string) {
  const tokens = { input: 100, output: 10, cached: 0, thoughts: 5, tool: 0, total: 115 }
  return { id, timestamp: TIME, type: 'gemini', content, thoughts: [], tokens, model: 'gemini-2.5-pro' }
}

function call(id: string, path: string, output: string) {
  const response = { id, name: 'read_file', response: { output } }
  return {
    id,
    name: 'read_file',
    displayName: 'ReadFile',
    description: path,
    args: { file_path: path },
    result: [{ functionResponse: response }],
    status: 'success',
    timestamp: TIME,
  }
}

/** The watcher must find a new file before its address works. */
async function openWhenKnown(page: Page, id: string): Promise<void> {
  await expect.poll(async () => (await page.request.get(`/api/sessions/${id}`)).status()).toBe(200)
  await page.goto(`/s/${id}`)
}
