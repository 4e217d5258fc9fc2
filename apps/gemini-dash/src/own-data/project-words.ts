import { z } from 'zod'

/** As a project was known then: its key, the hashes that the CLI wrote for it, its folders under `tmp`. */
export const projectReferenceSchema = z.looseObject({
  key: z.string(),
  hashes: z.array(z.string()),
  folders: z.array(z.string()),
})
export type ProjectReference = Pick<ProjectWords, 'key' | 'hashes' | 'folders'>

/** What the user said about one project, and what was found for it on this computer. */
export const projectWordsSchema = projectReferenceSchema.extend({
  name: z.string().nullable(),
  path: z.string().nullable(),
  /** Found by looking for it, and proven by a hash. */
  foundPath: z.string().nullable(),
})
export type ProjectWords = z.infer<typeof projectWordsSchema>

/** Keys change when a Windows project moves from a hash folder to a slug; then a hash or a folder is still the same. */
export function areOfProject(words: ProjectReference, project: ProjectReference): boolean {
  return (
    words.key === project.key ||
    words.hashes.some((hash) => project.hashes.includes(hash)) ||
    words.folders.some((folder) => project.folders.includes(folder))
  )
}
