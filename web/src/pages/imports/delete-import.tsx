import type { CsvUpload } from '@cairn/sdk'
import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notDone, told } from '../../components/feedback/notify.ts'
import { words } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'

const texts = words.imports.remove

/** Takes an import away, and if asked the points that it made. */
export function RemoveImport({ record }: { record: CsvUpload }) {
  const { id, zoneId, fileName, dryRun } = record
  const cairn = useCairn()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const [points, setPoints] = useState(false)
  const remove = useMutation({
    mutationFn: () => cairn.csvUploads.delete(zoneId, id, { deleteGcps: points }),
    onSuccess: async () => {
      told(texts.done(fileName))
      await navigate({ to: '/import', search: { zone: zoneId } })
      await queries.invalidateQueries({ queryKey: ['imports', zoneId] })
    },
    onError: (error) => notDone(error, texts.not),
  })
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{words.imports.head.remove}</Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={texts.title(fileName)}
        verb={texts.verb}
        onConfirm={() => remove.mutate()}
        isBusy={remove.isPending}
      >
        <p>{texts.text}</p>
        {!dryRun && (
          <Checkbox
            label={texts.points}
            checked={points}
            onChange={({ currentTarget: { checked } }) => setPoints(checked)}
          />
        )}
      </Confirm>
    </>
  )
}
