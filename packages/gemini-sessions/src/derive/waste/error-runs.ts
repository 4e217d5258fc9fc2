import type { WastePlace } from '../../model/insights/waste.ts'
import type { Message } from '../../model/message.ts'
import { messageText } from '../messages/message-text.ts'
import { oneLine } from '../messages/one-line.ts'

const MAX_SUBJECT_LENGTH = 160

/** Error notices that follow on each other, whatever was typed in between, until the model answers. */
export class ErrorRuns {
  readonly runs: { subject: string; places: WastePlace[] }[] = []
  #places: WastePlace[] = []
  #subject = ''

  add(message: Message, place: { offset: number; turn: number }): void {
    if (message.type === 'error') {
      this.#subject = oneLine(messageText(message), MAX_SUBJECT_LENGTH)
      const { key: messageKey, timestamp } = message
      const isExtra = this.#places.length > 0
      this.#places.push({ ...place, messageKey, timestamp, callId: null, call: null, tokens: 0, isExtra })
    } else if (message.origin === 'model') this.close()
  }

  close(): void {
    if (this.#places.length > 1) this.runs.push({ subject: this.#subject, places: this.#places })
    this.#places = []
  }
}
