import { projectHash } from '../../fixtures/demo/demo-project.ts'
import { type SeededRandom, seededRandom } from '../../fixtures/seeded-random.ts'
import type { SimulatedEvent } from '../../packages/gemini-sessions/test/simulated-cli.ts'
import type { DiskOperation } from './disk-operation.ts'
import { ScriptedSession } from './scripted-session.ts'

/** Related operations of the CLI, and where it dies during them, if it does. */
export interface StandInStep {
  name: string
  operations: DiskOperation[]
  /** Index of the operation, and the share of its bytes that is written. */
  torn: { operation: number; share: number } | null
}

const OLD_PROJECT = '/tmp/demo/bookshop'
const HASH_FOLDER = projectHash(OLD_PROJECT)
const PROJECTS = [
  { name: 'webshop', hash: projectHash('/tmp/demo/webshop') },
  { name: 'shelf-api', hash: projectHash('/tmp/demo/shelf') },
  { name: HASH_FOLDER, hash: HASH_FOLDER },
]
const SESSIONS_AT_FIRST = 4
const MANY_SESSIONS = 12

/**
 * Simulates Gemini CLI: the same steps for the same seed, so that a killed process can continue where it died, and an observer knows the
 * expected content of every file. Does not touch the disk itself.
 */
export class StandIn {
  readonly #random: SeededRandom
  readonly #tearShare: number
  readonly #sessions: ScriptedSession[] = []
  readonly #prompts: object[] = []
  #count = 0
  #opened = 0

  /** With `tearShare` 0.01 one step in a hundred is torn. */
  constructor(seed: number, tearShare = 0) {
    this.#random = seededRandom(seed)
    this.#tearShare = tearShare
  }

  next(): StandInStep {
    const { name, operations } = this.#choose()
    this.#count += 1
    const dies = this.#random.next() < this.#tearShare && operations.length > 0
    const operation = this.#random.integer(0, Math.max(operations.length - 1, 0))
    const share = this.#random.next()
    return { name, operations, torn: dies ? { operation, share } : null }
  }

  #choose(): Omit<StandInStep, 'torn'> {
    if (this.#sessions.length < SESSIONS_AT_FIRST) return this.#begin()
    const session = this.#random.pick(this.#sessions)
    const roll = this.#random.integer(0, 99)
    if (roll < 3) return this.#begin()
    if (roll < 6 && this.#sessions.length > SESSIONS_AT_FIRST) return this.#end(session)
    if (roll < 9) return this.#subagent(session)
    if (roll < 11) return this.#copyProject()
    if (roll < 13) return this.#prompt(session)
    if (roll < 14) return this.#register()
    if (roll < 16) return this.#save(session)
    return session.format === 'json' ? this.#growDocument(session, roll) : this.#growLog(session, roll)
  }

  #begin(): Omit<StandInStep, 'torn'> {
    this.#opened += 1
    const format = this.#random.next() < 0.3 ? 'json' : 'jsonl'
    const { name, hash } = this.#random.pick(PROJECTS)
    const project = { folder: `tmp/${name}/chats`, hash }
    const session = new ScriptedSession(this.#random, project, format, this.#opened)
    this.#sessions.push(session)
    if (this.#sessions.length > MANY_SESSIONS) this.#sessions.shift()
    const { path } = session
    if (format === 'json')
      return step('a document begins', [{ kind: 'write', path, text: session.document() }])
    return step('a log begins', [
      { kind: 'append', path, text: session.head() },
      ...appends(path, session.unwritten()),
    ])
  }

  #end(session: ScriptedSession): Omit<StandInStep, 'torn'> {
    this.#sessions.splice(this.#sessions.indexOf(session), 1)
    return step('a session is deleted', [{ kind: 'remove', path: session.path }])
  }

  #growDocument(session: ScriptedSession, roll: number): Omit<StandInStep, 'torn'> {
    if (roll < 22) {
      const text = session.migrated()
      return step('a document is resumed as a log', [{ kind: 'append', path: session.path, text }])
    }
    session.play(this.#random.pick<SimulatedEvent>(['turn', 'tool turn', 'notice']))
    const { path } = session
    return step('a document is rewritten', [{ kind: 'write', path, text: session.document() }])
  }

  #growLog(session: ScriptedSession, roll: number): Omit<StandInStep, 'torn'> {
    const { path } = session
    const play = (event: SimulatedEvent) => step(event, appends(path, session.play(event)))
    if (session.needsCompression) return play('compress')
    if (roll < 24) return step('a message is recorded again', appends(path, session.again()))
    if (roll < 28) return play('rewind')
    if (roll < 31) return play('failed')
    if (roll < 33) return play('aborted')
    if (roll < 35) return play('lost')
    if (roll < 40) return this.#resume(session)
    if (roll < 44) {
      const text = session.head() + session.again().join('')
      return step('a log is written anew', [{ kind: 'replace', path, text }])
    }
    if (roll < 65) return play('tool turn')
    return roll < 72 ? play('notice') : play('turn')
  }

