import { findListedModel } from './find-listed-model.ts'
import { isConversationModel } from './list-models.ts'
import { plainModelName } from './model-name.ts'

/** What the CLI (0.61.0) takes for every Gemini model; the list rounds it to a million for some and has none for others. */
const GEMINI_WINDOW_TOKENS = 1_048_576

/** How many tokens a model's prompt can hold; null where the price list does not know the model on that day. */
export function contextWindow(model: string, day: string): number | null {
  const listed = findListedModel(plainModelName(model), day)
  return listed !== null && isConversationModel(listed.id) ? GEMINI_WINDOW_TOKENS : null
}
