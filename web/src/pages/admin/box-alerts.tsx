import { AlertPanel } from '../../components/query/alert-panel.tsx'
import { usePagedList } from '../../components/query/paged-list.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const health = messages.admin.health
const texts = health.alerts

/** The alerts of this installation. */
export function BoxAlerts() {
  const cairn = useCairn()
  const list = usePagedList(['health', 'alerts'], () => cairn.box.alerts({ limit: 10 }))
  return <AlertPanel title={texts.title} texts={texts} list={list} kinds={texts.kinds} subjects={health.names} />
}
