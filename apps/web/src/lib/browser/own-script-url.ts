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

let policy: Rules | undefined

/** The address of a script of ours, as a worker may be started with it: by the one policy that the content policy names. */
export function ownScriptUrl(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('gemini-dash', { createScriptURL: onlyOurs })
  return policy?.createScriptURL(url) ?? url
}

function onlyOurs(url: string): string {
  if (new URL(url, location.href).origin === location.origin) return url
  throw new TypeError(`Not a script of this server: ${url}`)
}
