import type { CacheCleared, Settings } from '@gemini-dash/api'
import { useCacheClear } from '../../api/settings.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { useActions } from '../../lib/actions/use-actions.ts'
import { formatPlural, formatSize } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { SettingRow, SettingsSection } from './settings-section.tsx'

/** What was made of the session files, which can be made again. */
export function CacheSection({ cache }: Pick<Settings, 'cache'>) {
  const clear = useCacheClear()
  useActions({
    rebuildIndex: () => void clear.mutate('shown'),
    ...(cache !== null && { clearCache: () => void clear.mutate('all') }),
  })
  return (
    <SettingsSection
      place="cache"
      title="Cache"
      lead="Made of the session files, and made again whenever it is missing. Only files that gemini-dash named are deleted."
    >
      <SettingRow
        name="Index of these homes"
        why="Rebuild where something looks wrong: every session is read once more. Lists stay meanwhile, and search fills again."
      >
        <span className="tabular">{cache === null ? 'in memory' : formatSize(cache.sizeBytes)}</span>
        <Button disabled={clear.isPending} onClick={() => clear.mutate('shown')}>
          Rebuild
        </Button>
      </SettingRow>
      {cache !== null && (
        <SettingRow
          name="All of it"
          why={
            <>
              With{' '}
              {cache.others.count === 0 ? 'no index' : formatPlural(cache.others.count, 'index', 'indexes')}{' '}
              of other homes, in{' '}
              <span className="mono" dir="ltr">
                <MachineText text={cache.path} />
              </span>
            </>
          }
        >
          <span className="tabular">{formatSize(cache.sizeBytes + cache.others.sizeBytes)}</span>
          <Button disabled={clear.isPending} onClick={() => clear.mutate('all')}>
            Clear
          </Button>
        </SettingRow>
      )}
      <div role="status">
        {clear.isSuccess && (
          <div className="setting-note">
            <Cleared cleared={clear.data} />
          </div>
        )}
      </div>
      {clear.isError && (
        <div className="setting-note">
          <Notice tone="error">{clear.error.message}</Notice>
        </div>
      )}
    </SettingsSection>
  )
}

function Cleared({ cleared: { freedBytes, inUse, left } }: { cleared: CacheCleared }) {
  return (
    <Notice>
      {freedBytes > 0 && `${formatSize(freedBytes)} deleted. `}
      The sessions are read anew.
      {inUse > 0 &&
        ` ${formatPlural(inUse, 'index', 'indexes')} stayed, which another gemini-dash uses just now.`}
      {left.length > 0 && (
        <>
          {' '}
          What is none of ours stayed: <MachineText text={left.join(', ')} />
        </>
      )}
    </Notice>
  )
}
