import { chooseExistingHomes } from '../environment/choose-homes.ts'
import { openStore } from '../environment/open-store.ts'
import { askRunningServer } from '../environment/with-answer.ts'
import {
  type AskedOf,
  answerCommand,
  type CommandAnswers,
  type CommandQuestion,
} from '../store/command-question.ts'
import type { Store } from '../store/store.ts'
import type { CommandInput } from '../terminal/commands.ts'

/**
 * Answers question after question, each as a command that is started now would: a running server does, as long as there is
 * one, else a store of this process, which looks at the disk again before each answer.
 */
export class SessionSource {
  readonly #input: CommandInput
  #store: Promise<Store> | null = null

  constructor(input: CommandInput) {
    this.#input = input
  }

  /** @throws CliError where there is no Gemini home */
  async ask<Name extends CommandQuestion['command']>(question: AskedOf<Name>): Promise<CommandAnswers[Name]> {
    const answer = await askRunningServer(this.#input, question)
    if (answer !== null) return answer as CommandAnswers[Name]
    const store = await this.#opened()
    // null: something could not be read, and the answer says so
    return answerCommand((await store.asCommand()) ?? store, question)
  }

  async close(): Promise<void> {
    const store = await this.#store?.catch(() => null)
    await store?.close()
  }

  /** What failed is tried again when the next question comes: a home may be there by then. */
  #opened(): Promise<Store> {
    this.#store ??= this.#open().catch((error: unknown) => {
      this.#store = null
      throw error
    })
    return this.#store
  }

  async #open(): Promise<Store> {
    const { flags, terminal } = this.#input
    const { store, open, begin } = await openStore({
      homes: chooseExistingHomes(flags),
      flags,
      terminal,
      isWatching: false,
    })
    await open()
    await begin('text')
    return store
  }
}
