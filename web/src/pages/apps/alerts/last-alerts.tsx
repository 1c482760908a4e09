import { AlertPanel } from '../../../components/query/alert-panel.tsx'
import { usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.alerts
const quotas = messages.app.today.attention.quotas

/** The alerts of an app. */
export function LastAlerts({ appId }: { appId: string }) {
  const cairn = useCairn()
  const list = usePagedList(['app', appId, 'alerts'], () => cairn.alerts.list(appId, { limit: 10 }))
  return <AlertPanel title={texts.last} texts={texts} list={list} kinds={texts.kindNames} subjects={quotas} />
}