  /** Creates a separate file without messages, then continues the log. */
  #resume(session: ScriptedSession): Omit<StandInStep, 'torn'> {
    const folder = session.path.slice(0, session.path.lastIndexOf('/'))
    const minute = String(this.#random.integer(10, 59))
    const stub = `${folder}/${session.fileName(minute, 'jsonl')}`
    const lines = appends(session.path, session.play('resume'))
    if (stub === session.path) return step('a session is resumed in the same minute', lines)
    return step('a session is resumed', [{ kind: 'write', path: stub, text: session.stub() }, ...lines])
  }

  #subagent(parent: ScriptedSession): Omit<StandInStep, 'torn'> {
    const folder = `${parent.path.slice(0, parent.path.lastIndexOf('/'))}/${parent.id}`
    const agent = new ScriptedSession(
      this.#random,
      { folder, hash: parent.projectHash },
      'jsonl',
      this.#opened,
    )
    const text = agent.head('subagent') + [...agent.unwritten(), ...agent.play('tool turn')].join('')
    return step('a sub-agent works', [{ kind: 'append', path: `${folder}/${agent.id}.jsonl`, text }])
  }

  /** What each start since 0.29 does with a folder named by a hash. */
  #copyProject(): Omit<StandInStep, 'torn'> {
    const copies = this.#sessions
      .filter(({ path }) => path.includes(HASH_FOLDER))
      .map(
        ({ path }): DiskOperation => ({
          kind: 'copy',
          from: path,
          to: path.replace(HASH_FOLDER, 'bookshop'),
        }),
      )
    const path = 'tmp/bookshop/.project_root'
    return step('a folder is copied', [{ kind: 'write', path, text: OLD_PROJECT }, ...copies])
  }

  #prompt(session: ScriptedSession): Omit<StandInStep, 'torn'> {
    const timestamp = `2026-10-01T20:00:${String(this.#prompts.length % 60).padStart(2, '0')}.000Z`
    const messageId = this.#prompts.length
    this.#prompts.push({
      sessionId: session.id,
      messageId,
      type: 'user',
      message: `typed ${messageId}`,
      timestamp,
    })
    const text = JSON.stringify(this.#prompts.slice(-50), null, 2)
    return step('a prompt is logged', [{ kind: 'write', path: 'tmp/webshop/logs.json', text }])
  }

  #register(): Omit<StandInStep, 'torn'> {
    const projects = { '/tmp/demo/webshop': 'webshop', '/tmp/demo/shelf': 'shelf-api' }
    const text = JSON.stringify({ projects, count: this.#count })
    return step('the registry is written', [{ kind: 'replace', path: 'projects.json', text }])
  }

  #save(session: ScriptedSession): Omit<StandInStep, 'torn'> {
    const path = `tmp/webshop/checkpoint-${session.id.slice(0, 4)}.json`
    const said = (role: string, text: string) => ({ role, parts: [{ text }] })
    const text = JSON.stringify([said('user', 'save the harbour'), said('model', `saved ${this.#count}`)])
    return step('a chat is saved', [{ kind: 'write', path, text }])
  }
}

function step(name: string, operations: DiskOperation[]): Omit<StandInStep, 'torn'> {
  return { name, operations }
}

function appends(path: string, lines: readonly string[]): DiskOperation[] {
  return lines.map((text) => ({ kind: 'append', path, text }))
}
