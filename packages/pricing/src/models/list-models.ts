import { findProvider } from '@pydantic/genai-prices'

/** Models that hold conversations; what makes pictures, speech or vectors, and what came before 2.0, is no alternative. */
const CONVERSATION_MODEL = /^gemini-(?:[2-9]|\d\d)(?:\.\d+)?-(?:pro|flash|flash-lite)(?:-preview)?$/

/** The Gemini models of the price list that a session of the CLI could run on. */
export function listModels(): string[] {
  const models = findProvider({ providerId: 'google' })?.models ?? []
  return models.map(({ id }) => id).filter(isConversationModel)
}

export function isConversationModel(id: string): boolean {
  return CONVERSATION_MODEL.test(id)
}
