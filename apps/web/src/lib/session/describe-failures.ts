import type { SessionFailures } from 'gemini-sessions'
import { formatPlural } from '../figures/format.ts'

/** Everything that failed, of whatever kind: the figure of the column "Failed". */
export function countFailed({ tools, refused, unanswered }: SessionFailures): number {
  return tools + refused + unanswered
}

/** `3 tool calls`, `1 refused request`, `1 prompt without answer`; kinds of which there are none are left out. */
export function describeFailures({ tools, refused, unanswered }: SessionFailures): string[] {
  return [
    tools > 0 && formatPlural(tools, 'tool call'),
    refused > 0 && formatPlural(refused, 'refused request'),
    unanswered > 0 && formatPlural(unanswered, 'prompt without answer', 'prompts without answer'),
  ].filter((text) => text !== false)
}
