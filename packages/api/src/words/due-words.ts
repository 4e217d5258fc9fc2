/**
 * What is said around sessions that Gemini CLI is about to delete: "Gemini CLI will delete 2 sessions", or, where its rules were not
 * tried with the version that is installed, "By the rules of Gemini CLI 0.61, 2 sessions will be deleted".
 */
export function dueWords(byRules: string | null): { before: string; after: string } {
  return byRules === null
    ? { before: 'Gemini CLI will delete ', after: '' }
    : { before: `${byRules}, `, after: ' will be deleted' }
}
