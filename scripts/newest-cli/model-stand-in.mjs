import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'

// The model's answers, by a word in the prompt: one step per turn. `call` lists alternative tool names, as they differ between versions.
const SCRIPTS = {
  // the prompt of the extension's /history command
  'Answer from the Gemini CLI sessions': [
    { call: ['mcp_gemini-dash_search_sessions', 'search_sessions'], args: () => ({ q: 'price' }) },
    { text: 'You asked about prices before.' },
  ],
  'What fixed the voucher test': [
    {
      call: ['mcp_gemini-dash_search_sessions', 'search_sessions'],
      args: () => ({ q: 'voucher test', from: '2026-11-15' }),
    },
    {
      call: ['mcp_gemini-dash_get_handover', 'get_handover'],
      args: ({ answered }) => ({ key: /key\W+([\w-]{12})/.exec(answered)?.[1], budget: 800 }),
    },
    { text: 'An edit of src/cart.js did.' },
  ],
  'price file': [
    { thought: '**Looking at prices** The file has to be read first.', call: ['read_file'], args: readArgs },
    { text: 'It adds up prices and rounds nothing.' },
  ],
  'list files': [
    { call: ['run_shell_command'], args: () => ({ command: 'ls', description: 'Lists the files' }) },
    { text: 'There is one file.' },
  ],
  'add a note': [
    {
      call: ['write_file'],
      args: ({ folder }) => ({ file_path: `${folder}/note.txt`, content: 'A note.\n' }),
    },
    { text: 'The note is written.' },
  ],
  'be refused': [{ refusal: 'scripted failure' }],
}

function readArgs({ folder }) {
  return { absolute_path: `${folder}/price.js`, file_path: `${folder}/price.js` }
}

/**
 * Listens on loopback like the model's API. Delays only its next answer, by `model.thinkMs`. Resolves to the server; close it when the CLI
 * has ended.
 */
export function listenAsModel(folder, model = { thinkMs: 0 }) {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', async () => {
      if (request.url?.includes('enerateContent')) {
        const { thinkMs } = model
        model.thinkMs = 0
        await setTimeout(thinkMs)
      }
      answer(response, request.url ?? '', JSON.parse(text || '{}'), folder)
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function answer(response, url, body, folder) {
  const method = /:(\w+)/.exec(url)?.[1]
  if (method === 'countTokens') return sendJson(response, 200, { totalTokens: 2_000 })
  const step = stepOf(body)
  if (step.refusal) {
    const error = { code: 400, message: step.refusal, status: 'INVALID_ARGUMENT' }
    return sendJson(response, 400, { error })
  }
  const parts = partsOf(step, body, folder)
  const candidates = [{ content: { role: 'model', parts }, index: 0, finishReason: 'STOP' }]
  const usageMetadata = {
    promptTokenCount: 2_400,
    cachedContentTokenCount: 1_800,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 12,
    totalTokenCount: 2_432,
  }
  const chunk = { candidates, usageMetadata, modelVersion: 'stand-in' }
  if (method !== 'streamGenerateContent') return sendJson(response, 200, chunk)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(chunk)}\r\n\r\n`)
}

/** The newest prompt with a script, and the number of model turns after it. */
function stepOf({ contents = [], generationConfig = {} }) {
  const schema = generationConfig.responseJsonSchema ?? generationConfig.responseSchema
  if (schema) return { text: JSON.stringify(fillIn(schema)) }
  for (let at = contents.length - 1; at >= 0; at--) {
    if (contents[at].role !== 'user') continue
    const said = (contents[at].parts ?? []).map(({ text = '' }) => text).join('\n')
    const word = Object.keys(SCRIPTS).find((each) => said.includes(each))
    if (word === undefined) continue
    const turns = contents.slice(at + 1).filter(({ role }) => role === 'model').length
    return SCRIPTS[word][turns] ?? { text: 'That is all.' }
  }
  return { text: 'Understood.' }
}

/** Answers the CLI's internal requests, such as the choice of a model. */
function fillIn({ properties = {} }) {
  const values = { string: 'Scripted', number: 0, integer: 0, boolean: false, array: [], object: {} }
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = 'string', enum: choices }]) => [
      name,
      choices?.[0] ?? values[String(type).toLowerCase()],
    ]),
  )
}

function partsOf({ thought, text, call, args }, { tools = [], contents = [] }, folder) {
  // the result of the model's last call
  const answered = JSON.stringify(contents.at(-1)?.parts ?? [])
  const known = new Set(
    tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations).map(({ name }) => name),
  )
  const name = call?.find((each) => known.has(each))
  return [
    ...(thought ? [{ thought: true, text: thought }] : []),
    ...(name ? [{ functionCall: { name, args: args({ folder, answered }) } }] : []),
    ...(text || (call && !name) ? [{ text: text ?? 'This version has no such tool.' }] : []),
  ]
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
