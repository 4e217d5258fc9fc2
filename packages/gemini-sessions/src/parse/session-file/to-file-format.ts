/** By name, as the CLI decides; backups such as `.jsonl.unreadable-<ms>` included. */
export function toFileFormat(path: string): 'json' | 'jsonl' {
  return /\.jsonl(\.|$)/.test(path) ? 'jsonl' : 'json'
}
