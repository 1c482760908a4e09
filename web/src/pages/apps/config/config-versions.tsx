import { Button } from '@mantine/core'
import { formatBytes } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { notifyError } from '../../../components/feedback/notify.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.config

/** The versions that are kept. An earlier one opens in the editor, to be restored by saving it. */
export function ConfigVersions({ appId, onRestore }: { appId: string; onRestore: (version: number) => Promise<void> }) {
  const cairn = useCairn()
  const list = usePagedList(['config', appId, 'versions'], () => cairn.appConfig.versions({ appId, limit: 20 }))
  return (
    <Panel flush title={texts.versions}>
      <PagedListView list={list} rows={3} empty={<p className="dim pad">{texts.none}</p>}>
        {(versions) => (
          <Table label={texts.versions}>
            <thead>
              <tr>
                <th>{texts.version}</th>
                <th>{texts.written}</th>
                <th className="wide-only">{texts.by}</th>
                <th className="num wide-only">{texts.size}</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {versions.map(({ version, createdAt, userId, keyId, size }, at) => (
                <tr key={version}>
                  <td className="strong">{version}</td>
                  <td className="dim">
                    <RelativeTime at={createdAt} />
                  </td>
                  <td className="wide-only dim">
                    {keyId ? texts.byKey(keyId) : userId ? texts.byUser : texts.byNobody}
                  </td>
                  <td className="num wide-only">{formatBytes(size)}</td>
                  <td className="num">
                    {at > 0 && (
                      <Button
                        size="xs"
                        aria-label={texts.openOne(version)}
                        onClick={() => void onRestore(version).catch(notifyError)}
                      >
                        {texts.open}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </PagedListView>
    </Panel>
  )
}
