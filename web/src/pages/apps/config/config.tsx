import type { Cairn } from '@cairn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { JsonEditor } from '../../../components/data/json-editor.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import classes from '../app-page.module.css'
import { AppPage } from '../app-page.tsx'
import { ConfigVersions } from './config-versions.tsx'

const texts = messages.app.config
const route = getRouteApi('/shell/apps/$appId/config')

/** The live configuration of an app and its earlier versions. */
export function Config() {
  const { appId } = route.useParams()
  return (
    <AppPage appId={appId} tab="config">
      {() => <ConfigTab appId={appId} />}
    </AppPage>
  )
}

/** The current configuration with its ETag; without one before the first. */
async function currentConfig(cairn: Cairn, appId: string): Promise<{ value: object; etag?: string }> {
  for await (const _version of cairn.appConfig.versions({ appId, limit: 1 })) return cairn.appConfig.get({ appId })
  return { value: {} }
}

function ConfigTab({ appId }: { appId: string }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const query = useQuery({ queryKey: ['config', appId], queryFn: () => currentConfig(cairn, appId) })
  /** An earlier version that is about to be restored. */
  const [earlier, setEarlier] = useState<{ version: number; value: object }>()
  const refresh = async () => {
    setEarlier(undefined)
    await queries.invalidateQueries({ queryKey: ['config', appId] })
  }
  const save = async (value: object, etag: string | undefined) => {
    const condition = etag === undefined ? ({ ifNoneMatch: '*' } as const) : { ifMatch: etag }
    const { version } = await cairn.appConfig.set(value, { appId, ...condition })
    notifySuccess(texts.saved(version))
    await refresh()
  }
  return (
    <div className={classes.tiles}>
      <Panel title={texts.title} beside={earlier && texts.restoring(earlier.version)}>
        <div className="stack">
          <p className="dim">{texts.text}</p>
          <QueryResult query={query}>
            {({ value, etag }) => (
              <JsonEditor
                key={`${etag} ${earlier?.version}`}
                label={texts.label}
                value={earlier?.value ?? value}
                saveLabel={texts.save}
                onSave={(changed) => save(changed, etag)}
                {...(earlier && { onCancel: () => setEarlier(undefined) })}
              />
            )}
          </QueryResult>
        </div>
      </Panel>
      <ConfigVersions
        appId={appId}
        onRestore={async (version) => {
          const { value } = await cairn.appConfig.version<object>(version, { appId })
          setEarlier({ version, value })
        }}
      />
    </div>
  )
}
