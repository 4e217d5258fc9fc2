/** As far as it is used here; what a policy returns is handed on as it is, wherever a string was. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules
}

interface Rules {
  createScriptURL(url: string): string
}

declare global {
  interface Window {
    /** Only in browsers that know Trusted Types. */
    trustedTypes?: TrustedTypes
  }
}

/** The one policy that the server's content policy names: it lets scripts of this server through, and nothing else. */
const policy = window.trustedTypes?.createPolicy('gemini-dash', {
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin === location.origin) return url
    throw new TypeError(`Not a script of this server: ${url}`)
  },
})

/** The address of a script of ours, as a worker may be started with it. */
export function ownScriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url
}
