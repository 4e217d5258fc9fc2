import { QueryClientProvider } from '@tanstack/react-query'
import fc from 'fast-check'
import type { Message } from 'gemini-sessions'
import { Suspense } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { commands } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { machineTime } from '../../../fixtures/machine-time.ts'
import { createQueryClient } from '../src/api/request.ts'
import { OpenStore, OpenStoreContext } from '../src/features/conversation/open-store.ts'
import { ToolRack } from '../src/features/conversation/tool/tool.tsx'
import { askDetail, askMessages } from './ask-server.ts'
import { hostileCalls } from './hostile-calls.ts'
import './open-page.tsx'

/** TEST_SEED=4711 generates other calls. */
const SEED = Number(fc.readConfigureGlobal().seed)
const CALLS = Number(import.meta.env.VITE_CARDS ?? 80)
const CALLS_A_MESSAGE = 8

describe('B13: a tool card', () => {
  afterEach(async () => {
    await cleanup()
    vi.restoreAllMocks()
  })

  test('of any tool is drawn, open, whatever was recorded of the call', async () => {
    const stored = hostileCalls(SEED, CALLS)
    const messages = await liftedOf(stored)
    expect(messages.flatMap(({ toolCalls }) => toolCalls)).toHaveLength(CALLS)
    const complaints = vi.spyOn(console, 'error')
    const bad: unknown[] = []
    for (const message of messages) {
      const { container } = await render(<Opened message={message} />)
      await expect.poll(() => container.querySelector('.loading-line')).toBeNull()
      const isDrawn = container.querySelectorAll('.call').length === message.toolCalls.length
      if (
        !isDrawn ||
        container.textContent?.includes('could not be drawn') ||
        complaints.mock.calls.length > 0
      )
        bad.push({ said: complaints.mock.calls.map(String), calls: storedOf(message, stored) })
      complaints.mockClear()
    }
    expect(bad).toEqual([])
  })

  test('of questions shows answers under headers that every object seems to have', async () => {
    const questions = ['constructor', '__proto__', 'toString', 'hasOwnProperty'].map((header) => ({
      header,
      question: `About ${header}?`,
      options: [{ label: `${header} it is`, description: '' }],
    }))
    const answers = '{"answers":{"__proto__":"__proto__ it is","toString":"toString it is"}}'
    const [message] = await liftedOf([
      {
        id: 'c0',
        name: 'ask_user',
        args: { questions },
        status: 'success',
        result: [{ functionResponse: { id: 'c0', name: 'ask_user', response: { output: answers } } }],
      },
    ])
    if (message === undefined) throw new Error('no message')
    const { container } = await render(<Opened message={message} />)
    const chosen = [...container.querySelectorAll('.choice.chosen b')].map((label) => label.textContent)
    expect(chosen).toEqual(['__proto__ it is', 'toString it is'])
    expect(container.querySelectorAll('.questions > li')).toHaveLength(4)
  })
})

const RUN = {
  text: '',
  bold: false,
  italic: false,
  underline: false,
  dim: false,
  inverse: false,
  fg: '',
  bg: '',
}

test('B13: a terminal has runs without text', async () => {
  const complaints = vi.spyOn(console, 'error')
  const [message] = await liftedOf([
    {
      id: 'c0',
      name: 'run_shell_command',
      args: { command: 'clear' },
      status: 'success',
      resultDisplay: [[RUN, { ...RUN, inverse: true }, { ...RUN, text: 'ready' }]],
      result: [{ functionResponse: { id: 'c0', name: 'run_shell_command', response: { output: '' } } }],
    },
  ])
  if (message === undefined) throw new Error('no message')
  const { container } = await render(<Opened message={message} />)
  await expect.poll(() => container.textContent).toContain('ready')
  expect(complaints.mock.calls).toEqual([])
  vi.restoreAllMocks()
})

/** A message with everything in its tool calls opened. */
function Opened({ message }: { message: Message }) {
  const store = new OpenStore(new Map(), () => true)
  return (
    <QueryClientProvider client={createQueryClient()}>
      <OpenStoreContext value={store}>
        <Suspense>
          <ToolRack messageKey={message.key} calls={message.toolCalls} isPending={false} />
        </Suspense>
      </OpenStoreContext>
    </QueryClientProvider>
  )
}

/** Written to a log, read by the program, and fetched as a page would. */
async function liftedOf(calls: object[]): Promise<Message[]> {
  const id = crypto.randomUUID()
  const records = Array.from({ length: Math.ceil(calls.length / CALLS_A_MESSAGE) }, (_, message) => ({
    id: `m${message}`,
    timestamp: machineTime().toISOString(),
    type: 'gemini',
    content: '',
    thoughts: [],
    model: 'gemini-2.5-pro',
    toolCalls: calls.slice(message * CALLS_A_MESSAGE, (message + 1) * CALLS_A_MESSAGE),
  }))
  await commands.startLog(
    id,
    records.map((record) => JSON.stringify(record)),
  )
  await expect.poll(() => askDetail(id), { interval: 100 }).toBeDefined()
  return askMessages(id, { limit: 100 })
}

function storedOf({ toolCalls }: Message, stored: readonly object[]): string[] {
  return toolCalls.map(({ id }) => JSON.stringify(stored[Number(id.slice(1))]).slice(0, 3_000))
}
