import type { Scan } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DeleteRecord } from '../../components/feedback/delete-record.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { nameOf } from './scan-badges.tsx'

/** Deletes a scan and returns to the gallery. */
export function DeleteScan({ scan }: { scan: Scan }) {
  const cairn = useCairn()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const leave = async () => {
    await navigate({ to: '/scans' })
    queries.removeQueries({ queryKey: ['scan', scan.id] })
    await queries.invalidateQueries({ queryKey: ['scans'] })
  }
  return (
    <DeleteRecord
      name={nameOf(scan)}
      texts={messages.scans.remove}
      onDelete={() => cairn.scans.delete(scan.id)}
      onDone={leave}
    />
  )
}
