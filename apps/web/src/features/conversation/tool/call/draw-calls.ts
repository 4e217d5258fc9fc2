import type { ToolCall } from 'gemini-sessions'
import type { ReactNode } from 'react'

/** Draws the calls of a message that stands inside a call. Handed down, as a rack cannot import itself. */
export type DrawCalls = (messageKey: string, calls: ToolCall[]) => ReactNode
