import { z } from 'zod'

/** A container that Gemini CLI is set to run in: since 0.60 its sessions are thrown away with it. */
export const sandboxSchema = z.strictObject({
  /** What starts the container. */
  command: z.enum(['docker', 'podman', 'runsc']),
  /** Where it is selected: the path of a settings file, or `GEMINI_SANDBOX`. */
  source: z.string(),
  /** What it means, and what to do. */
  text: z.string(),
  advice: z.string(),
})
export type Sandbox = z.infer<typeof sandboxSchema>
