/** A shell command that ends with another code than 0 has failed, though its status is `success`. */
export function isFailedCall(status: string, exitCode: number | null): boolean {
  return status === 'error' || (exitCode !== null && exitCode !== 0)
}
