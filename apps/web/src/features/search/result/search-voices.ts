import type { SearchField, SearchHit } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import {
  Diamond,
  Heading,
  Info,
  Lightbulb,
  type LucideIcon,
  Paperclip,
  SquareTerminal,
  UserRound,
  Wrench,
} from 'lucide-react'

type Voice = { label: string; icon: LucideIcon; ink: 'user' | 'model' | 'thought' | 'tool' | 'plain' }

/** Whose words each field holds: name, icon and ink, as in a conversation. */
export const searchVoices: Record<SearchField, Voice> = {
  title: { label: 'Title', icon: Heading, ink: 'plain' },
  prompt: { label: 'You', icon: UserRound, ink: 'user' },
  answer: { label: 'Gemini', icon: Diamond, ink: 'model' },
  thought: { label: 'Thought', icon: Lightbulb, ink: 'thought' },
  'tool-args': { label: 'Tool input', icon: Wrench, ink: 'tool' },
  'tool-output': { label: 'Tool output', icon: Wrench, ink: 'tool' },
  notice: { label: 'Notice', icon: Info, ink: 'plain' },
  attachment: { label: 'Attached file', icon: Paperclip, ink: 'user' },
}

/** The voice of one hit: a tool is called by its name. */
export function voiceOf(hit: SearchHit): Voice {
  const voice = searchVoices[hit.field]
  if (voice.ink !== 'tool' || hit.toolName === null) return voice
  const icon = hit.toolName === 'run_shell_command' ? SquareTerminal : voice.icon
  return { ...voice, icon, label: toolLabel(hit.toolName) }
}
