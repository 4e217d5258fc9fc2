export function fingerprintOfShown(): string
