import type { ToolOutput } from '../../model/tool-output.ts'
import { estimateTokens, PICTURE_TOKENS } from './estimate-tokens.ts'

/** Estimated tokens of a result as the model got it. */
export function weighOutput(output: ToolOutput): number {
  switch (output.kind) {
    case 'empty':
      return 0
    case 'image':
      return PICTURE_TOKENS
    case 'text':
    case 'markdown':
    case 'error':
      return estimateTokens(output.text)
    default:
      return estimateTokens(JSON.stringify(output))
  }
}
