/** JSON as people write it in settings: `//` and block comments and trailing commas allowed. undefined if it is none. */
export function parseJsonWithComments(text: string): unknown {
  // A string, or what is to go; strings are matched first so that nothing inside one is touched.
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted) => quoted ?? ' ')
  const strict = bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted) => quoted ?? '')
  try {
    return JSON.parse(strict)
  } catch {
    return undefined
  }
}
