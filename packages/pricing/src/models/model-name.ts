/** As the Gemini API, Vertex AI and its OpenAI-compatible door write a model: `models/x`, `publishers/google/models/x`, `google/x`. */
const RESOURCE_PREFIX =
  /^(?:(?:(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/)?models\/|google\/)/

/** A model's name as price lists write it. */
export function plainModelName(name: string): string {
  return name.trim().toLowerCase().replace(RESOURCE_PREFIX, '')
}

/** Names by which the CLI (0.11 and later) lets a router choose; what was chosen is not in the name. */
export function isRoutingName(plainName: string): boolean {
  return /^auto(?:-|$)/.test(plainName) || ['pro', 'flash', 'flash-lite'].includes(plainName)
}
