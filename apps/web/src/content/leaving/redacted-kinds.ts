import type { ExportReview } from '@gemini-dash/api'

/** What is taken out of what leaves, by kind. */
export const REDACTED_KINDS: Readonly<Record<ExportReview['changes'][number]['kind'], string>> = {
  secret: 'Secrets',
  home: 'Home folders',
  user: 'User names',
  host: 'Names of computers',
  email: 'E-mail addresses',
}
