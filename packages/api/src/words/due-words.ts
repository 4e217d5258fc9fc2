/**
 * The words around sessions that Gemini CLI will delete soon: "Gemini CLI will delete 2 sessions" or, if its rules were not tested with the
 * installed version, "By the rules of Gemini CLI 0.61, 2 sessions will be deleted".
 */
export function dueWords(byRules: string | null): { before: string; after: string } {
  return byRules === null
    ? { before: 'Gemini CLI will delete ', after: '' }
    : { before: `${byRules}, `, after: ' will be deleted' }
}
