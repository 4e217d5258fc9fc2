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
import { SEARCH_FIELD_LABELS } from '../../../lib/address/find-search.ts'

type Voice = { label: string; icon: LucideIcon; ink: 'user' | 'model' | 'thought' | 'tool' | 'plain' }

/** Whose words each field holds: name, icon and ink, as in a conversation. */
export const searchVoices: Record<SearchField, Voice> = {
  title: { label: SEARCH_FIELD_LABELS.title, icon: Heading, ink: 'plain' },
  prompt: { label: SEARCH_FIELD_LABELS.prompt, icon: UserRound, ink: 'user' },
  answer: { label: SEARCH_FIELD_LABELS.answer, icon: Diamond, ink: 'model' },
  thought: { label: SEARCH_FIELD_LABELS.thought, icon: Lightbulb, ink: 'thought' },
  'tool-args': { label: SEARCH_FIELD_LABELS['tool-args'], icon: Wrench, ink: 'tool' },
  'tool-output': { label: SEARCH_FIELD_LABELS['tool-output'], icon: Wrench, ink: 'tool' },
  notice: { label: SEARCH_FIELD_LABELS.notice, icon: Info, ink: 'plain' },
  attachment: { label: SEARCH_FIELD_LABELS.attachment, icon: Paperclip, ink: 'user' },
}

/** The voice of one hit: a tool is called by its name. */
export function voiceOf(hit: SearchHit): Voice {
  const voice = searchVoices[hit.field]
  if (voice.ink !== 'tool' || hit.toolName === null) return voice
  const icon = hit.toolName === 'run_shell_command' ? SquareTerminal : voice.icon
  return { ...voice, icon, label: toolLabel(hit.toolName) }
}
