/** JSON as people write it in settings: `//` and block comments and trailing commas allowed. undefined if it is none. */
export function parseJsonWithComments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseLoosely(text)
  }
}

function parseLoosely(text: string): unknown {
  try {
    // Strings are matched first, so that nothing inside one is touched.
    const bare = text.replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, quoted) => quoted ?? ' ',
    )
    return JSON.parse(bare.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted) => quoted ?? ''))
  } catch {
    return undefined
  }
}
