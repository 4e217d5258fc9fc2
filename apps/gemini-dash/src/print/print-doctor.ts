import type { Doctor } from '@gemini-dash/api'
import { escapeLine } from './escape-controls.ts'
import { formatBytes, formatCount, formatTime } from './format-figures.ts'

/** What was found and what is wrong with it, one matter a paragraph; matters of which there are none are left out. */
export function printDoctor(doctor: Doctor): string {
  const { homes, files, issues, drift, duplicates, retention, cache } = doctor
  const sections = [
    section(
      'Homes',
      homes.map(({ path, exists }) => `${path}${exists ? '' : '  (not there)'}`),
    ),
    section('Files', [
      `${formatCount(files.found)} found, ${formatCount(files.sessions)} sessions`,
      ...(duplicates > 0 ? [`${formatCount(duplicates)} only repeat what another holds`] : []),
    ]),
    section(
      'Not read as sessions',
      files.skipped.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    section(
      'Problems',
      issues.map(
        ({ code, count, example }) => `${code} (${formatCount(count)}), e.g. ${example.path} ${example.at}`,
      ),
    ),
    section(
      'Unknown to this version',
      drift.map(
        ({ where, name, count, example }) => `${where} "${name}" (${formatCount(count)}), e.g. ${example}`,
      ),
    ),
    section('Kept by Gemini CLI', retentionLines(retention)),
    section('Index', [cache.path === null ? 'in memory' : `${cache.path}, ${formatBytes(cache.sizeBytes)}`]),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

function section(title: string, lines: string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${escapeLine(line)}`)].join('\n')
}

function retentionLines({ enabled, maxAgeDays, expiring }: Doctor['retention']): string[] {
  if (!enabled) return ['sessions are never deleted']
  return [
    maxAgeDays === null ? 'old sessions are deleted' : `sessions are deleted after ${maxAgeDays} days`,
    ...expiring.map(
      ({ sessionKey, deletedAfter }) => `${sessionKey} is deleted after ${formatTime(deletedAfter)}`,
    ),
  ]
}
