import type { UserFile } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { DeleteRecord } from '../../components/feedback/delete-record.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

/** Deletes a file and returns to the list. */
export function DeleteFile({ file }: { file: UserFile }) {
  const cairn = useCairn()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const leave = async () => {
    await navigate({ to: '/files' })
    queries.removeQueries({ queryKey: ['file', file.fileId] })
    await queries.invalidateQueries({ queryKey: ['files'] })
  }
  return (
    <DeleteRecord
      name={file.fileName}
      texts={messages.files.remove}
      onDelete={() => cairn.files.delete(file.fileId)}
      onDone={leave}
    />
  )
}
