/** Tools of our MCP server, by the name that any version of Gemini CLI gives them: `mcp_gemini-dash_get_session`. */
const OWN_TOOL = /(?:^|_)gemini-dash_/

/** Its answers repeat what other sessions say. */
export function isOwnTool(name: string): boolean {
  return OWN_TOOL.test(name)
}
